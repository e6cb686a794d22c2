package org.mavlogd.vehicle;

import org.mavlogd.feed.FrameTrail;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;
import org.mavlogd.vehicle.px4.Px4LogSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PX4, which streams its log in LOGGING_DATA and LOGGING_DATA_ACKED. Owned by the link's thread. Hot path. */
final class Px4Autopilot implements Autopilot {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);

    private final String link;
    private final LogConversation.Settings settings;
    private final SourceLock source;
    private final VehicleOutbox outbox;
    private final LogClaim claim;
    private final HeaderSequence headerSequence = new HeaderSequence();
    private final Px4LogSession session;

    Px4Autopilot(
            LinkContext context,
            int systemId,
            int componentId,
            SourceLock source,
            VehicleOutbox outbox,
            LogClaim claim) {
        this.link = context.link();
        this.settings = context.sessionSettings(systemId, componentId, source.holder());
        this.source = source;
        this.outbox = outbox;
        this.claim = claim;
        this.session = new Px4LogSession(
                settings,
                context.feeds().logs(),
                context.newLogs(),
                outbox,
                context.px4Counters(),
                context.logs().resumable());
    }

    @Override
    public String name() {
        return "PX4";
    }

    @Override
    public LogConversation conversation() {
        return session;
    }

    @Override
    public void onNewLink() {
        session.onNewLink();
    }

    @Override
    public void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {
        if (from == source.holder()) {
            headerSequence.onFrame(frame.sequence(), nowNs);
        }
        session.onHeard(nowNs);
        switch (frame.messageId()) {
            case MessageIds.LOGGING_DATA, MessageIds.LOGGING_DATA_ACKED -> {
                if (!claim.isLeft(session, nowNs)) {
                    outbox.replyTo(from);
                    session.onChunk(chunk, headerSequence.trail(), nowNs);
                }
            }
            case MessageIds.COMMAND_ACK -> onCommandAck(CommandAck.decode(frame), nowNs);
            default -> {}
        }
    }

    private void onCommandAck(CommandAck ack, long nowNs) {
        // Both are 0 if the vehicle's MAVLink is older than these target fields.
        boolean forUs = (ack.targetSystem() == 0 && ack.targetComponent() == 0)
                || (ack.targetSystem() == settings.systemId() && ack.targetComponent() == settings.ownComponentId());
        if (forUs) {
            session.onCommandAck(ack.command(), ack.result(), nowNs);
        }
    }

    @Override
    public boolean onTick(boolean isArmed, boolean isWished, long nowNs) {
        session.armed(isArmed);
        boolean isResumed = session.pollResumed();
        if (isResumed) {
            LOG.info("{}: vehicle {}: the log of the previous run continues", link, settings.systemId());
        }
        return isResumed;
    }

    /**
     * Numbers the MAVLink frames of one sender by the 8-bit sequence in their headers, and remembers which of the last
     * 64 arrived. A late frame, overtaken on the way or swapped by the sender, is entered at its own place. Hot path.
     */
    static final class HeaderSequence {
        private static final int RANGE = 256;
        private static final int MEMORY = Long.SIZE;
        // Frames overtake each other by a few places, within some milliseconds. Any other frame that seems to be behind
        // is ahead, after a gap that 8 bits cannot show.
        private static final long LATE_NS = 150_000_000;

        private boolean started;
        private int newest;
        private long newestNs;
        // Bit i: whether frame "newest - i" arrived.
        private long arrived;
        private int last;

        void onFrame(int sequence, long nowNs) {
            int ahead = (sequence - newest) & (RANGE - 1);
            if (!started) {
                started = true;
                newest = sequence;
                arrived = 1;
            } else if (ahead > RANGE - MEMORY && nowNs - newestNs < LATE_NS) {
                int behind = RANGE - ahead;
                arrived |= 1L << behind;
                last = newest - behind;
                return;
            } else {
                newest += ahead;
                arrived = (ahead < MEMORY ? arrived << ahead : 0) | 1;
            }
            newestNs = nowNs;
            last = newest;
        }

        /** The last frame, and which frames before it have arrived by now: see {@link FrameTrail}. */
        long trail() {
            int behind = newest - last;
            return FrameTrail.of(last, behind == MEMORY - 1 ? 0 : arrived >>> (behind + 1));
        }
    }
}
