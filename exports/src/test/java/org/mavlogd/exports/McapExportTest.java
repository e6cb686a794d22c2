package org.mavlogd.exports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.mcap.McapHandler;
import org.mavlogd.mcap.McapReader;
import org.mavlogd.mcap.McapRecord;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Exported logs contain what the ULog reader reads, to the bit, according to independent readers. */
class McapExportTest {
    /** The logs to export; those of another directory with {@code -Dexports.logs=DIR}. */
    private static final Path LOGS =
            existing(System.getProperty("exports.logs", "../ulog-writer/src/test/resources/org/mavlogd/ulog"));

    private static final Path SCRIPT = existing("../mcap/src/test/node/values.mjs");
    private static final long BOOT_UTC_US = 1_774_038_053_123_456L;

    @TempDir
    private Path directory = Path.of(".");

    static List<String> logs() throws IOException {
        try (Stream<Path> files = Files.list(LOGS)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".ulg.gz"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void independentReadersReadAllOfALog(String name) throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in mcap/src/test/node")
                .isTrue();
        byte[] log = log(name);
        long offsetUs = name.contains("small") ? BOOT_UTC_US : 0;
        ExpectedLines expected = ExpectedLines.of(log, offsetUs);

        List<String> lines = read(export(log, offsetUs));

        List<String> messages =
                lines.stream().filter(line -> !line.startsWith("N ")).toList();
        assertThat(messages.size()).isEqualTo(expected.lines.size());
        for (int i = 0; i < messages.size(); i++) {
            assertThat(messages.get(i)).isEqualTo(expected.lines.get(i));
        }
        List<String> metadata =
                lines.stream().filter(line -> line.startsWith("N ")).toList();
        assertThat(metadata).hasSize(expected.infoNames.isEmpty() ? 0 : 1);
        expected.infoNames.forEach(info -> assertThat(metadata.get(0)).contains(" " + info + "="));
    }

    @Test
    void channelsAndSchemasHaveTheNamesOfTheMapping() throws IOException {
        List<McapRecord> records = records(export(log("mcap_ulog2mcap_test.ulg.gz"), 0));

        assertThat(records.get(0)).isEqualTo(new McapRecord.Header("px4", "test"));
        List<McapRecord.Channel> channels = all(records, McapRecord.Channel.class);
        assertThat(channels).allSatisfy(channel -> {
            assertThat(channel.messageEncoding()).isEqualTo("protobuf");
            if (channel.topic().contains("/")) {
                assertThat(channel.topic()).endsWith("/" + channel.metadata().get("multi_id"));
            }
        });
        assertThat(channels).extracting(McapRecord.Channel::topic).contains("parameters", "log_message", "log");
        assertThat(all(records, McapRecord.Schema.class))
                .allSatisfy(schema -> {
                    assertThat(schema.name()).matches("px4\\.\\w+|foxglove\\.Log");
                    assertThat(schema.encoding()).isEqualTo("protobuf");
                })
                .extracting(McapRecord.Schema::name)
                .contains("px4.parameter", "px4.log_message", "foxglove.Log");
    }

    static byte[] log(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(LOGS.resolve(name)))) {
            return in.readAllBytes();
        }
    }

    static byte[] export(byte[] log, long bootUtcUs) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapExport export = new McapExport(Channels.newChannel(out), "test", bootUtcUs, new ULogHandler() {});
        ULogReader reader = new ULogReader(export);
        reader.feed(log, 0, log.length);
        reader.finish();
        export.finish();
        return out.toByteArray();
    }

    static List<McapRecord> records(byte[] file) throws IOException {
        List<McapRecord> records = new ArrayList<>();
        McapReader.Ending ending = new McapReader(
                        Channels.newChannel(new ByteArrayInputStream(file)), new McapHandler() {
                            @Override
                            public void onRecord(McapRecord record) {
                                records.add(record);
                            }
                        })
                .read();
        assertThat(ending.isComplete()).isTrue();
        return records;
    }

    static <T extends McapRecord> List<T> all(List<McapRecord> records, Class<T> type) {
        return records.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private List<String> read(byte[] file) throws Exception {
        Path path = Files.write(directory.resolve("log.mcap"), file);
        Path output = directory.resolve("output.txt");
        Process node = new ProcessBuilder("node", SCRIPT.toString(), path.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(node.waitFor(300, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(node.exitValue())
                .as("%s", lines.subList(0, Math.min(20, lines.size())))
                .isZero();
        return lines;
    }

    private static Path existing(String fromModule) {
        Path path = Path.of(fromModule);
        return Files.exists(path) ? path : Path.of(fromModule.substring("../".length()));
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
}
