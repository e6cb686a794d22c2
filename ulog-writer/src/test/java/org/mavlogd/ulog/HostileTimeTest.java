package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log that was made to be slow takes a bounded multiple of the time of a real one. Both are read in the same run, so
 * the limit holds on any machine.
 */
class HostileTimeTest {
    private static final int BYTES = 2 << 20;
    private static final int ROUNDS = 6;
    private static final int SEEDS = Integer.getInteger("ulog.hostile.seeds", 2);
    private static final int FIRST_SEED = Integer.getInteger("ulog.hostile.seed", 0);

    /**
     * Searching takes some steps for each byte; reading takes a fraction of one. The slowest family takes about 100,
     * with only the quick compiler, as in a build, 900, and together with other tests 1,500. Quadratic algorithms took
     * 5,000 and more in both cases.
     */
    private static final double MAX_RATIO = Double.parseDouble(System.getProperty("ulog.hostile.ratio", "3000"));

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    // Per byte of a real log.
    private static double harmlessNs;

    /** Logs that could be slow to read. */
    enum Family {
        UNDEFINED_TOPICS {
            @Override
            void write(ByteBuffer log, Random random) {
                for (int id = 0; id < 60_000; id++) {
                    MessageEncoder.subscription(log, 0, id, "t" + random.nextInt(1 << 30));
                }
                for (int i = 0; log.remaining() > 100 && i < 15_000; i++) {
                    MessageEncoder.format(log, "f" + i + ":uint64_t timestamp;");
                }
            }
        },
        TOPICS_OF_ONE_UNDEFINED_FORMAT {
            @Override
            void write(ByteBuffer log, Random random) {
                MessageEncoder.format(log, chain(random));
                for (int id = 0; id < 60_000; id++) {
                    MessageEncoder.subscription(log, 0, id, "long");
                }
                for (int i = 0; i < 4_000; i++) {
                    MessageEncoder.format(log, "f" + i + ":uint64_t timestamp;");
                }
            }

            /** A format that needs one missing format after the other. */
            private StringBuilder chain(Random random) {
                StringBuilder text = new StringBuilder("long:");
                for (int i = 0; i < 4_000; i++) {
                    text.append("f")
                            .append(i)
                            .append(" a")
                            .append(random.nextInt(10))
                            .append(';');
                }
                return text;
            }
        },
        FORMAT_DECLARED_ANEW {
            @Override
            void write(ByteBuffer log, Random random) {
                StringBuilder text = new StringBuilder("big:");
                for (int i = 0; i < 4_000; i++) {
                    text.append("uint8_t[999] a;");
                }
                MessageEncoder.format(log, text.append("missing x;"));
                for (int i = 0; i < 20_000; i++) {
                    MessageEncoder.format(log, "a:uint8_t[" + (i % 7 + 1) + "] b;");
                    MessageEncoder.subscription(log, 0, random.nextInt(60_000), "big");
                }
            }
        },
        FIELDS_WITHOUT_BYTES {
            @Override
            void write(ByteBuffer log, Random random) {
                StringBuilder text = new StringBuilder("leaf:uint8_t x;");
                for (int i = 0; i < 4_000; i++) {
                    text.append("bool[0] a;");
                }
                MessageEncoder.format(log, text);
                for (int i = 0; i < 3_000; i++) {
                    MessageEncoder.format(log, "t" + i + ":leaf[" + (60_000 + random.nextInt(5_000)) + "] y;");
                    MessageEncoder.subscription(log, 0, i, "t" + i);
                }
            }
        },
        OVERLAPPING_INFOS {
            @Override
            void write(ByteBuffer log, Random random) {
                repeat(log, random, MessageType.INFO, "\u0006bool a");
            }
        },
        OVERLAPPING_MULTI_INFOS {
            @Override
            void write(ByteBuffer log, Random random) {
                repeat(log, random, MessageType.MULTI_INFO, "\u0000\u0006bool a");
            }
        },
        OVERLAPPING_FORMATS {
            @Override
            void write(ByteBuffer log, Random random) {
                repeat(log, random, MessageType.FORMAT, "a:bool b;");
            }
        },
        TEXTS_THAT_END_IN_ZEROS {
            @Override
            void write(ByteBuffer log, Random random) {
                endInZeros(log, random, MessageType.LOGGED_STRING, "6\0\0\0\0\0\0\0\0");
            }
        },
        FORMATS_THAT_END_IN_ZEROS {
            @Override
            void write(ByteBuffer log, Random random) {
                endInZeros(log, random, MessageType.FORMAT, "a:b");
            }
        },
        CUT_MESSAGES {
            @Override
            void write(ByteBuffer log, Random random) {
                while (log.remaining() > 100) {
                    log.putShort((short) -1).put((byte) "XMILD".charAt(random.nextInt(5)));
                    byte[] rest = new byte[random.nextInt(90)];
                    random.nextBytes(rest);
                    log.put(rest);
                }
            }
        },
        ORPHANS {
            @Override
            void write(ByteBuffer log, Random random) {
                while (log.remaining() > 100) {
                    log.putShort((short) 2).put(MessageType.DATA).putShort((short) random.nextInt());
                    if (random.nextInt(40) == 0) {
                        log.put((byte) 0);
                    }
                }
            }
        },
        GARBAGE_BETWEEN_MESSAGES {
            @Override
            void write(ByteBuffer log, Random random) {
                byte[] garbage = new byte[40];
                while (log.remaining() > 200) {
                    MessageEncoder.infoText(log, "name", "value");
                    MessageEncoder.infoText(log, "name", "value");
                    random.nextBytes(garbage);
                    log.put(garbage, 0, 1 + random.nextInt(garbage.length - 1));
                }
            }
        },
        FILLED {
            @Override
            void write(ByteBuffer log, Random random) {
                byte[] fills = {0, 'D', 'F', 'S', 'M', 'I', 'L', (byte) 0x80, (byte) 0xFF};
                int from = random.nextInt(fills.length);
                byte[] stretch = new byte[log.remaining() / fills.length];
                for (int i = 0; i < fills.length; i++) {
                    Arrays.fill(stretch, fills[(from + i) % fills.length]);
                    log.put(stretch);
                }
            }
        },
        RANDOM {
            @Override
            void write(ByteBuffer log, Random random) {
                byte[] garbage = new byte[log.remaining()];
                random.nextBytes(garbage);
                log.put(garbage);
            }
        };

