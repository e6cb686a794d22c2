package org.mavlogd.series;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A ULog built message by message, including what no writer writes. */
public final class RawLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public RawLog() {
        bytes.writeBytes(new byte[] {'U', 'L', 'o', 'g', 1, 0x12, 0x35, 1});
        bytes.writeBytes(little(8).putLong(1000).array());
        message('B', new byte[40]);
    }

    public RawLog message(char type, byte[] payload) {
        bytes.writeBytes(
                little(3).putShort((short) payload.length).put((byte) type).array());
        bytes.writeBytes(payload);
        return this;
    }

    public RawLog format(String text) {
        return message('F', text.getBytes(StandardCharsets.UTF_8));
    }

    public RawLog subscribe(String name, int instance, int id) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return message(
                'A',
                little(3 + text.length)
                        .put((byte) instance)
                        .putShort((short) id)
                        .put(text)
                        .array());
    }

    public RawLog info(String key, String value) {
        String full = "char[" + value.length() + "] " + key;
        byte[] text = (full + value).getBytes(StandardCharsets.UTF_8);
        return message(
                'I', little(1 + text.length).put((byte) full.length()).put(text).array());
    }

    /** Writes an info of type uint64_t. */
    public RawLog integer(String key, long value) {
        byte[] text = ("uint64_t " + key).getBytes(StandardCharsets.UTF_8);
        return message(
                'I',
                little(9 + text.length)
                        .put((byte) text.length)
                        .put(text)
                        .putLong(value)
                        .array());
    }

    public RawLog text(char level, long timeUs, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        return message(
                'L',
                little(9 + content.length)
                        .put((byte) level)
                        .putLong(timeUs)
                        .put(content)
                        .array());
    }

    /** Writes a sample of a topic {@code uint64_t timestamp;float a;double[2] b;}. */
    public RawLog sample(int id, long timeUs, float a, double b0, double b1) {
        return message(
                'D',
                little(30)
                        .putShort((short) id)
                        .putLong(timeUs)
                        .putFloat(a)
                        .putDouble(b0)
                        .putDouble(b1)
                        .array());
    }

    public RawLog raw(byte[] damage) {
        bytes.writeBytes(damage);
        return this;
    }

    public int length() {
        return bytes.size();
    }

    public byte[] bytes() {
        return bytes.toByteArray();
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
