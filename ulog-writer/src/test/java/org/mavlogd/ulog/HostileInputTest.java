package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No content of a log may crash the reader, take memory without bound or time without end. */
class HostileInputTest {
    /** Can be increased for a long run: {@code -Dulog.fuzz.inputs=1000000}, with another {@code ulog.fuzz.seed}. */
    private static final int INPUTS = Integer.getInteger("ulog.fuzz.inputs", 4_000);

    private static final int FIRST_SEED = Integer.getInteger("ulog.fuzz.seed", 0);

    /** Reads every value, so that a layout that does not fit its samples causes an error. */
    private static final class ReadsAll implements ULogHandler {
        @Override
        public void onSample(SampleView sample) {
            for (Column column : sample.topic().layout().orElseThrow().columns()) {
                for (int i = 0; i < column.count(); i++) {
                    sample.number(column, i);
                }
                if (column.type() == FieldType.CHAR) {
                    sample.text(column);
                }
            }
        }

        @Override
        public void onInfo(KeyedValue info) {
            info.text();
            if (info.isInteger()) {
                info.integer();
            }
        }
    }

    @Test
    void mutatedLogsEndInNothingButRefusal() {
        List<byte[]> corners = new ArrayList<>(TestLogs.corners().values());
        corners.removeIf(log -> log.length > 20_000);
        for (int seed = FIRST_SEED; seed < FIRST_SEED + INPUTS; seed++) {
            Random random = new Random(seed);
            byte[] log = mutate(corners.get(random.nextInt(corners.size())).clone(), random);
            try {
                readAll(log, 1 + random.nextInt(log.length));
                ULogRepair repair = new ULogRepair(new MemorySink(), ULogRepair.Orphans.KEEP);
                repair.feed(log, 0, log.length);
                repair.finish();
            } catch (ULogException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            } catch (IOException | RuntimeException | StackOverflowError wrong) {
                throw new AssertionError("seed " + seed, wrong);
            }
        }
    }

    @Test
    void mutatedLogsTakeASectionOrRefuseIt(@TempDir Path directory) throws IOException {
        List<byte[]> corners = new ArrayList<>(TestLogs.corners().values());
        corners.removeIf(log -> log.length > 20_000);
        ULogAppender section = new ULogAppender().loggedString(LogLevel.ERROR, 1, "crash");
        int appended = 0;
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            byte[] log = mutate(corners.get(random.nextInt(corners.size())).clone(), random);
            Path file = Files.write(directory.resolve("log.ulg"), log);
            try {
                section.appendTo(file);
                appended++;
                assertThat(Contents.of(Files.readAllBytes(file), 4096).texts)
                        .as("seed %d", seed)
                        .extracting(LoggedText::text)
                        .contains("crash");
            } catch (ULogException refused) {
                assertThat(Files.readAllBytes(file)).as("seed %d", seed).isEqualTo(log);
            }
        }
        assertThat(appended).isGreaterThan(300);
    }

    @Test
    void expandingFormatsAreBounded() throws IOException {
        ByteBuffer log = start(1 << 20);
        for (int i = 0; i < 30; i++) {
            MessageEncoder.format(log, "f" + i + ":f" + (i + 1) + "[1000] x;f" + (i + 1) + "[1000] y;");
        }
        MessageEncoder.format(log, "f30:uint64_t timestamp;");
        MessageEncoder.subscription(log, 0, 0, "f0");
        StringBuilder empty = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            empty.setLength(0);
            MessageEncoder.format(
                    log, empty.append("e").append(i).append(":e").append(i + 1).append("[65535] x;"));
        }
        MessageEncoder.subscription(log, 0, 1, "e20");

        assertThatCode(() -> readAll(written(log), 4096)).doesNotThrowAnyException();
    }

    @Test
    void tooManyFormatsAreRefused() {
        ByteBuffer log = start(1 << 20);
        for (int i = 0; i <= Formats.MAX_FORMATS; i++) {
            MessageEncoder.format(log, "f" + i + ":uint64_t timestamp;");
        }

        assertThatThrownBy(() -> readAll(written(log), 4096))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("formats");
    }

    @Test
    void formatsWithMoreFieldsThanAnyVehicleHasAreRefused() {
        ByteBuffer log = ByteBuffer.allocate(4 << 20).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 1);
        for (int i = 0; i < 25; i++) {
            StringBuilder text = new StringBuilder("f" + i + ":uint64_t timestamp;");
            for (int field = 0; field < 4_000; field++) {
                text.append("uint8_t a").append(field).append(';');
            }
            MessageEncoder.format(log, text);
        }
        byte[] bytes = Arrays.copyOf(log.array(), log.position());

        assertThatThrownBy(() -> readAll(bytes, bytes.length))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("65536 fields");
    }

    @Test
    void samplesAreReadWithoutAllocation() throws IOException {
        byte[] log = new GeneratedLog(3, 20_000).bytes;
        ULogReader reader = new ULogReader(new ULogHandler() {});
        reader.feed(log, 0, log.length / 2);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        reader.feed(log, log.length / 2, log.length - log.length / 2);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // The rest are strings between the samples, one or two objects each.
        assertThat(allocated).as("bytes for some 10,000 samples").isLessThan(10_000L * 32);
    }

    private static byte[] mutate(byte[] log, Random random) {
        int changes = 1 + random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(log.length);
            switch (random.nextInt(4)) {
                case 0 -> log[at] = (byte) random.nextInt(256);
                case 1 -> log[at] = (byte) "BFIMPQARDLCSO[];:_0123456789".charAt(random.nextInt(28));
                case 2 -> log[at] ^= (byte) (1 << random.nextInt(8));
                default -> {
                    int length = Math.min(random.nextInt(64), log.length - at);
                    System.arraycopy(log, at, log, random.nextInt(log.length - length + 1), length);
                }
            }
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(log, 1 + random.nextInt(log.length)) : log;
    }

    private static void readAll(byte[] log, int chunk) throws IOException {
        ULogReader reader = new ULogReader(new ReadsAll());
        for (int at = 0; at < log.length; at += chunk) {
            reader.feed(log, at, Math.min(chunk, log.length - at));
        }
        reader.finish();
    }

    private static ByteBuffer start(int capacity) {
        ByteBuffer log = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 0);
        MessageEncoder.flagBits(log, 0);
        return log;
    }

    private static byte[] written(ByteBuffer log) {
        byte[] bytes = new byte[log.position()];
        log.get(0, bytes);
        return bytes;
    }
}
