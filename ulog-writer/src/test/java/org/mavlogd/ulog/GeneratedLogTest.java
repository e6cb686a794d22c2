package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of generated formats are read back unchanged, by this reader and by an independent one. */
class GeneratedLogTest {
    private static final int SEEDS = 40;
    private static final Path SCRIPT = Path.of("src/test/node/print.mjs");

    @Test
    void readsWhatWasWritten() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            GeneratedLog log = new GeneratedLog(seed, 200);
            for (int chunk : new int[] {1, 7, 4096, log.bytes.length}) {
                Lines lines = new Lines();
                ULogReader reader = new ULogReader(lines);
                for (int at = 0; at < log.bytes.length; at += chunk) {
                    reader.feed(log.bytes, at, Math.min(chunk, log.bytes.length - at));
                }
                reader.finish();
                assertThat(lines.lines)
                        .as("seed %d in chunks of %d", seed, chunk)
                        .isEqualTo(log.lines);
            }
        }
    }

    @Test
    void writtenAgainIsTheSame() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            GeneratedLog log = new GeneratedLog(seed, 100);
            MemorySink sink = new MemorySink();
            ULogRepair repair = new ULogRepair(sink, ULogRepair.Orphans.DROP);

            repair.feed(log.bytes, 0, log.bytes.length);

            assertThat(repair.finish().isWhole()).as("seed %d", seed).isTrue();
            assertThat(sink.toByteArray()).as("seed %d", seed).isEqualTo(log.bytes);
        }
    }

    @Test
    void independentReaderReadsWhatWasWritten(@TempDir Path directory) throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in ulog-writer/src/test/node")
                .isTrue();
        for (long seed = 1; seed <= 5; seed++) {
            GeneratedLog log = new GeneratedLog(seed, 300);
            Path file = Files.write(directory.resolve(seed + ".ulg"), log.bytes);
            Path output = directory.resolve(seed + ".txt");

            Process node = new ProcessBuilder("node", SCRIPT.toString(), file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();

            assertThat(node.waitFor(60, TimeUnit.SECONDS)).as("seed %d", seed).isTrue();
            assertThat(Files.readAllLines(output, StandardCharsets.UTF_8))
                    .as("seed %d", seed)
                    .isEqualTo(log.lines);
        }
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

    private static final class Lines implements ULogHandler {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void onSample(SampleView sample) {
            StringBuilder line = new StringBuilder("D ").append(sample.topic().messageId());
            for (Column column : sample.topic().layout().orElseThrow().columns()) {
                if (column.type() == FieldType.CHAR) {
                    line.append(' ')
                            .append(column.path())
                            .append("=\"")
                            .append(sample.text(column))
                            .append('"');
                    continue;
                }
                for (int i = 0; i < column.count(); i++) {
                    String value = column.type().isInteger()
                            ? GeneratedLog.text(column.type(), sample.integer(column, i))
                            : GeneratedLog.number(sample.number(column, i));
                    line.append(' ')
                            .append(GeneratedLog.path(column, i))
                            .append('=')
                            .append(value);
                }
            }
            lines.add(line.toString());
        }

        @Override
        public void onLoggedText(LoggedText text) {
            lines.add("L " + text.level().code() + " " + text.timestampUs() + " " + text.text());
        }
    }
}
