package org.mavlogd.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.exports.ParquetTable;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Rows in any order, in files of many parts, are returned in the order of a stable sort. */
class RowSpoolTest {
    /** After time and instance comes the field timestamp, then the serial number. */
    private static final int SERIAL_OFFSET = Long.BYTES + 1 + Long.BYTES;

    @TempDir
    private Path directory = Path.of(".");

    static LongStream seeds() {
        return LongStream.range(1, 31);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void rowsComeInTheOrderOfTheirTimesAndThoseOfOneTimeInThatOfTheLog(long seed) throws IOException {
        Random random = new Random(seed);
        long[] times = times(random);
        // Limits that need from many parts, merged two at a time, to a single part.
        int row = 64;
        RowSpool.Limits limits = new RowSpool.Limits(
                row * (1 + random.nextInt(10)),
                row * (1 + random.nextInt(40)),
                row * (1 + random.nextInt(20)),
                row * (1 + random.nextInt(3)));

        List<long[]> rows = sorted(log(times), limits, 1 + random.nextInt(100));

        List<long[]> expected = new ArrayList<>();
        for (int i = 0; i < times.length; i++) {
            expected.add(new long[] {times[i], i});
        }
        expected.sort(Comparator.comparingLong(one -> one[0]));
        assertThat(rows)
                .as("seed %d, %s", seed, limits)
                .usingRecursiveComparison()
                .isEqualTo(expected);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    /** Ordered, nearly ordered or mixed times, some of them equal. */
    private static long[] times(Random random) {
        long[] times = new long[1 + random.nextInt(2000)];
        int disorder = random.nextInt(3);
        for (int i = 0; i < times.length; i++) {
            times[i] = switch (disorder) {
                case 0 -> i / 3;
                case 1 -> 1000 + i / 3 - random.nextInt(20) + (random.nextInt(200) == 0 ? 100_000 : 0);
                default -> random.nextInt(500);
            };
        }
        return times;
    }

    private List<long[]> sorted(byte[] log, RowSpool.Limits limits, int atOnce) throws IOException {
        List<long[]> rows = new ArrayList<>();
        try (Spooler spooler = new Spooler(directory, limits)) {
            ULogReader reader = new ULogReader(spooler);
            reader.feed(log, 0, log.length);
            reader.finish();
            spooler.spool().finish();
            int rowBytes = ParquetTable.rowBytes(spooler.spool().layout());
            byte[] read = new byte[atOnce * rowBytes];
            try (RowMerge merge = spooler.spool().sorted()) {
                for (int count = merge.read(read); count > 0; count = merge.read(read)) {
                    for (int i = 0; i < count; i++) {
                        long serial = ByteBuffer.wrap(read, i * rowBytes + SERIAL_OFFSET, 4)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .getInt();
                        rows.add(new long[] {ParquetTable.timeUs(read, i * rowBytes), serial});
                    }
                }
            }
        }
        return rows;
    }

    private static byte[] log(long[] times) throws IOException {
        MemorySink sink = new MemorySink();
        WriterSettings settings = new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP);
        try (ULogWriter writer = new ULogWriter(sink, 0, settings)) {
            writer.format(new TopicFormat(
                    "t",
                    List.of(
                            Field.of(FieldType.UINT64, "timestamp"),
                            Field.of(FieldType.INT32, "serial"),
                            Field.of(FieldType.FLOAT, "value"))));
            TopicWriter topic = writer.subscribe("t", 0);
            Column serial = topic.column("serial");
            for (int i = 0; i < times.length; i++) {
                topic.begin(times[i]).integer(serial, i).write();
            }
        }
        return sink.toByteArray();
    }

    /** Puts every sample into one spool. */
    private static final class Spooler implements ULogHandler, AutoCloseable {
        private final Path directory;
        private final RowSpool.Limits limits;
        private final List<RowSpool> spools = new ArrayList<>();

        Spooler(Path directory, RowSpool.Limits limits) {
            this.directory = directory;
            this.limits = limits;
        }

        RowSpool spool() {
            return spools.get(0);
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            if (spools.isEmpty()) {
                spools.add(new RowSpool(
                        sample.topic().layout().orElseThrow(), limits, temporary("rows"), temporary("spare")));
            }
            spool().add(sample, sample.timestampUs());
        }

        private OutputFile temporary(String name) throws IOException {
            return OutputFile.at(directory.resolve(name), OutputFile.Existing.REPLACE);
        }

        @Override
        public void close() throws IOException {
            for (RowSpool spool : spools) {
                spool.close();
            }
        }
    }
}
