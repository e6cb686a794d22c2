package org.mavlogd.record.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;

/** The last message of each key, compared with a map of copies. */
class LatestMessagesPropertyTest {
    private static final int KEYS = 3000;

    private final Map<String, byte[]> expected = new HashMap<>();

    private static byte[] parameter(String type, String name, int value) {
        byte[] key = (type + ' ' + name).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(8 + key.length).order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) (key.length + 5)).put((byte) 'P').put((byte) key.length);
        return out.put(key).putInt(value).array();
    }

    private static byte[] subscription(int id, String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(6 + text.length).order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) (text.length + 3)).put((byte) 'A').put((byte) 0).putShort((short) id);
        return out.put(text).array();
    }

    private static byte[] unsubscription(int id) {
        return ByteBuffer.allocate(5)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 2)
                .put((byte) 'R')
                .putShort((short) id)
                .array();
    }

    private boolean keep(LatestMessages messages, byte[] message, String key) {
        boolean kept = messages.keep(new UnsafeBuffer(message), 0, message.length, true);
        if (kept) {
            expected.put(key, message);
        }
        return kept;
    }

    private int expectedLength() {
        return expected.values().stream().mapToInt(message -> message.length).sum();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void parametersOfAnyTypeKeepTheirLastValue(long seed) {
        Random random = new Random(seed);
        LatestMessages messages = new LatestMessages(MemoryShare.unlimited());

        for (int i = 0; i < 60_000; i++) {
            String name = "P" + random.nextInt(KEYS);
            String type = random.nextInt(20) == 0 ? "int32_t" : "float";
            assertThat(keep(messages, parameter(type, name, i), name)).isTrue();
        }

        assertThat(messages.length()).isEqualTo(expectedLength());
        assertSame(messages);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void subscriptionsComeAndGo(long seed) {
        Random random = new Random(seed);
        LatestMessages messages = new LatestMessages(MemoryShare.unlimited());

        for (int i = 0; i < 60_000; i++) {
            int id = random.nextInt(KEYS);
            if (random.nextInt(3) == 0) {
                byte[] end = unsubscription(id);
                messages.end(new UnsafeBuffer(end), 0, end.length);
                expected.remove("id" + id);
            } else {
                keep(messages, subscription(id, "topic".repeat(1 + random.nextInt(3))), "id" + id);
            }
        }

        assertThat(messages.length()).isEqualTo(expectedLength());
        assertSame(messages);
    }

    /** Checks that an equal message adds nothing, and another value replaces the old one. */
    private void assertSame(LatestMessages messages) {
        int length = messages.length();
        for (byte[] message : expected.values()) {
            byte[] other = Arrays.copyOf(message, message.length);
            messages.keep(new UnsafeBuffer(other), 0, other.length, true);
        }
        assertThat(messages.length()).isEqualTo(length);
    }

    @Test
    void smallParametersTakeThirtyBytesOfMemoryEach() {
        MemoryShare share = MemoryShare.unlimited();
        LatestMessages messages = new LatestMessages(share);

        for (int i = 0; i < 100_000; i++) {
            keep(messages, parameter("float", Integer.toString(i, 36), i), "P" + i);
        }

        assertThat(share.held() / 100_000).isLessThan(34);
    }

    @Test
    void withoutMemoryNothingThatIsKeptIsLost() {
        MemoryShare share = new MemoryBudget(3 << 20).share(Requester.LOCAL_SOURCE);
        LatestMessages messages = new LatestMessages(share);
        int refused = 0;

        for (int i = 0; i < 40_000; i++) {
            refused += keep(messages, parameter("float", "N" + i, i), "N" + i) ? 0 : 1;
        }
        for (int i = 0; i < 40_000; i++) {
            keep(messages, parameter("int32_t", "N" + i, i), "N" + i);
        }

        assertThat(refused).isPositive();
        assertThat(messages.length()).isEqualTo(expectedLength());
        assertSame(messages);
        assertThat(share.held()).isLessThanOrEqualTo((3 << 20) / 8);
    }
}
