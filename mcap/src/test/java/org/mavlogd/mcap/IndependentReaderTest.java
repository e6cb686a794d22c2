package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An independent reader reads what the writer writes, from the start and by the index. */
class IndependentReaderTest {
    private static final Path SCRIPT = script();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void readsTheSame(long seed, @TempDir Path directory) throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in mcap/src/test/node")
                .isTrue();
        GeneratedFile file = new GeneratedFile(seed);
        Path path = Files.write(directory.resolve("file.mcap"), file.bytes);
        Path output = directory.resolve("output.txt");

        Process node = new ProcessBuilder("node", SCRIPT.toString(), path.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(node.waitFor(120, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(node.exitValue()).as("%s", lines).isZero();
        int middle = lines.indexOf("indexed");
        List<String> expected = lines(file);
        assertThat(sorted(lines.subList(0, middle))).isEqualTo(sorted(expected));
        assertThat(sorted(lines.subList(middle + 1, lines.size()))).isEqualTo(sorted(expected));
    }

    private static List<String> lines(GeneratedFile file) throws IOException {
        List<String> lines = new ArrayList<>();
        Contents contents = Contents.of(file.bytes);
        file.schemas.forEach(schema -> lines.add("S " + schema.id() + " " + json(schema.name()) + " "
                + json(schema.encoding()) + " " + HexFormat.of().formatHex(Contents.bytes(schema.data()))));
        file.channels.forEach(channel -> lines.add("C " + channel.id() + " " + channel.schemaId() + " "
                + json(channel.topic()) + " " + json(channel.messageEncoding()) + " " + json(channel.metadata())));
        file.messages.forEach(message -> lines.add("M " + message));
        file.metadata.forEach(record -> lines.add("N " + json(record.name()) + " " + json(record.values())));
        List<McapRecord.Attachment> attachments = contents.all(McapRecord.Attachment.class);
        for (int i = 0; i < attachments.size(); i++) {
            McapRecord.Attachment attachment = attachments.get(i);
            lines.add("A " + Long.toUnsignedString(attachment.logTimeNs()) + " "
                    + Long.toUnsignedString(attachment.createTimeNs()) + " " + json(attachment.name()) + " "
                    + json(attachment.mediaType()) + " "
                    + HexFormat.of().formatHex(file.attachments.get(i)));
        }
        McapRecord.Statistics totals = contents.all(McapRecord.Statistics.class).get(0);
        lines.add("T " + totals.messages() + " " + totals.schemas() + " " + totals.channels() + " "
                + totals.attachments() + " " + totals.metadata() + " " + totals.chunks() + " "
                + Long.toUnsignedString(totals.startTimeNs()) + " " + Long.toUnsignedString(totals.endTimeNs()));
        return lines;
    }

    /** Sorts the lines; repeated schemas and channels count once. */
    private static List<String> sorted(List<String> lines) {
        List<String> definitions = lines.stream()
                .filter(line -> line.matches("[SC] .*"))
                .distinct()
                .toList();
        List<String> others =
                lines.stream().filter(line -> !line.matches("[SC] .*")).toList();
        List<String> sorted = new ArrayList<>(definitions);
        sorted.addAll(others);
        sorted.sort(null);
        return sorted;
    }

    private static String json(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\0", "\\u0000") + "\"";
    }

    private static String json(Map<String, String> map) {
        return map.entrySet().stream()
                .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Path script() {
        Path inModule = Path.of("src/test/node/print.mjs");
        return Files.exists(inModule) ? inModule : Path.of("mcap/src/test/node/print.mjs");
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
