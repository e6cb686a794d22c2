package org.mavlogd.simulate.px4;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * A ULog file in memory, cut into its messages and sections: the source of a simulated vehicle's stream.
 *
 * <p>Sections are those of the stream, not of the file format: the definitions reach up to the first message that can
 * only stand among data, so that the subscriptions before it belong to them; the 'M' messages that end the file are what
 * the vehicle logged after it was told to stop. Immutable; any number of vehicles may share one.
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
        LogTimes times = LogTimes.of(bytes, starts, firstData, firstPostFlight);
        dueUs = times.dueUs();
        zeroUs = times.zeroUs();
        lapUs = times.lapUs();
    }

    /** Reads a {@code .ulg} file, also gzipped. An unfinished or unreadable tail is left out and counted. */
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

    /** The log in {@code content}, which must not change afterwards. */
    public static LogImage of(byte[] content) {
        if (content.length < HEADER_LENGTH || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("not a ULog file: the header is missing");
        }
        return new LogImage(content, MessageIndex.of(content));
    }

    /** Length of everything that can be streamed. */
    public int length() {
        return starts[messageCount];
    }

    /** Bytes at the end of the file that are no whole message. */
    public int ignoredTailBytes() {
        return ignoredTailBytes;
    }

    /** Header, definitions and first subscriptions, in bytes. */
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

    /** The header's time: when the log was started, by the vehicle's clock. */
    public long startTimeUs() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(HEADER_TIME_OFFSET);
    }

    /** The file header with another start time. */
    byte[] header(long startTimeUs) {
        byte[] header = Arrays.copyOf(bytes, HEADER_LENGTH);
        ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putLong(HEADER_TIME_OFFSET, startTimeUs);
        return header;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** First message of the data section; those before are definitions. */
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

    /** When a message of the data section is logged, counted from the first one; never decreases. */
    long dueUs(int message) {
        return dueUs[message - firstData];
    }

    /** What the vehicle's clock showed when the first message of the data section was logged. */
    long zeroUs() {
        return zeroUs;
    }

    /** By how much all times grow when the data section is played once more. */
    long lapUs() {
        return lapUs;
    }
}
