package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;

/** An autopilot of another make, which is shown with the reason why it is not recorded: a conversation that never begins. */
record UnsupportedAutopilot(String name) implements Autopilot, LogConversation {
    @Override
    public boolean isSupported() {
        return false;
    }

    @Override
    public LogConversation conversation() {
        return this;
    }

    @Override
    public void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {}

    @Override
    public boolean onTick(boolean isArmed, boolean isWished, long nowNs) {
        return false;
    }

    @Override
    public State state() {
        return State.IDLE;
    }

    @Override
    public String stateText() {
        return "not recorded";
    }

    @Override
    public String detail() {
        return "log streaming of this autopilot is not supported";
    }

    @Override
    public boolean isAtRest() {
        return true;
    }

    @Override
    public boolean isRefused() {
        return false;
    }

    @Override
    public boolean isAnswered() {
        return false;
    }

    @Override
    public boolean mayWait(long nowNs) {
        return true;
    }

    @Override
    public void want(boolean isWanted) {}

    @Override
    public void onHeard(long nowNs) {}

    @Override
    public void onBootTime(long bootMs, long nowNs) {}

    @Override
    public void onTick(long nowNs) {}

    @Override
    public void shutDown(long nowNs) {}
}
