package org.mavlogd.simulate.px4;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.mavlogd.bytes.LittleEndian;

/**
 * A ULog file in memory, split into messages and sections: the source of a simulated vehicle's stream.
 *
 * <p>Sections are those of the stream, not of the file format: the definitions end before the first message that is
 * only allowed among data, so they include the subscriptions before it; the 'M' messages at the end of the file are
 * those that the vehicle logged after it was told to stop. Immutable; vehicles may share one.
 */
public final class LogImage {
    static final int HEADER_LENGTH = 16;
    static final int MESSAGE_HEADER_LENGTH = 3;

    private static final byte[] MAGIC = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35};
    private static final int HEADER_TIME_OFFSET = 8;
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int MAX_LENGTH = 1 << 30;

    private final byte[] bytes;
    private final int[] starts;
    private final long[] dueUs;
    private final int messageCount;
    private final int firstData;
    private final int firstPostFlight;
    private final int ignoredTailBytes;
    private final long zeroUs;
    private final long lapUs;

    private LogImage(byte[] bytes, MessageIndex index) {
        this.bytes = bytes;
        starts = index.starts();
        messageCount = index.count();
        firstData = index.firstData();
        firstPostFlight = index.firstPostFlight();
        ignoredTailBytes = bytes.length - starts[messageCount];
        Times times = Times.of(bytes, starts, firstData, firstPostFlight);
        dueUs = times.dueUs();
        zeroUs = times.zeroUs();
        lapUs = times.lapUs();
    }

    /**
     * Reads a {@code .ulg} file, which may be compressed with gzip. An incomplete or unreadable end is ignored and
     * counted.
     */
    public static LogImage read(Path file) throws IOException {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(2);
            boolean gzipped = ((raw.read() << 8) | raw.read()) == GZIP_MAGIC;
            raw.reset();
            InputStream plain = gzipped ? new GZIPInputStream(raw) : raw;
            byte[] content = plain.readNBytes(MAX_LENGTH + 1);
            if (content.length > MAX_LENGTH) {
                throw new IOException(file + ": larger than " + MAX_LENGTH + " bytes");
            }
            return of(content);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Creates an image of {@code content}, which must not change afterwards. */
    public static LogImage of(byte[] content) {
        if (content.length < HEADER_LENGTH || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("not a ULog file: the header is missing");
        }
        return new LogImage(content, MessageIndex.of(content));
    }

    /** Length of all complete messages. */
    public int length() {
        return starts[messageCount];
    }

    /** Bytes at the end of the file that are not a complete message. */
    public int ignoredTailBytes() {
        return ignoredTailBytes;
    }

    /** Length of header, definitions and first subscriptions. */
    public int definitionsLength() {
        return starts[firstData];
    }

    public int dataLength() {
        return starts[firstPostFlight] - starts[firstData];
    }

    public int postFlightLength() {
        return length() - starts[firstPostFlight];
    }

    /** Time from the first to the last message of the data section. */
    public long dataDurationUs() {
        return firstPostFlight == firstData ? 0 : dueUs[firstPostFlight - firstData - 1];
    }

    /** Start of the log by the vehicle's clock, from the header. */
    public long startTimeUs() {
        return LittleEndian.int64(bytes, HEADER_TIME_OFFSET);
    }

    /** The file header with another start time. */
    byte[] header(long startTimeUs) {
        byte[] header = Arrays.copyOf(bytes, HEADER_LENGTH);
        LittleEndian.putInt64(header, HEADER_TIME_OFFSET, startTimeUs);
        return header;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** First message of the data section; the ones before are definitions. */
    int firstData() {
        return firstData;
    }

    /** First message after the data section. */
    int firstPostFlight() {
        return firstPostFlight;
    }

    public int messageCount() {
        return messageCount;
    }

    public int start(int message) {
        return starts[message];
    }

    int end(int message) {
        return starts[message + 1];
    }

    public byte type(int message) {
        return bytes[starts[message] + 2];
    }

    /** Time of a message of the data section, relative to the first one; never decreases. */
    long dueUs(int message) {
        return dueUs[message - firstData];
    }

    /** The vehicle's clock at the first message of the data section. */
    long zeroUs() {
        return zeroUs;
    }

    /** Offset of all times when the data section is played again. */
    long lapUs() {
        return lapUs;
    }

    /**
     * The start of each message of a log.
     *
     * @param starts position of each message; the entry after the last one is the end of the last complete message
     * @param count number of messages
     * @param firstData first message that is not a definition or a subscription before data
     * @param firstPostFlight first of the 'M' messages at the end; {@code count} if there are none
     */
    @SuppressWarnings("ArrayRecordComponent") // shared inside the package only, never changed, never compared
    private record MessageIndex(int[] starts, int count, int firstData, int firstPostFlight) {
        private static final String DEFINITION_TYPES = "BFIMPQA";

        static MessageIndex of(byte[] log) {
            int[] starts = new int[1024];
            int count = 0;
            int position = LogImage.HEADER_LENGTH;
            while (isMessageAt(log, position)) {
                if (count + 2 > starts.length) {
                    starts = Arrays.copyOf(starts, 2 * starts.length);
                }
                starts[count++] = position;
                position += lengthAt(log, position);
            }
            starts[count] = position;
            int firstData = 0;
            while (firstData < count && DEFINITION_TYPES.indexOf(log[starts[firstData] + 2]) >= 0) {
                firstData++;
            }
            int firstPostFlight = count;
            while (firstPostFlight > firstData && log[starts[firstPostFlight - 1] + 2] == 'M') {
                firstPostFlight--;
            }
            return new MessageIndex(Arrays.copyOf(starts, count + 1), count, firstData, firstPostFlight);
        }

        private static boolean isMessageAt(byte[] log, int position) {
            if (log.length - position < LogImage.MESSAGE_HEADER_LENGTH
                    || log.length - position < lengthAt(log, position)) {
                return false;
            }
            byte type = log[position + 2];
            return type > ' ' && type < 0x7f;
        }

        private static int lengthAt(byte[] log, int position) {
            return LogImage.MESSAGE_HEADER_LENGTH + LittleEndian.uint16(log, position);
        }
    }

    /**
     * The time at which each message of a data section was logged, from the timestamps inside.
     *
     * <p>PX4 puts a sample's timestamp directly after the message id. It is the time of the sample, often earlier than
     * that of its neighbours, so the log's clock is the highest timestamp so far. Messages without a time get the
     * previous one.
     *
     * @param dueUs for each message: microseconds since the first one
     * @param zeroUs the vehicle's clock at the first message, computed from the later ones
     * @param lapUs more than the span of all timestamps
     */
    @SuppressWarnings("ArrayRecordComponent") // shared inside the package only, never changed, never compared
    public record Times(long[] dueUs, long zeroUs, long lapUs) {
        /** A larger step is a damaged timestamp. */
        private static final long MAX_STEP_US = 24L * 3600 * 1_000_000;
        /** A longer pause is not one of the stream, such as that after a sample from before the log's start. */
        private static final long MAX_PAUSE_US = 10_000_000;

        private static final long BETWEEN_LAPS_US = 4000;

        static Times of(byte[] log, int[] starts, int from, int to) {
            long[] dueUs = new long[to - from];
            boolean started = false;
            long clockUs = 0;
            long lowestUs = 0;
            long due = 0;
            for (int message = from; message < to; message++) {
                int offset = timeOffset(log, starts[message], starts[message + 1]);
                long timeUs = offset == 0 ? -1 : get(log, starts[message] + offset);
                if (timeUs >= 0 && !started) {
                    started = true;
                    clockUs = timeUs;
                    lowestUs = timeUs;
                } else if (timeUs >= 0 && timeUs - clockUs <= MAX_STEP_US) {
                    due += Math.min(Math.max(0, timeUs - clockUs), MAX_PAUSE_US);
                    clockUs = Math.max(clockUs, timeUs);
                    lowestUs = Math.min(lowestUs, timeUs);
                }
                dueUs[message - from] = due;
            }
            // Pauses that were shortened are mostly at the start: use the clock after them.
            return new Times(dueUs, clockUs - due, Math.max(clockUs - lowestUs, due) + BETWEEN_LAPS_US);
        }

        /** Offset of the timestamp from the start of a message; 0 if there is none. */
        static int timeOffset(byte[] log, int start, int end) {
            int offset = switch (log[start + 2]) {
                case 'D' -> 5;
                case 'L' -> 4;
                case 'C' -> 6;
                default -> 0;
            };
            return start + offset + Long.BYTES <= end ? offset : 0;
        }

        public static long get(byte[] log, int index) {
            return LittleEndian.int64(log, index);
        }

        public static void put(byte[] log, int index, long timeUs) {
            LittleEndian.putInt64(log, index, timeUs);
        }
    }
}
