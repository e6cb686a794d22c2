package org.mavlogd.simulate.px4;

/**
 * Plays the data section of a log, once or repeatedly, with shifted timestamps. Owned by the vehicle's thread. Hot
 * path.
 *
 * <p>In later laps all timestamps are later than in the lap before, and subscriptions are not repeated.
 */
final class LogReel {
    private static final int MAX_MESSAGE_LENGTH = LogImage.MESSAGE_HEADER_LENGTH + 65535;

    private final LogImage log;
    private final boolean loops;
    private final byte[] moved = new byte[MAX_MESSAGE_LENGTH];
    private int message;
    private long lap;
    private long shiftUs;

    private byte[] bytes = moved;
    private int start;
    private int end;

    LogReel(LogImage log, boolean loops) {
        this.log = log;
        this.loops = loops && log.firstData() < log.firstPostFlight();
        message = log.firstPostFlight();
    }

    /** Returns to the first message. */
    void rewind(long newShiftUs) {
        message = log.firstData();
        lap = 0;
        shiftUs = newShiftUs;
    }

    boolean atEnd() {
        return message >= log.firstPostFlight();
    }

    /** Time of the next message, relative to the first one. */
    long dueUs() {
        return log.dueUs(message) + lap * log.lapUs();
    }

    byte type() {
        return log.type(message);
    }

    int length() {
        return log.end(message) - log.start(message);
    }

    void skip() {
        message++;
        while (atEnd() && loops) {
            message = log.firstData();
            lap++;
        }
        while (lap > 0 && type() == 'A') {
            message++; // the first message of the data section is no 'A', so a lap is never empty
            if (atEnd()) {
                message = log.firstData();
                lap++;
            }
        }
    }

    /** Moves to the next message: {@link #bytes} from {@link #start} to {@link #end}, valid until the next call. */
    void take() {
        bytes = log.bytes();
        start = log.start(message);
        end = log.end(message);
        long totalShiftUs = shiftUs + lap * log.lapUs();
        int timeOffset = totalShiftUs == 0 ? 0 : LogImage.Times.timeOffset(bytes, start, end);
        if (timeOffset != 0) {
            move(timeOffset, totalShiftUs);
        }
        skip();
    }

    private void move(int timeOffset, long totalShiftUs) {
        int length = end - start;
        System.arraycopy(bytes, start, moved, 0, length);
        // Samples from before the log's start must not get a time before the vehicle's boot.
        LogImage.Times.put(moved, timeOffset, Math.max(0, LogImage.Times.get(moved, timeOffset) + totalShiftUs));
        bytes = moved;
        start = 0;
        end = length;
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }
}