        abstract void write(ByteBuffer log, Random random);

        /** A long message may begin at each place, and none ends where another one begins. */
        private static void repeat(ByteBuffer log, Random random, byte type, String begin) {
            byte[] payload = begin.getBytes(StandardCharsets.ISO_8859_1);
            log.put((byte) 0);
            while (log.remaining() > 100) {
                log.putShort((short) (0x7000 + random.nextInt(0x0F00)))
                        .put(type)
                        .put(payload);
            }
        }

        private static void endInZeros(ByteBuffer log, Random random, byte type, String begin) {
            byte[] payload = begin.getBytes(StandardCharsets.ISO_8859_1);
            while (log.remaining() > 100_000) {
                log.put((byte) 0);
                int end = log.position() + 60_000;
                while (log.position() < end - 30_000) {
                    int size = end - log.position() - random.nextInt(1_000);
                    log.putShort((short) size).put(type).put(payload);
                }
                log.position(end);
            }
        }
    }

    @BeforeAll
    static void readHarmless() throws IOException {
        byte[] log = new GeneratedLog(3, 20_000).bytes;
        harmlessNs = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            harmlessNs = Math.min(harmlessNs, (double) readNs(log) / log.length);
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void takesABoundedMultipleOfARealLogsTime(Family family) throws Exception {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            byte[] log = log(family, seed);
            double ratio = leastRatio(MAX_RATIO, () -> readNs(log) / (harmlessNs * BYTES));

            if (Boolean.getBoolean("ulog.hostile.print")) {
                System.out.printf("%s seed %d: %.0f times%n", family, seed, ratio);
            }
            assertThat(ratio)
                    .as("%s, seed %d: times as long as a real log", family, seed)
                    .isLessThan(MAX_RATIO);
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void lookingUpAFieldTakesNoLongerAmongVeryManyFields() throws Exception {
        TopicLayout few = layout(10);
        TopicLayout many = layout(60_000);
        lookUpNs(many, 1);

        double ratio = leastRatio(300, () -> (double) lookUpNs(many, 20_000) / lookUpNs(few, 20_000));

        assertThat(ratio).isLessThan(300); // in a list about 3,000
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void lookingUpAFieldTakesNoLongerAmongNamesOfOneHash() throws Exception {
        IntFunction<String> different = i -> String.format(Locale.ROOT, "name%012d", i);
        lookUpNs(layoutOfNames(different), 1); // loads classes
        // "Aa" and "BB" have one hash.
        IntFunction<String> equal = i -> String.format(Locale.ROOT, "%8s", Integer.toBinaryString(i))
                .replace("1", "Aa")
                .replaceAll("[ 0]", "BB");

        // The first look builds the table.
        double ratio = leastRatio(
                40, () -> (double) lookUpNs(layoutOfNames(equal), 1) / lookUpNs(layoutOfNames(different), 1));

        assertThat(ratio).isLessThan(40); // in a table without trees about 180
    }

    /**
     * The least of some rounds, at most until it is within the limit. On a busy machine the compiler may need many rounds
     * until its turn comes.
     */
    private static double leastRatio(double limit, Callable<Double> measure) throws Exception {
        double least = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least >= limit; round++) {
            least = Math.min(least, measure.call());
        }
        return least;
    }

    /** 30,720 fields: half of the names, each with all names behind it. */
    private static TopicLayout layoutOfNames(IntFunction<String> name) throws ULogException {
        TopicFormat part = TopicFormat.of(
                "part",
                IntStream.range(0, 256)
                        .mapToObj(i -> Field.of(FieldType.BOOL, name.apply(i)))
                        .toArray(Field[]::new));
        return TopicLayout.of(
                TopicFormat.of(
                        "t",
                        IntStream.range(0, 120)
                                .mapToObj(i -> Field.nested("part", name.apply(i)))
                                .toArray(Field[]::new)),
                Map.of("part", part));
    }

    private static TopicLayout layout(int fields) throws ULogException {
        TopicFormat part = TopicFormat.of(
                "part",
                IntStream.range(0, 10)
                        .mapToObj(i -> Field.of(FieldType.BOOL, "b" + i))
                        .toArray(Field[]::new));
        return TopicLayout.of(
                TopicFormat.of("t", Field.nestedArray("part", fields / 10, "parts")), Map.of("part", part));
    }

    private static long lookUpNs(TopicLayout layout, int times) {
        long beginNs = THREADS.getCurrentThreadCpuTime();
        int found = 0;
        for (int i = 0; i < times; i++) {
            found += layout.column("missing").isPresent() ? 1 : 0;
        }
        assertThat(found).isZero();
        return THREADS.getCurrentThreadCpuTime() - beginNs;
    }

    private static byte[] log(Family family, int seed) {
        ByteBuffer log = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 0);
        MessageEncoder.flagBits(log, 0);
        family.write(log, new Random(seed));
        return Arrays.copyOf(log.array(), log.position());
    }

    private static long readNs(byte[] log) throws IOException {
        // CPU time of this thread, since the machine may be busy.
        long beginNs = THREADS.getCurrentThreadCpuTime();
        ULogReader reader = new ULogReader(new ULogHandler() {});
        try {
            for (int at = 0; at < log.length; at += 4096) {
                reader.feed(log, at, Math.min(4096, log.length - at));
            }
            reader.finish();
        } catch (ULogException refused) {
            assertThat(refused).hasMessageContaining("more");
        }
        return THREADS.getCurrentThreadCpuTime() - beginNs;
    }
}
