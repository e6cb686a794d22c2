package org.mavlogd.simulate.px4;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds small logs. Parameters contain only what a test cares about; the rest has defaults. */
public final class TestLog {
    private static final byte[] MAGIC = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private TestLog() {}

    public static TestLog startedAt(long timeUs) {
        TestLog log = new TestLog();
        log.bytes.writeBytes(MAGIC);
        byte[] time = new byte[8];
        LogImage.Times.put(time, 0, timeUs);
        log.bytes.writeBytes(time);
        return log;
    }

    /**
     * A log with one format, one subscription, and {@code samples} samples of 100 bytes, one every {@code periodUs}.
     */
    public static TestLog withSamples(int samples, long periodUs) {
        TestLog log = startedAt(1_000_000)
                .message('F', "x:uint64_t timestamp;uint8_t[87] v;")
                .subscribe(0);
        for (int i = 0; i < samples; i++) {
            log.sample(0, 2_000_000 + i * periodUs, 87);
        }
        return log;
    }

    TestLog message(char type, byte[] content) {
        bytes.write(content.length);
        bytes.write(content.length >> 8);
        bytes.write(type);
        bytes.writeBytes(content);
        return this;
    }

    TestLog message(char type, String content) {
        return message(type, content.getBytes(StandardCharsets.US_ASCII));
    }

    public TestLog subscribe(int id) {
        return message('A', new byte[] {0, (byte) id, 0, 'x'});
    }

    public TestLog sample(int id, long timeUs, int valueLength) {
        byte[] content = new byte[10 + valueLength];
        content[0] = (byte) id;
        LogImage.Times.put(content, 2, timeUs);
        for (int i = 10; i < content.length; i++) {
            content[i] = (byte) (timeUs / 1000 + i);
        }
        return message('D', content);
    }

    public TestLog text(long timeUs, String text) {
        byte[] characters = text.getBytes(StandardCharsets.US_ASCII);
        byte[] content = Arrays.copyOf(new byte[] {'6'}, 9 + characters.length);
        LogImage.Times.put(content, 1, timeUs);
        System.arraycopy(characters, 0, content, 9, characters.length);
        return message('L', content);
    }

    public TestLog postFlight(String text) {
        return message('M', "\0\7char[] " + text);
    }

    public TestLog raw(byte... more) {
        bytes.writeBytes(more);
        return this;
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    public LogImage image() {
        return LogImage.of(toBytes());
    }
}
