package org.mavlogd.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** A log's bytes, built or read without the code under test. */
public final class LogBytes {
    public static final int HEADER_LENGTH = 16;
    public static final int MESSAGE_HEADER_LENGTH = 3;
    static final int CHUNK_LENGTH = 249;
    public static final int NO_START = 255;

    private static final Pattern OWN_INFO = Pattern.compile("[^ ]+ (recorder|recorder_[a-z_]+|log_part|log_previous)");

    /** One message; offset and length include its header, the time is -1 if it has none. */
    record Message(char type, int offset, int length, long timestampUs) {
        int end() {
            return offset + length;
        }
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private LogBytes() {}

    /** A header and flag bits. */
    static LogBytes startedAt(long timeUs) {
        LogBytes log = new LogBytes();
        log.bytes.writeBytes(new byte[] {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1});
        log.bytes.writeBytes(little(timeUs));
        return log.message('B', new byte[40]);
    }

    /** Adds a topic with a time and 50 bytes, under id 7. */
    static LogBytes withTopic() {
        return startedAt(1_000_000)
                .format("x:uint64_t timestamp;uint8_t[50] v;")
                .subscription(7, "x");
    }

    public static byte[] little(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    public static byte[] encoded(int type, byte[] payload) {
        ByteBuffer buffer =
                ByteBuffer.allocate(MESSAGE_HEADER_LENGTH + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        return buffer.putShort((short) payload.length)
                .put((byte) type)
                .put(payload)
                .array();
    }

    LogBytes message(char type, byte[] payload) {
        bytes.writeBytes(encoded(type, payload));
        return this;
    }

    LogBytes format(String text) {
        return message('F', text.getBytes(StandardCharsets.US_ASCII));
    }

    LogBytes subscription(int id, String topic) {
        return subscription(0, id, topic);
    }

    LogBytes subscription(int multiId, int id, String topic) {
        byte[] name = topic.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer payload = ByteBuffer.allocate(3 + name.length).order(ByteOrder.LITTLE_ENDIAN);
        return message(
                'A', payload.put((byte) multiId).putShort((short) id).put(name).array());
    }

    /** {@code key} is type and name, such as {@code float X}. */
    LogBytes parameter(String key, int bits) {
        byte[] text = key.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer payload = ByteBuffer.allocate(1 + text.length + 4).order(ByteOrder.LITTLE_ENDIAN);
        return message(
                'P', payload.put((byte) text.length).put(text).putInt(bits).array());
    }

    LogBytes sample(long timestampUs) {
        return sample(7, timestampUs);
    }

    LogBytes sample(int id, long timestampUs) {
        ByteBuffer payload = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
        return message('D', payload.putShort((short) id).putLong(timestampUs).array());
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    /** The log that the project ships for its demo, recorded from a vehicle without loss. */
    static byte[] rover() {
        Path file = Path.of(System.getProperty("basedir", "."), "../simulator/src/demo/11_rover_ackermann.ulg.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cuts a log into messages; an incomplete last message is left out. */
    static List<Message> messages(byte[] log) {
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        List<Message> messages = new ArrayList<>();
        Set<String> timedTopics = new HashSet<>();
        Map<Integer, Boolean> timedIds = new HashMap<>();
        int offset = HEADER_LENGTH;
        while (log.length - offset >= MESSAGE_HEADER_LENGTH) {
            int length = MESSAGE_HEADER_LENGTH + (buffer.getShort(offset) & 0xFFFF);
            if (length > log.length - offset) {
                break;
            }
            char type = (char) log[offset + 2];
            int payload = offset + MESSAGE_HEADER_LENGTH;
            long timestampUs = -1;
            if (type == 'F') {
                String text = text(log, payload, offset + length);
                if (text.contains(":uint64_t timestamp;")) {
                    timedTopics.add(text.substring(0, text.indexOf(':')));
                }
            } else if (type == 'A') {
                String topic = text(log, payload + 3, offset + length);
                timedIds.put(buffer.getShort(payload + 1) & 0xFFFF, timedTopics.contains(topic));
            } else if (type == 'D' && timedIds.getOrDefault(buffer.getShort(payload) & 0xFFFF, false)) {
                timestampUs = buffer.getLong(payload + 2);
            } else if (type == 'L') {
                timestampUs = buffer.getLong(payload + 1);
            }
            messages.add(new Message(type, offset, length, timestampUs));
            offset += length;
        }
        return messages;
    }

    /** The types of all messages as one string. */
    static String types(byte[] log) {
        StringBuilder types = new StringBuilder();
        messages(log).forEach(message -> types.append(message.type()));
        return types.toString();
    }

    /** The key of an info or a parameter, such as {@code int32_t log_part}. */
    static String infoKey(byte[] log, Message info) {
        int key = info.offset() + MESSAGE_HEADER_LENGTH + 1;
        return text(log, key, key + (log[key - 1] & 0xFF));
    }

    /** Whether the recorder added this message. */
    static boolean isOwnInfo(byte[] log, Message message) {
        return message.type() == 'I' && OWN_INFO.matcher(infoKey(log, message)).matches();
    }

    /** The log without the infos that the recorder added. */
    public static byte[] fromVehicle(byte[] log) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(log, 0, HEADER_LENGTH);
        for (Message message : messages(log)) {
            boolean own = message.type() == 'I'
                    && OWN_INFO.matcher(infoKey(log, message)).matches();
            if (!own) {
                out.write(log, message.offset(), message.length());
            }
        }
        return out.toByteArray();
    }

    private static String text(byte[] log, int begin, int end) {
        return new String(log, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    /**
     * For chunks of the given length: the offset of the first message in each, {@link #NO_START} if none starts in it.
     */
    static int[] firstMessageOffsets(byte[] log, int chunkLength) {
        int[] offsets = new int[(log.length + chunkLength - 1) / chunkLength];
        Arrays.fill(offsets, NO_START);
        for (Message message : messages(log)) {
            int chunk = message.offset() / chunkLength;
            offsets[chunk] = Math.min(offsets[chunk], message.offset() % chunkLength);
        }
        offsets[0] = 0; // PX4 reports 0 for the very first chunk, which starts with the file header
        return offsets;
    }
}
