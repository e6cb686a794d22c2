package org.mavlogd.setup;

import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.setup.LogStream.Outcome;

/**
 * Sends START to a PX4, receives its log for a moment, and sends STOP until the vehicle confirms it.
 *
 * <p>If chunks are not acknowledged, PX4 stops its logger for 2.5 s, also for its SD card: so every chunk is
 * acknowledged, including those after STOP. A stream that another program receives is never stopped.
 */
final class Px4Trial extends LogTrial {
    private static final int MAX_STARTS = 4;
    private static final int MAX_STOPS = 6;
    private static final long STOP_AGAIN_NS = SECOND_NS / 2;
    private static final long QUIET_NS = SECOND_NS / 5;
    private static final long WAIT_NS = 3 * SECOND_NS;
    private static final int MAX_PAYLOAD_LENGTH = 255;

    private enum State {
        ASKING,
        ACCEPTED,
        STOPPING,
        DONE
    }

    private final Vehicle vehicle;
    private final byte[] payload = new byte[MAX_PAYLOAD_LENGTH];
    private State state = State.ASKING;
    private int starts;
    private int stops;
    private int rejections;
    private boolean isStopped;
    private long sentNs;
    private long acceptedNs;
    private long chunkNs;

    Px4Trial(Vehicle vehicle, Sender sender, long nowNs) {
        super(vehicle, sender);
        this.vehicle = vehicle;
        start(nowNs);
    }

    @Override
    void onOther(FrameView frame, long nowNs) {
        if (frame.componentId() != vehicle.componentId()) {
            return;
        }
        switch (frame.messageId()) {
            case MessageIds.COMMAND_ACK -> onAnswer(CommandAck.decode(frame), nowNs);
            case MessageIds.LOGGING_DATA, MessageIds.LOGGING_DATA_ACKED -> onChunk(frame, nowNs);
            default -> {}
        }
    }

    private void onChunk(FrameView frame, long nowNs) {
        // A recorder has the same component id: until PX4 accepts START, the stream is that of another program.
        boolean isOurs = frame.uint8(LogChunkLayout.TARGET_COMPONENT) == Vehicle.OWN_COMPONENT;
        if (!isOurs || state == State.ASKING || state == State.DONE) {
            return;
        }
        chunkNs = nowNs;
        if (frame.messageId() == MessageIds.LOGGING_DATA_ACKED) {
            int length = new LoggingAck(
                            vehicle.systemId(), vehicle.componentId(), frame.uint16(LogChunkLayout.SEQUENCE_OFFSET))
                    .encodePayload(payload);
            send(MessageIds.LOGGING_ACK, payload, length);
        }
        if (state != State.STOPPING) {
            conclude(Outcome.FLOWS);
            received(frame.uint8(LogChunkLayout.LENGTH_OFFSET), nowNs);
        }
    }

    private void onAnswer(CommandAck ack, long nowNs) {
        boolean isOurs = ack.targetComponent() == 0 || ack.targetComponent() == Vehicle.OWN_COMPONENT;
        if (isOurs && ack.command() == CommandLong.LOGGING_STOP && ack.result() != CommandAck.IN_PROGRESS) {
            isStopped = true;
        } else if (isOurs && ack.command() == CommandLong.LOGGING_START && state == State.ASKING) {
            onStartAnswer(ack.result(), nowNs);
        }
    }

    private void onStartAnswer(int result, long nowNs) {
        switch (result) {
            case CommandAck.ACCEPTED -> {
                state = State.ACCEPTED;
                acceptedNs = nowNs;
                conclude(Outcome.NO_DATA);
            }
            case CommandAck.IN_PROGRESS -> {}
            case CommandAck.TEMPORARILY_REJECTED -> rejections++;
            case CommandAck.DENIED -> refused(Outcome.DENIED);
            default -> refused(Outcome.UNSUPPORTED);
        }
    }

    private void refused(Outcome why) {
        conclude(why);
        state = State.DONE;
    }

    @Override
    boolean onTick(long nowNs) {
        switch (state) {
            case ASKING -> tickAsking(nowNs);
            case ACCEPTED -> {
                if (isMeasured(nowNs) || (!isFlowing() && nowNs - acceptedNs >= WAIT_NS)) {
                    stop(nowNs);
                }
            }
            case STOPPING -> tickStopping(nowNs);
            case DONE -> {}
        }
        return state == State.DONE;
    }

    private void tickAsking(long nowNs) {
        if (nowNs - sentNs < SECOND_NS) {
            return;
        }
        if (starts < MAX_STARTS) {
            start(nowNs);
        } else if (rejections > 0) {
            refused(Outcome.REJECTED);
        } else {
            refused(Outcome.UNANSWERED);
        }
    }

    private void tickStopping(long nowNs) {
        if (isStopped && nowNs - chunkNs >= QUIET_NS) {
            state = State.DONE;
        } else if (nowNs - sentNs >= STOP_AGAIN_NS) {
            if (stops >= MAX_STOPS) {
                state = State.DONE;
            } else {
                sendStop(nowNs);
            }
        }
    }

    @Override
    void stop(long nowNs) {
        if (state == State.ASKING) {
            // STOP might end the stream of another program. A stream of ours that starts unnoticed ends without
            // acknowledgements.
            state = State.DONE;
        } else if (state == State.ACCEPTED) {
            state = State.STOPPING;
            sendStop(nowNs);
        }
    }

    private void start(long nowNs) {
        starts++;
        sentNs = nowNs;
        command(CommandLong.LOGGING_START);
    }

    private void sendStop(long nowNs) {
        stops++;
        sentNs = nowNs;
        command(CommandLong.LOGGING_STOP);
    }

    /** Sends a command with all parameters 0: for START, param1 = 0 requests ULog. */
    private void command(int command) {
        int length = new CommandLong(command, 0, vehicle.systemId(), vehicle.componentId(), 0, 0, 0, 0, 0, 0, 0)
                .encodePayload(payload);
        send(MessageIds.COMMAND_LONG, payload, length);
    }
}
