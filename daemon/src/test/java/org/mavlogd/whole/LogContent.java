package org.mavlogd.whole;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.mavlogd.record.MergedLog;
import org.mavlogd.ulog.ULogLayout;

/**
 * A log file cut into header and messages, without the code under test. Separates the recorder's own additions (its
 * info messages and the dropouts) from the vehicle's data.
 */
public final class LogContent {
    private static final int HEADER_LENGTH = 16;
    private static final int MESSAGE_HEADER_LENGTH = 3;

    private static final Pattern OWN_INFO = Pattern.compile("[^ ]+ (recorder|recorder_[a-z_]+|log_part|log_previous)");

    /** One message; offset and length include its header. */
    public record Message(char type, int offset, int length) {}

    private final String name;
    private final byte[] bytes;
    private final List<Message> messages;
    // Header and complete messages; less than the file's length if its end is cut.
    private final int completeLength;

    private LogContent(String name, byte[] bytes, List<Message> messages, int completeLength) {
        this.name = name;
        this.bytes = bytes;
        this.messages = messages;
        this.completeLength = completeLength;
    }

    public String name() {
        return name;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public List<Message> messages() {
        return messages;
    }

    public static LogContent of(String name, byte[] bytes) {
        List<Message> messages = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int offset = HEADER_LENGTH;
        while (bytes.length - offset >= MESSAGE_HEADER_LENGTH) {
            int length = MESSAGE_HEADER_LENGTH + (buffer.getShort(offset) & 0xFFFF);
            if (length > bytes.length - offset || bytes[offset + 2] == 0) {
                break; // no message has type 0: these bytes never reached the disk
            }
            messages.add(new Message((char) bytes[offset + 2], offset, length));
            offset += length;
        }
        if (bytes.length - offset >= MESSAGE_HEADER_LENGTH && !messages.isEmpty() && isZero(bytes, offset - 1)) {
            // The message before these bytes may have reached the disk in part only, too.
            offset = messages.remove(messages.size() - 1).offset();
        }
        return new LogContent(name, bytes, messages, offset);
    }

    private static boolean isZero(byte[] bytes, int from) {
        return IntStream.range(from, bytes.length).allMatch(index -> bytes[index] == 0);
    }

    /** Length of the header and the complete messages. */
    public int completeLength() {
        return Math.min(completeLength, bytes.length);
    }

    public boolean isComplete() {
        return completeLength == bytes.length;
    }

    public long count(char type) {
        return messages.stream().filter(message -> message.type() == type).count();
    }

    /** Header and messages as the vehicle sent them. */
    public byte[] fromVehicle() {
        LogContent rest = of(name, MergedLog.withoutLocal(bytes));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(rest.bytes, 0, HEADER_LENGTH);
        for (Message message : rest.messages) {
            if (message.type() != 'O' && !rest.isRecorderInfo(message)) {
                out.write(rest.bytes, message.offset(), message.length());
            }
        }
        return out.toByteArray();
    }

    public boolean isRecorderInfo(Message message) {
        int key = message.offset() + MESSAGE_HEADER_LENGTH + 1;
        return message.type() == 'I'
                && OWN_INFO.matcher(new String(bytes, key, bytes[key - 1] & 0xFF, StandardCharsets.ISO_8859_1))
                        .matches();
    }

    /** Every message as a string with one character per byte, for lookups. */
    public List<String> texts() {
        return messages.stream()
                .map(message -> new String(bytes, message.offset(), message.length(), StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** The gaps that are marked. A long one has several marks, of which only the last one is not as long as can be. */
    public long gaps() {
        return dropoutsMs().stream()
                .filter(ms -> ms < ULogLayout.MAX_DROPOUT_MS)
                .count();
    }

    /** Durations of the dropout messages. */
    public List<Integer> dropoutsMs() {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return messages.stream()
                .filter(message -> message.type() == 'O')
                .map(message -> buffer.getShort(message.offset() + MESSAGE_HEADER_LENGTH) & 0xFFFF)
                .toList();
    }
}
