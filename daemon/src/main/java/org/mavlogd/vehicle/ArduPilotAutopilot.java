package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.ardupilot.ArduPilotLogSession;
import org.mavlogd.vehicle.ardupilot.LogBlock;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;

/**
 * An ArduPilot, which streams its log in REMOTE_LOG_DATA_BLOCK of a component of its own, and may speak MAVLink 1. Owned by the
 * link's thread. Hot path.
 */
final class ArduPilotAutopilot implements Autopilot {
    // It logs on for 15 s after it is disarmed, whatever LOG_DISARMED says.
    private static final long LOGS_ON_NS = TimeUnit.SECONDS.toNanos(16);

    private final VehicleOutbox outbox;
    private final ArduPilotLogSession session;
    private final LogBlock block;
    private boolean wasWished;

    /** @param first any frame of the vehicle */
    ArduPilotAutopilot(LinkContext context, FrameView first, Peer peer, VehicleOutbox outbox) {
        this.outbox = outbox;
        this.block = new LogBlock(first);
        this.session = new ArduPilotLogSession(
                context.sessionSettings(first.systemId(), first.componentId(), peer),
                context.feeds().logs(),
                context.sessionNumbers(),
                outbox,
                context.arduPilotCounters(),
                context.logs().resumable());
    }

    @Override
    public String name() {
        return "ArduPilot";
    }

    @Override
    public LogConversation conversation() {
        return session;
    }

    /** What it logs after it is disarmed is of the same drive. */
    @Override
    public long leadOutNs(ConversationSettings settings) {
        return Math.max(settings.leadOutNs(), LOGS_ON_NS);
    }

    @Override
    public boolean isLogOfOtherComponent(FrameView frame) {
        return frame.componentId() == LogBlock.COMPONENT_ID && frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK;
    }

    @Override
    public void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {
        // Who speaks MAVLink 1 may know nothing else. A PX4 speaks it until it hears MAVLink 2, and streams no log in
        // it.
        outbox.speak(frame.isV2() ? FrameSender.Version.V2 : FrameSender.Version.V1);
        session.onHeard(nowNs);
        if (frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            outbox.replyTo(from);
            session.onBlock(block.wrap(frame), nowNs);
        }
    }

    @Override
    public boolean onTick(boolean isArmed, boolean isWished, long nowNs) {
        boolean hasBegun = session.pollBegan();
        session.armed(isArmed);
        if (wasWished && !isWished) {
            session.endDrive(nowNs);
        }
        wasWished = isWished;
        return hasBegun;
    }

    /** Always: without a stream it refuses to arm. The mode only divides the log. */
    @Override
    public boolean isAskedFor(boolean isWished) {
        return true;
    }
}
