package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.ulog.ULogSink;

/** Records of all kinds become samples without allocation. */
class MappingAllocationTest {
    private static final int ROUNDS = 200;

    /** The JVM itself allocates a little until it has compiled everything. */
    private static final int ATTEMPTS = 10;

    /** Discards everything. */
    private static final class Sink implements ULogSink {
        private long position;

        @Override
        public void write(ByteBuffer bytes) {
            position += bytes.remaining();
            bytes.position(bytes.limit());
        }

        @Override
        public long position() {
            return position;
        }
    }

    @ParameterizedTest
    @EnumSource(ULogMapper.Values.class)
    void samplesAllocateNothing(ULogMapper.Values values) throws IOException {
        byte[] log = log();
        HeadCollector collector = new HeadCollector();
        collector.feed(log, 0, log.length);
        collector.finish();
        LogHead head = collector.head();
        ULogWriterLog target = new ULogWriterLog(new Sink(), 0);
        ULogMapper mapper = new ULogMapper(head, values, DataFlashDecoder.Units.DO_NOT_WAIT, target);
        mapper.begin();
        HeadCollector again = new HeadCollector();
        run(mapper, again, log);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        byte[] records = records();

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int round = 0; round < ROUNDS; round++) {
                run(mapper, again, records);
            }
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes in %d rounds", ROUNDS).isZero();
        assertThat(mapper.counts().samples()).isGreaterThan(20L * ROUNDS);
    }

    private static void run(ULogMapper mapper, HeadCollector collector, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += 200) {
            int length = Math.min(200, bytes.length - at);
            collector.feed(bytes, at, length);
            mapper.feed(bytes, at, length);
        }
    }

    private static DataFlashBuilder formats() {
        return DataFlashBuilder.aLog()
                .fmt(1, "IMU", "QBffffffIIfBBHH", "TimeUS,I,GX,GY,GZ,AX,AY,AZ,EG,EA,T,GH,AH,GHz,AHz")
                .fmtu("IMU", "s#EEEooo--O--zz", "F-000000-----00")
                .fmt(2, "SCR", "QNIg", "TimeUS,Name,Run,H")
                .fmtu("SCR", "s#s-", "F-F-")
                .fmt(3, "XKF1", "QBccCa", "TimeUS,C,Roll,Pitch,Yaw,a")
                .fmtu("XKF1", "s#ddho", "F-BBB?")
                .fmt(4, "RFRF", "BB", "FTypes,Slow");
    }

    private static byte[] log() {
        return add(formats()).toByteArray();
    }

    private static byte[] records() {
        byte[] head = formats().toByteArray();
        byte[] all = log();
        return Arrays.copyOfRange(all, head.length, all.length);
    }

    private static DataFlashBuilder add(DataFlashBuilder log) {
        for (int i = 0; i < 5; i++) {
            log.record("IMU", 1000L * i, i % 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
                    .record("SCR", 1000L * i, i % 2 == 0 ? "a.lua" : "b.lua", 5, 0x3C00)
                    .record("XKF1", 1000L * i, i % 2, 1, 2, 3, new short[32])
                    .record("RFRF", 1, 2);
        }
        return log;
    }
}
