package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** An independent reader reads every sample and text of converted logs with the values that ours reads, to the bit. */
class IndependentReaderTest {
    private static final Path SCRIPT = script();

    static List<String> logs() {
        return Captures.names();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void readsConvertedLogsWithEqualContent(String name, @TempDir Path directory) throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in ulog-writer/src/test/node")
                .isTrue();
        for (ULogMapper.Values values : ULogMapper.Values.values()) {
            Mapped mapped = Mapped.of(Captures.log(name), values, 4096);
            Path file = Files.write(directory.resolve(values + ".ulg"), mapped.bytes);
            Path output = directory.resolve(values + ".txt");

            Process node = new ProcessBuilder("node", SCRIPT.toString(), file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();

            assertThat(node.waitFor(120, TimeUnit.SECONDS)).isTrue();
            // That reader orders by time; samples with the same time come in any order.
            try (Stream<String> lines = Files.lines(output, StandardCharsets.UTF_8)) {
                assertThat(lines.sorted().toList())
                        .containsExactlyElementsOf(
                                Lines.of(mapped.bytes).lines.stream().sorted().toList());
            }
        }
    }

    private static Path script() {
        Path inModule = Path.of("../ulog-writer/src/test/node/print.mjs");
        return Files.exists(inModule) ? inModule : Path.of("ulog-writer/src/test/node/print.mjs");
    }

    private static boolean hasNode() throws InterruptedException {
        if (!Files.isDirectory(SCRIPT.resolveSibling("node_modules"))) {
            return false;
        }
        try {
            return new ProcessBuilder("node", "--version").start().waitFor(50, TimeUnit.SECONDS);
        } catch (IOException missing) {
            return false;
        }
    }

    /** The contents read by our reader, in the format of the script. */
    private static final class Lines implements ULogHandler {
        private final List<String> lines = new ArrayList<>();

        static Lines of(byte[] log) throws IOException {
            Lines lines = new Lines();
            ULogReader reader = new ULogReader(lines);
            reader.feed(log, 0, log.length);
            reader.finish();
            return lines;
        }

        @Override
        public void onSample(SampleView sample) {
            StringBuilder line = new StringBuilder("D ").append(sample.topic().messageId());
            for (Column column : sample.topic().layout().orElseThrow().columns()) {
                if (column.type() == FieldType.CHAR) {
                    line.append(' ').append(column.path()).append("=\"");
                    line.append(sample.text(column)).append('"');
                    continue;
                }
                for (int i = 0; i < column.count(); i++) {
                    line.append(' ').append(column.path());
                    line.append(column.isArray() ? "[" + i + "]" : "").append('=');
                    line.append(value(sample, column, i));
                }
            }
            lines.add(line.toString());
        }

        private static String value(SampleView sample, Column column, int index) {
            if (column.type() == FieldType.UINT64) {
                return Long.toUnsignedString(sample.integer(column, index));
            }
            if (column.type() == FieldType.INT64) {
                return Long.toString(sample.integer(column, index));
            }
            return Long.toHexString(Double.doubleToRawLongBits(sample.number(column, index)));
        }

        @Override
        public void onLoggedText(LoggedText text) {
            lines.add("L " + text.level().code() + " " + text.timestampUs() + " " + text.text());
        }
    }
}
