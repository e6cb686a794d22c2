package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.ulog.Contents.at;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real logs are read like an established reader reads them, and result in the same bytes when they are written again.
 */
class RealLogsTest {
    static Stream<String> logs() {
        return TestLogs.real().stream();
    }

    static Stream<String> corruptLogs() {
        return TestLogs.corrupt().stream();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void countsAreThoseOfAnEstablishedReader(String name) throws IOException {
        Contents contents = Contents.of(TestLogs.real(name), 4096);

        Contents.Totals totals = contents.totals();
        assertThat(totals.toString())
                .isEqualTo(at(expected(name), "").substring(name.length()).strip());
        assertThat(contents.damagedBytes).isZero();
        assertThat(contents.flawed).isZero();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void timesAreThoseOfAnEstablishedReader(String name) throws IOException {
        Contents contents = Contents.of(TestLogs.real(name), 65_536);

        Map<String, String> topics = expected(name);
        topics.remove("");
        Map<String, String> read = new LinkedHashMap<>();
        for (String topic : topics.keySet()) {
            List<Long> times = contents.times.getOrDefault(topic, List.of());
            read.put(topic, times.size() + " " + times.get(0) + " " + times.get(times.size() - 1) + " " + crc(times));
        }
        topics.replaceAll((topic, line) -> line.substring(0, line.lastIndexOf(' ')));
        assertThat(read).isEqualTo(topics);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void valuesAreThoseOfAnEstablishedReader(String name) throws IOException {
        byte[] log = TestLogs.real(name);
        ColumnSums sums = new ColumnSums();
        ULogReader reader = new ULogReader(sums);
        reader.feed(log, 0, log.length);
        reader.finish();

        Map<String, String> topics = expected(name);
        topics.remove("");
        assertThat(topics).isNotEmpty();
        topics.forEach(
                (topic, line) -> assertThat(line).as("%s: %s", name, topic).endsWith(" " + sums.of(topic)));
    }

    @ParameterizedTest
    @MethodSource("corruptLogs")
    void readsAtLeastAsMuchOfACorruptLog(String name) throws IOException {
        Contents contents = Contents.of(TestLogs.real(name), 4096);

        Map<String, String> expected = expected(name);
        String totals = at(expected, "");
        long least = Long.parseLong(totals.substring(totals.lastIndexOf(' ') + 1));
        assertThat(contents.totals().samples()).isGreaterThanOrEqualTo(least);
        expected.remove("");
        expected.forEach((topic, line) -> assertThat(contents.samples.getOrDefault(topic, 0))
                .as("%s: %s", name, topic)
                .isGreaterThanOrEqualTo(Integer.parseInt(line.substring(0, line.indexOf(' ')))));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void scannedAndWrittenAgainIsTheSame(String name) throws IOException {
        byte[] log = TestLogs.real(name);

        for (int chunk : new int[] {1, 7, 4096, log.length}) {
            Copy copy = new Copy(log);
            ULogScanner scanner = new ULogScanner(copy);
            for (int at = 0; at < log.length; at += chunk) {
                scanner.feed(log, at, Math.min(chunk, log.length - at));
            }
            scanner.finish();

            assertThat(copy.isSame()).as("%s in chunks of %d", name, chunk).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void repairOfAWholeLogLeavesItTheSame(String name, @TempDir Path directory) throws IOException {
        byte[] log = TestLogs.real(name);
        Path file = Files.write(directory.resolve("log.ulg"), log);
        MemorySink sink = new MemorySink();

        RepairResult result = ULogRepair.repair(file, sink, ULogRepair.Orphans.DROP);

        assertThat(result.isWhole()).isTrue();
        if (name.contains("appended")) {
            // The log's appended sections become part of the data.
            Arrays.fill(log, ULogLayout.INCOMPAT_FLAGS_POSITION, 16 + MessageEncoder.FLAG_BITS_LENGTH, (byte) 0);
        }
        assertThat(Arrays.equals(sink.toByteArray(), log)).isTrue();
    }

    private static Map<String, String> expected(String name) throws IOException {
        Map<String, String> expected = new LinkedHashMap<>();
        try (BufferedReader table =
                new BufferedReader(new InputStreamReader(TestLogs.open("real-logs.txt"), StandardCharsets.UTF_8))) {
            boolean here = false;
            for (String line : new ArrayList<>(table.lines().toList())) {
                if (line.startsWith("log ")) {
                    here = line.startsWith("log " + name + " ");
                    if (here) {
                        expected.put("", line.substring(4));
                    }
                } else if (here) {
                    String[] words = line.split(" ", 3);
                    expected.put(words[1], words[2]);
                }
            }
        }
        return expected;
    }

    private static String crc(List<Long> times) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * times.size()).order(ByteOrder.LITTLE_ENDIAN);
        times.forEach(bytes::putLong);
        CRC32 crc = new CRC32();
        crc.update(bytes.flip());
        return String.format("%08x", crc.getValue());
    }

    /** Joins the messages and compares them with the log as they arrive. */
    private static final class Copy implements ScanHandler {
        private final byte[] log;
        private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

        Copy(byte[] log) {
            this.log = log;
            copy.write(log, 0, ULogLayout.HEADER_LENGTH);
        }

        boolean isSame() {
            return Arrays.equals(copy.toByteArray(), log);
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            copy.write(buffer, offset, length);
        }

        @Override
        public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
            copy.write(buffer, offset, length);
        }
    }
}
