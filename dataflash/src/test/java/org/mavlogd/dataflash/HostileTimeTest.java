package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;

/**
 * A stream that was made to be slow takes a bounded multiple of the time of a usual one. Both are read in the same run,
 * so the limit holds on any machine.
 */
class HostileTimeTest {
    private static final int BYTES = 512 << 10;
    private static final int HELD = 32_768;
    private static final int ROUNDS = 20;

    /** The slowest family takes about 25, and up to 80 before it is compiled. */
    private static final double MAX_RATIO = Double.parseDouble(System.getProperty("dataflash.hostile.ratio", "100"));

    /** How much the waiting records may cost: they take 1 to 1.6, and 7 to 30 if each release looks at all of them. */
    private static final double MAX_RATIO_BESIDE_WAITING = 4;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    // Per byte of a usual log.
    private static double harmlessNs;

    /** Logs that could be slow to decode. */
    enum Family {
        DECLARED_AGAIN_BESIDE_WAITING_RECORDS {
            @Override
            void write(DataFlashBuilder log, int i) {
                log.fmt(130, "ABCD", "Q", i % 2 == 0 ? "TimeUS" : "US");
            }
        },
        EACH_RECORD_FREED_BESIDE_WAITING_RECORDS {
            @Override
            void write(DataFlashBuilder log, int i) {
                log.fmt(130, "ABCD", "BQ", i % 2 == 0 ? "I,TimeUS" : "I,US")
                        .record("ABCD", 1, 1L)
                        .fmtu("ABCD", "--", "--");
            }
        },
        UNITS_BESIDE_MANY_TYPES {
            @Override
            void begin(DataFlashBuilder log) {
                log.fmt(116, "FMTU", "Bnn", "FmtType,UnitIds,MultIds");
                for (int i = 0; i < 1024; i++) {
                    log.fmt(130 + i % 100, "T" + i % 100, "BB", "B,A" + i).record("T" + i % 100, 0, 0);
                }
            }

            @Override
            void write(DataFlashBuilder log, int i) {
                log.record("FMTU", 130 + i % 100, "--", "--");
            }
        },
        ONE_NAME_AGAIN_AND_AGAIN {
            @Override
            void write(DataFlashBuilder log, int i) {
                log.fmt(130, "ABCD", "B", "A" + i).record("ABCD", 0);
            }
        },
        ONE_HASH_CODE {
            @Override
            void begin(DataFlashBuilder log) {
                for (int i = 0; i < 2048; i++) {
                    log.fmt(130, "AB" + (char) ('A' + i % 26), "", labels(i)).record("AB" + (char) ('A' + i % 26));
                }
            }

            @Override
            void write(DataFlashBuilder log, int i) {
                log.record("AB" + (char) ('A' + 2047 % 26));
            }

            private static String labels(int number) {
                StringBuilder labels = new StringBuilder();
                for (int bit = 0; bit < 11; bit++) {
                    labels.append((number >> bit & 1) == 0 ? "Aa" : "BB");
                }
                return labels.toString();
            }
        };

        /** Writes the records that come first. */
        void begin(DataFlashBuilder log) {
            byte[] undeclared = new byte[3 * HELD];
            for (int i = 0; i < undeclared.length; i += 3) {
                undeclared[i] = (byte) 0xA3;
                undeclared[i + 1] = (byte) 0x95;
                undeclared[i + 2] = (byte) 200;
            }
            log.bytes(undeclared);
        }

        abstract void write(DataFlashBuilder log, int i);
    }

    @BeforeAll
    static void readHarmless() throws IOException {
        DataFlashBuilder log = DataFlashBuilder.aLog()
                .fmt(1, "IMU", "QBffffff", "TimeUS,I,GX,GY,GZ,AX,AY,AZ")
                .fmtu("IMU", "s#EEEooo", "F-000000");
        for (int i = 0; i < BYTES / 36; i++) {
            log.record("IMU", 1000L * i, i % 3, 1, 2, 3, 4, 5, 6);
        }
        byte[] bytes = log.toByteArray();
        harmlessNs = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            harmlessNs = Math.min(harmlessNs, (double) readNs(bytes) / bytes.length);
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void takesABoundedMultipleOfAUsualLogsTime(Family family) throws IOException {
        byte[] log = log(family);
        double ratio = Double.MAX_VALUE;
        // On a busy machine the compiler may need many rounds until its turn comes.
        for (int round = 0; round < ROUNDS && ratio > MAX_RATIO; round++) {
            ratio = Math.min(ratio, readNs(log) / (harmlessNs * log.length));
        }

        if (Boolean.getBoolean("dataflash.hostile.print")) {
            System.out.printf("%s: %.0f times %.2f ns%n", family, ratio, harmlessNs);
        }
        assertThat(ratio).as("%s: times as long as a usual log", family).isLessThan(MAX_RATIO);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = ".*BESIDE_WAITING_RECORDS")
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void takesNoLongerBesideRecordsThatWait(Family family) throws IOException {
        byte[] alone = log(DataFlashBuilder.aLog(), family);
        byte[] beside = log(family);
        double ratio = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && ratio > MAX_RATIO_BESIDE_WAITING; round++) {
            ratio = Math.min(ratio, (double) readNs(beside) / readNs(alone));
        }

        assertThat(ratio)
                .as("%s: times as long as without waiting records", family)
                .isLessThan(MAX_RATIO_BESIDE_WAITING);
    }

    private static byte[] log(Family family) {
        DataFlashBuilder log = DataFlashBuilder.aLog();
        family.begin(log);
        return log(log, family);
    }

    /** Adds the family's records. */
    private static byte[] log(DataFlashBuilder log, Family family) {
        int begin = log.toByteArray().length;
        int records = 0;
        int perRecord = 0;
        while (perRecord * records < BYTES - begin) {
            family.write(log, records++);
            perRecord = perRecord == 0 ? log.toByteArray().length - begin : perRecord;
        }
        return log.toByteArray();
    }

    /** CPU time of this thread, since the machine may be busy. */
    private static long readNs(byte[] log) throws IOException {
        long beginNs = THREADS.getCurrentThreadCpuTime();
        MemoryShare share = MemoryShare.unlimited();
        HeadCollector collector = new HeadCollector(share);
        ULogMapper mapper = new ULogMapper(new HeadCollector(share).head(), ULogMapper.Values.RAW, new NoLog(), share);
        mapper.begin();
        for (int at = 0; at < log.length; at += 200) {
            int count = Math.min(200, log.length - at);
            collector.feed(log, at, count);
            mapper.feed(log, at, count);
        }
        return THREADS.getCurrentThreadCpuTime() - beginNs;
    }

    /** Accepts everything and stores nothing. */
    private static final class NoLog implements MappedLog {
        @Override
        public boolean format(TopicFormat format) {
            return true;
        }

        @Override
        public void info(String name, String text) {}

        @Override
        public void info(Field key, byte[] value) {}

        @Override
        public void multiInfo(String name, String text) {}

        @Override
        public void defaultParameter(String name, float value) {}

        @Override
        public void parameter(String name, float value) {}

        @Override
        public Series subscribe(String topic, int multiId) {
            return (fields, offset, length) -> {};
        }

        @Override
        public void text(LogLevel level, long timestampUs, String text) {}

        @Override
        public void sync() {}

        @Override
        public void dropout(long durationMs) {}
    }
}
