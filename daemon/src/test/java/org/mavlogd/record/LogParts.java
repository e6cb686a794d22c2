package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.record.LogBytes.Message;

/** Joins the files of one log, without the code under test. */
public final class LogParts {
    private static final String DATA_TYPES = "DLCSO";

    private LogParts() {}

    /**
     * The log as the vehicle sent it, with the marks of gaps. Checks that each later file starts with exactly the head
     * that the earlier files require.
     */
    public static byte[] join(List<byte[]> files) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int i = 0; i < files.size(); i++) {
            byte[] part = LogBytes.fromVehicle(files.get(i));
            byte[] head = i == 0 ? new byte[0] : head(joined.toByteArray());
            assertThat(Arrays.copyOf(part, head.length))
                    .as("head of part %d", i + 1)
                    .isEqualTo(head);
            joined.write(part, head.length, part.length - head.length);
        }
        return joined.toByteArray();
    }

    /** Header, definitions, current subscriptions, and last values of changed parameters. */
    private static byte[] head(byte[] log) {
        ByteArrayOutputStream definitions = new ByteArrayOutputStream();
        Map<Integer, byte[]> subscriptions = new LinkedHashMap<>();
        Map<String, byte[]> changes = new LinkedHashMap<>();
        definitions.write(log, 0, LogBytes.HEADER_LENGTH);
        boolean data = false;
        boolean subscribed = false;
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        for (Message message : LogBytes.messages(log)) {
            byte[] bytes = Arrays.copyOfRange(log, message.offset(), message.end());
            int payload = message.offset() + LogBytes.MESSAGE_HEADER_LENGTH;
            if (DATA_TYPES.indexOf(message.type()) >= 0) {
                data = true;
            } else if (message.type() == 'A') {
                subscribed = true;
                replace(subscriptions, buffer.getShort(payload + 1) & 0xFFFF, bytes);
            } else if (message.type() == 'R') {
                data = true;
                subscriptions.remove(buffer.getShort(payload) & 0xFFFF);
            } else if (message.type() == 'P' && (subscribed || data)) {
                String key = LogBytes.infoKey(log, message);
                replace(changes, key.substring(key.indexOf(' ')), bytes);
            } else if (!data || message.type() == 'F') {
                definitions.writeBytes(bytes);
            }
        }
        subscriptions.values().forEach(definitions::writeBytes);
        changes.values().forEach(definitions::writeBytes);
        return definitions.toByteArray();
    }

    /** Replaces a message of the same length; one of another length goes to the end. */
    private static <K> void replace(Map<K, byte[]> messages, K key, byte[] bytes) {
        byte[] before = messages.get(key);
        if (before != null && before.length != bytes.length) {
            messages.remove(key);
        }
        messages.put(key, bytes);
    }
}
