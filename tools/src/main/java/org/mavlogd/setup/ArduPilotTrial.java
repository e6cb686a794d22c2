package org.mavlogd.setup;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.setup.LogStream.Outcome;
import org.mavlogd.vehicle.ardupilot.LogBlock;

/**
 * Sends START to an ArduPilot, receives blocks for a moment, and sends STOP. It confirms neither, so only blocks show
 * the result.
 */
final class ArduPilotTrial extends LogTrial {
    private static final long WAIT_NS = 6 * SECOND_NS;
    private static final long STOP_AGAIN_NS = SECOND_NS / 5;
    /** It repeats unacknowledged blocks ten times a second: after a longer silence it has stopped. */
    private static final long QUIET_NS = SECOND_NS / 2;

    private static final int MIN_STOPS = 3;
    private static final int MAX_STOPS = 15;
    /** A log that START began begins with block 0, of which a few may be lost. */
    private static final long MAX_FIRST_NUMBER = 100;

    private static final int MAX_PAYLOAD_LENGTH = 255;

    private final Vehicle vehicle;
    private final long beganNs;
    private final byte[] payload = new byte[MAX_PAYLOAD_LENGTH];
    private long sentNs;
    private long blockNs;
    private int stops;
    private boolean isStopping;
    private boolean isLeft;

    ArduPilotTrial(Vehicle vehicle, Sender sender, long nowNs) {
        super(vehicle, sender);
        this.vehicle = vehicle;
        this.beganNs = nowNs;
        conclude(Outcome.NO_DATA);
        say(LogBlockStatus.START, nowNs);
    }

    @Override
    void onOther(FrameView frame, long nowNs) {
        boolean isBlock =
                frame.componentId() == LogBlock.COMPONENT_ID && frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK;
        if (isLeft || !isBlock) {
            return;
        }
        long number = frame.uint32(LogBlockLayout.NUMBER_OFFSET);
        // A recorder has the same component id. ArduPilot ignores START while it sends its log.
        boolean isOurs = frame.uint8(LogBlockLayout.TARGET_COMPONENT) == Vehicle.OWN_COMPONENT
                && (isFlowing() || number <= MAX_FIRST_NUMBER);
        if (isOurs) {
            onBlock(number, nowNs);
        } else if (!isFlowing()) {
            conclude(Outcome.ELSEWHERE);
            isLeft = true;
        }
    }

    private void onBlock(long number, long nowNs) {
        blockNs = nowNs;
        int length =
                LogBlockStatus.encode(payload, vehicle.systemId(), vehicle.componentId(), number, LogBlockStatus.ACK);
        send(MessageIds.REMOTE_LOG_BLOCK_STATUS, payload, length);
        if (!isStopping) {
            conclude(Outcome.FLOWS);
            received(LogBlockLayout.DATA_LENGTH, nowNs);
        }
    }

    @Override
    boolean onTick(long nowNs) {
        if (isLeft) {
            return true;
        }
        if (isStopping) {
            return isStopped(nowNs);
        }
        if (isMeasured(nowNs) || (!isFlowing() && nowNs - beganNs >= WAIT_NS)) {
            stop(nowNs);
        } else if (!isFlowing() && nowNs - sentNs >= SECOND_NS) {
            say(LogBlockStatus.START, nowNs);
        }
        return false;
    }

    private boolean isStopped(long nowNs) {
        boolean isQuiet = stops >= MIN_STOPS && nowNs - blockNs >= QUIET_NS && nowNs - sentNs >= STOP_AGAIN_NS;
        if (isQuiet || stops >= MAX_STOPS) {
            return true;
        }
        if (nowNs - sentNs >= STOP_AGAIN_NS) {
            sayStop(nowNs);
        }
        return false;
    }

    @Override
    void stop(long nowNs) {
        if (!isFlowing()) {
            // STOP might end the log of another program. A log of ours that starts unnoticed ends without
            // acknowledgements.
            isLeft = true;
        } else if (!isStopping) {
            isStopping = true;
            sayStop(nowNs);
        }
    }

    private void sayStop(long nowNs) {
        stops++;
        say(LogBlockStatus.STOP, nowNs);
    }

    private void say(long what, long nowNs) {
        sentNs = nowNs;
        int length =
                LogBlockStatus.encode(payload, vehicle.systemId(), vehicle.componentId(), what, LogBlockStatus.ACK);
        send(MessageIds.REMOTE_LOG_BLOCK_STATUS, payload, length);
    }
}
