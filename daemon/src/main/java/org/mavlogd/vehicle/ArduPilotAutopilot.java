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
 * An ArduPilot. It streams its log in REMOTE_LOG_DATA_BLOCK from a component of its own, and may use MAVLink 1. Owned
 * by the link's thread. Hot path.
 */
final class ArduPilotAutopilot implements Autopilot {
    // ArduPilot continues to log for 15 s after disarming, whatever LOG_DISARMED is set to.
    private static final long LOGS_ON_NS = TimeUnit.SECONDS.toNanos(16);

    private final VehicleOutbox outbox;
    private final LogClaim claim;
    private final ArduPilotLogSession session;
    private final LogBlock block;
    private boolean wasWished;

    /** @param first any frame of the vehicle */
    ArduPilotAutopilot(LinkContext context, FrameView first, Peer peer, VehicleOutbox outbox, LogClaim claim) {
        this.outbox = outbox;
        this.claim = claim;
        this.block = new LogBlock(first);
        this.session = new ArduPilotLogSession(
                context.sessionSettings(first.systemId(), first.componentId(), peer),
                context.feeds().logs(),
                context.newLogs(),
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

    /** Long enough for the data that ArduPilot logs after it is disarmed. */
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
        // A vehicle that sends MAVLink 1 may not understand MAVLink 2. Only ArduPilot needs this: PX4 sends MAVLink 1
        // until it receives MAVLink 2, and never streams a log in it.
        outbox.speak(frame.isV2() ? FrameSender.Version.V2 : FrameSender.Version.V1);
        session.onHeard(nowNs);
        if (frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK && !claim.isLeft(session, nowNs)) {
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

    /**
     * Always true: ArduPilot refuses to arm without a stream. The mode only decides where one log ends and the next
     * begins.
     */
    @Override
    public boolean isAskedFor(boolean isWished) {
        return true;
    }
}
