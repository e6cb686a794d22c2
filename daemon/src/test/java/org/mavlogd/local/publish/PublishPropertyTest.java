package org.mavlogd.local.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.local.publish.Hearing.winch;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.app.JsonTree;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TakenSamples;

class PublishPropertyTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String[] GOOD = {
        "{\"topic\":\"winch\",\"fields\":{\"load_kg\":12.4,\"turns\":3}}",
        "{\"topic\":\"winch\",\"instance\":3,\"time\":18000.1,\"fields\":{\"turns\":4,\"load_kg\":-1e3}}",
        "{\"fields\":{\"turns\":4,\"load_kg\":null},\"topic\":\"winch\",\"id\":7}",
        "{\"topic\":\"arm\",\"fields\":{\"angle\":3,\"ok\":true,\"state\":\"idle\",\"axes\":[1,2.5,null]}}",
        "{\"define\":\"gripper\",\"fields\":{\"force\":\"float[2]\",\"name\":\"char[5]\"},\"units\":{\"force\":\"N\"}}",
        "{\"topic\":\"gripper\",\"fields\":{\"force\":[1,2],\"name\":\"\\u00fc\\n\"}}",
        "{\"text\":\"lens dirty\",\"level\":\"warning\",\"tag\":\"camera_handler\"}"
    };

    @Test
    void valuesAreThoseThatAnotherParserReads() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Hearing hearing = new Hearing();
        for (int i = 0; i < 3_000; i++) {
            String name = "t" + random.nextInt(900);
            StringBuilder fields = new StringBuilder();
            Random shape = new Random(name.hashCode()); // a topic always has the same fields
            int count = 1 + shape.nextInt(6);
            for (int f = 0; f < count; f++) {
                fields.append(f == 0 ? "" : ",")
                        .append("\"f")
                        .append(f)
                        .append("\":")
                        .append(value(shape.nextInt(4), random));
            }
            String line = space(random) + "{" + space(random) + "\"topic\"" + space(random) + ":\"" + name
                    + "\",\"fields\":{" + fields + "}}";

            assertThat(hearing.say(line)).as("seed %d, %s", seed, line).isEmpty();

            Map<?, ?> expected =
                    (Map<?, ?>) Objects.requireNonNull(JsonTree.read(line).get("fields"));
            TakenSamples.Sample sample = hearing.sample();
            assertThat(sample.values()).as("seed %d, %s", seed, line).hasSameSizeAs(expected);
            expected.forEach((field, wanted) -> assertThat(
                            plain(Objects.requireNonNull(sample.values().get(field))))
                    .as("seed %d, %s of %s", seed, field, line)
                    .isEqualTo(plain(wanted)));
        }
    }

    private static String space(Random random) {
        return " \t\r  ".substring(0, random.nextInt(5));
    }

    private static String value(int kind, Random random) {
        return switch (kind) {
            case 0 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(30) - 15));
            case 1 -> Boolean.toString(random.nextBoolean());
            case 2 -> "[" + random.nextInt() + "," + random.nextFloat() + "," + random.nextLong() / 2048 + "]";
            default -> '"' + text(random) + '"';
        };
    }

    private static String text(Random random) {
        String[] parts = {"a", "Z", " ", "\\n", "\\\\", "\\\"", "\\u00e4", "\u00e4", "\u20ac", "\ud83d\ude80", "\\/"};
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }

    /** Numbers as doubles, also in lists. */
    private static Object plain(Object value) {
        if (value instanceof Boolean bool) {
            return bool ? 1.0 : 0.0;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(PublishPropertyTest::plain).toList();
        }
        return value instanceof Number number ? (Object) number.doubleValue() : value;
    }

    @Test
    void nothingThatIsSentThrows() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Hearing hearing = new Hearing(winch());
        for (int i = 0; i < 20_000; i++) {
            byte[] datagram = random.nextInt(3) == 0 ? binary(random) : mutated(random);
            try {
                hearing.say(hearing.program, datagram);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + i, e);
            }
            hearing.nowNs += 1_000_000;
            hearing.taken.take();
            hearing.program.answers.clear();
        }
        assertThat(hearing.counted("local_samples_total")).isGreaterThan(1000);
        assertThat(hearing.counted("publish_bad_lines_total")).isGreaterThan(1000);
        assertThat(hearing.say(GOOD[0])).as("seed %d", seed).isEmpty();
        assertThat(hearing.sample().topic().name()).isEqualTo("winch");
    }

    private static byte[] mutated(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            text.append(GOOD[random.nextInt(GOOD.length)]).append(random.nextInt(4) == 0 ? "" : "\n");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = random.nextBoolean()
                    ? (byte) random.nextInt()
                    : (byte) "{}[]\",:0123456789.eE+-ntfu\\ \n".charAt(random.nextInt(29));
        }
        int from = random.nextInt(5) == 0 ? random.nextInt(bytes.length) : 0;
        int to = random.nextInt(5) == 0 ? from + 1 + random.nextInt(bytes.length - from) : bytes.length;
        return java.util.Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] binary(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(80)];
        random.nextBytes(bytes);
        bytes[0] = BinaryReader.MAGIC;
        if (bytes.length > 28 && random.nextBoolean()) {
            ByteBuffer.wrap(bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(1, (byte) 1)
                    .putInt(4, 0xBEEF0000 + random.nextInt(3))
                    .put(9, (byte) random.nextInt(3))
                    .putShort(10, (short) (random.nextInt(4) == 0 ? random.nextInt() : 8));
        }
        return bytes;
    }

    /** A line in Python's format with all kinds of values, and the same in the binary form. */
    @Test
    void sampleOfAKnownTopicAllocatesNothing() {
        Hearing hearing = new Hearing(winch());
        hearing.say("{\"define\":\"gripper\",\"fields\":{\"force\":\"double[2]\",\"name\":\"char[5]\",\"ok\":\"bool\","
                + "\"count\":\"int64_t\"}}");
        byte[] lines =
                ("{\"topic\": \"winch\", \"fields\": {\"load_kg\": 12.4, \"turns\": 3}, \"time\": 18000.123456789}\n"
                                + "{\"topic\": \"winch\", \"instance\": 2, \"fields\": {\"load_kg\": -1e3, \"turns\": 30000}}\n"
                                + "{\"topic\": \"gripper\", \"fields\": {\"force\": [0.30000000000000004, 1.4142135623730951], "
                                + "\"name\": \"gr\u00fcn\", \"ok\": true, \"count\": 123456789012345678}, \"time_ns\": 18000123456789}\n"
                                + "{\"topic\": \"a_topic_that_was_inferred\", \"utc\": 1790000000.25, \"fields\": "
                                + "{\"a_long_name_of_a_field_of_some_kind\": 3.141592653589793, \"b\": null}}\n")
                        .getBytes(StandardCharsets.UTF_8);
        ByteBuffer binary = ByteBuffer.allocate(52).order(ByteOrder.LITTLE_ENDIAN);
        binary.put(BinaryReader.MAGIC).put((byte) 1).putShort((short) 0);
        for (int i = 0; i < 2; i++) {
            binary.putInt(0xBEEF0000).put((byte) 0).put((byte) i).putShort((short) 8);
            binary.putLong(Hearing.NOW_NS).putFloat(1).putInt(2);
        }
        LocalFeed.Consumer consumer = hearing.feed.consumer(new IgnoringHandler());

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 30 && allocated != 0; attempt++) {
            long before = allocated();
            for (int i = 0; i < 1000; i++) {
                hearing.source.onBytes(hearing.program, lines, 0, lines.length, Hearing.NOW_NS);
                hearing.source.onBytes(hearing.program, binary.array(), 0, 52, Hearing.NOW_NS);
                consumer.drain(100);
            }
            allocated = allocated() - before;
        }

        assertThat(hearing.program.answers).hasSize(1);
        assertThat(allocated).as("bytes for 6,000 samples").isZero();
    }

    private static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    private static final class IgnoringHandler implements LocalFeed.Handler {
        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            // Ignored.
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            // Ignored.
        }
    }
}
