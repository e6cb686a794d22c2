package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;
import org.mavlogd.vehicle.px4.Px4LogSession;
import org.mavlogd.vehicle.px4.Px4SessionSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PX4, which streams its log in LOGGING_DATA and LOGGING_DATA_ACKED. Owned by the link's thread. Hot path. */
final class Px4Autopilot implements Autopilot {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);

    private final String link;
    private final Px4SessionSettings settings;
    private final SourceLock source;
    private final VehicleOutbox outbox;
    private final HeaderSequence headerSequence = new HeaderSequence();
    private final Px4LogSession session;

    Px4Autopilot(LinkContext context, int systemId, int componentId, SourceLock source, VehicleOutbox outbox) {
        this.link = context.link();
        this.settings = new Px4SessionSettings(
                systemId,
                componentId,
                context.settings().ownComponentId(),
                context.settings().silenceNs());
        this.source = source;
        this.outbox = outbox;
        this.session = new Px4LogSession(
                settings,
                context.feeds().logs(),
                context.sessionNumbers(),
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
                outbox.replyTo(from);
                session.onChunk(chunk, headerSequence.trail(), nowNs);
            }
            case MessageIds.COMMAND_ACK -> onCommandAck(CommandAck.decode(frame), nowNs);
            default -> {}
        }
    }

    private void onCommandAck(CommandAck ack, long nowNs) {
        // Both are 0 when the vehicle's MAVLink is older than the target fields.
        boolean forUs = (ack.targetSystem() == 0 && ack.targetComponent() == 0)
                || (ack.targetSystem() == settings.systemId() && ack.targetComponent() == settings.ownComponentId());
        if (forUs) {
            session.onCommandAck(ack.command(), ack.result(), nowNs);
        }
    }

    @Override
    public @Nullable BulkRule bulk() {
        return session.isStreaming() ? LogDataRule.INSTANCE : null;
    }

    @Override
    public boolean onTick(boolean isArmed, boolean isWished, long nowNs) {
        session.armed(isArmed);
        boolean isResumed = session.pollResumed();
        if (isResumed) {
            LOG.info("{}: vehicle {}: its log of the run before goes on", link, settings.systemId());
        }
        return isResumed;
    }
}
