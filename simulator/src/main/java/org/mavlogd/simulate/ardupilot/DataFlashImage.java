package org.mavlogd.simulate.ardupilot;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.mavlogd.bytes.LittleEndian;

/**
 * An ArduPilot log (.bin) for streaming: its complete messages with the times of their logging. Immutable.
 *
 * <p>A message starts with A3 95 and its type; FMT messages define the length of the others, and which of them start
 * with their time in microseconds. Messages without a time get that of the previous message. Other bytes are ignored.
 */
public final class DataFlashImage {
    /** Longest message: lengths have 8 bits. */
    public static final int MAX_MESSAGE_LENGTH = 255;

    static final int TIME_OFFSET = 3;

    private static final byte HEAD_1 = (byte) 0xA3;
    private static final byte HEAD_2 = (byte) 0x95;
    private static final int FMT = 128;
    private static final int FMT_LENGTH = 89;
    private static final int FMT_TYPE = 3;
    private static final int FMT_MESSAGE_LENGTH = 4;
    private static final int FMT_FORMAT = 9;
    private static final int FMT_LABELS = 25;
    private static final int TYPES = 256;
    private static final int MAX_BYTES = 1 << 30;
    private static final byte[] TIME_LABEL = "TimeUS".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;
    private int[] offsets = new int[1024];
    private long[] timesUs = new long[1024];
    private byte[] lengths = new byte[1024];
    private boolean[] timed = new boolean[1024];
    private int count;

    private DataFlashImage(byte[] bytes) {
        this.bytes = bytes;
        index();
    }

    /** Creates an image of the bytes of a file. */
    public static DataFlashImage of(byte[] bytes) {
        return new DataFlashImage(bytes.clone());
    }

    /**
     * Reads a .bin file, which may be compressed with gzip.
     *
     * @throws IOException if it cannot be read, is larger than 1 GiB, or has no message
     */
    public static DataFlashImage read(Path path) throws IOException {
        try (InputStream file = new BufferedInputStream(Files.newInputStream(path))) {
            file.mark(2);
            boolean zipped = file.read() == 0x1F && file.read() == 0x8B;
            file.reset();
            InputStream in = zipped ? new GZIPInputStream(file) : file;
            byte[] bytes = in.readNBytes(MAX_BYTES);
            if (in.read() >= 0) {
                throw new IOException(path + ": larger than " + MAX_BYTES + " bytes");
            }
            DataFlashImage image = new DataFlashImage(bytes);
            if (image.count() == 0) {
                throw new IOException(path + ": no message of a DataFlash log in it");
            }
            return image;
        }
    }

    private void index() {
        int[] typeLengths = new int[TYPES];
        boolean[] timedTypes = new boolean[TYPES];
        typeLengths[FMT] = FMT_LENGTH;
        long timeUs = -1;
        int offset = 0;
        while (offset + TIME_OFFSET <= bytes.length) {
            int type = bytes[offset + 2] & 0xFF;
            int length = bytes[offset] == HEAD_1 && bytes[offset + 1] == HEAD_2 ? typeLengths[type] : 0;
            if (length < TIME_OFFSET || offset + length > bytes.length) {
                offset++;
                continue;
            }
            if (type == FMT) {
                int defined = bytes[offset + FMT_TYPE] & 0xFF;
                typeLengths[defined] = bytes[offset + FMT_MESSAGE_LENGTH] & 0xFF;
                timedTypes[defined] = isTimed(offset);
            }
            boolean isTimed = timedTypes[type] && length >= TIME_OFFSET + Long.BYTES;
            timeUs = isTimed ? time(offset) : timeUs;
            add(offset, length, Math.max(0, timeUs), isTimed);
            offset += length;
        }
        startWithFirstTime();
    }

    /** Messages before the first time get that time. */
    private void startWithFirstTime() {
        int first = 0;
        while (first < count && !timed[first]) {
            first++;
        }
        if (first < count) {
            Arrays.fill(timesUs, 0, first, timesUs[first]);
        }
    }

    private boolean isTimed(int fmt) {
        return bytes[fmt + FMT_FORMAT] == 'Q'
                && Arrays.equals(
                        bytes,
                        fmt + FMT_LABELS,
                        fmt + FMT_LABELS + TIME_LABEL.length,
                        TIME_LABEL,
                        0,
                        TIME_LABEL.length);
    }

    private long time(int offset) {
        return LittleEndian.int64(bytes, offset + TIME_OFFSET);
    }

    private void add(int offset, int length, long timeUs, boolean isTimed) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            timesUs = Arrays.copyOf(timesUs, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            timed = Arrays.copyOf(timed, 2 * count);
        }
        offsets[count] = offset;
        // Late messages get the latest time so far: time never runs back.
        timesUs[count] = count == 0 ? timeUs : Math.max(timeUs, timesUs[count - 1]);
        lengths[count] = (byte) length;
        timed[count] = isTimed;
        count++;
    }

    /** All bytes of the file, which must not be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** Number of messages. */
    public int count() {
        return count;
    }

    /** Length of a message. */
    int length(int message) {
        return lengths[message] & 0xFF;
    }

    /** Time when a message was logged, in the vehicle's microseconds. */
    public long timeUs(int message) {
        return timesUs[message];
    }

    /** Time from the first message with a time to the last. */
    long durationUs() {
        return count == 0 ? 0 : timesUs[count - 1] - timesUs[0];
    }

    /** Copies a message with its time shifted; returns its length. */
    public int copy(int message, long laterUs, byte[] target) {
        int length = length(message);
        System.arraycopy(bytes, offsets[message], target, 0, length);
        if (timed[message] && laterUs != 0) {
            long timeUs = time(offsets[message]) + laterUs;
            LittleEndian.putInt64(target, TIME_OFFSET, timeUs);
        }
        return length;
    }
}
