package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.JsonTree;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.logtools.Logs;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** {@code mavlogd messages} as users run it. */
class MessagesCommandTest {
    /** The events of PX4's log, in the order of their times. */
    private static final List<String> EVENTS = List.of(
            "Arming check summary event",
            "No valid mission available",
            "No offboard signal",
            "No manual control input",
            "No connection to the ground control station",
            "Health report summary event",
            "Armed by internal command",
            "Using default takeoff altitude: 2.50 m",
            "Takeoff detected",
            "Landing at current position",
            "Landing detected",
            "Disarmed by landing");

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    private static byte[] px4Log() throws IOException {
        try (InputStream in =
                new GZIPInputStream(Objects.requireNonNull(Logs.class.getResourceAsStream("px4_events.ulg.gz")))) {
            return in.readAllBytes();
        }
    }

    private Path px4() throws IOException {
        return file("px4.ulg", px4Log());
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private Path texts() throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 1_000_000, WriterSettings.DEFAULT)) {
            log.info("recorder_tags", "3=camera");
            log.info("boot_time_utc_us", 0);
            log.loggedString(LogLevel.INFO, 1_500_000, "third");
            log.loggedString(LogLevel.WARNING, 1_200_000, "first\t");
            log.taggedString(LogLevel.ERROR, 3, 1_300_000, "second \u001B[31m");
            log.taggedString(LogLevel.DEBUG, 4711, 2_000_000, "fourth");
        }
        return file("texts.ulg", sink.toByteArray());
    }

    private List<Map<String, Object>> json() throws IOException {
        List<Map<String, Object>> messages = new ArrayList<>();
        for (String line : shell.out().lines().toList()) {
            messages.add(JsonTree.read(line));
        }
        return messages;
    }

    private static List<Object> texts(List<Map<String, Object>> messages) {
        return messages.stream()
                .map(message -> Objects.requireNonNull(message.get("message")))
                .toList();
    }

    @Test
    void decodesEveryEventWithTheDefinitionsInTheLog() throws IOException {
        assertThat(shell.run("messages", "--json", px4())).as(shell.err()).isZero();

        List<Map<String, Object>> events = json().stream()
                .filter(message -> message.containsValue("event"))
                .toList();
        assertThat(texts(events)).isEqualTo(EVENTS);
        assertThat(events.get(6).keySet()).containsExactly("t_us", "utc", "level", "kind", "message");
        assertThat(events.get(6)).containsEntry("t_us", 10_064_000L).containsEntry("level", "info");
        assertThat(events.get(2)).containsEntry("level", "error");
    }

    @Test
    void textsThatPx4RepeatsAreLeftOutAndAllOthersStay() throws IOException {
        shell.run("messages", "--json", px4());

        assertThat(texts(json().stream()
                        .filter(message -> message.containsValue("logged"))
                        .toList()))
                .containsExactly(
                        "[logger] Start mavlink log",
                        "[tone_alarm] arming warning",
                        "[tone_alarm] notify neutral",
                        "[logger] closed logfile, bytes written: 2848152");
    }

    @Test
    void aTextWhoseEventWasLostStays() throws IOException {
        byte[] log = px4Log();
        // The subscription to the events.
        int at = new String(log, StandardCharsets.ISO_8859_1).lastIndexOf("event");
        log[at] = 'x';

        assertThat(shell.run("messages", "--json", file("lost.ulg", log))).isEqualTo(3);

        assertThat(texts(json())).contains("[commander] Takeoff detected").hasSize(10);
    }

    /** A damaged time of the satellite receiver would move the start of the clock before the range of Java's times. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 1L << 62, 4_102_444_800_000_001L, -1})
    void utcOfAnImpossibleTimeIsNone(long timestampUs) throws IOException {
        ByteBuffer log = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 1_000_000);
        MessageEncoder.flagBits(log, 0);
        MessageEncoder.format(log, "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;uint8_t fix_type;");
        MessageEncoder.subscription(log, 0, 0, "vehicle_gps_position");
        log.putShort((short) 19).put((byte) 'D').putShort((short) 0);
        log.putLong(timestampUs).putLong(1_774_038_053_123_456L).put((byte) 3);
        log.putShort((short) 14).put((byte) 'L').put((byte) '6').putLong(2_000_000);
        log.put("armed".getBytes(StandardCharsets.US_ASCII));
        byte[] bytes = Arrays.copyOf(log.array(), log.position());

        assertThat(shell.run("messages", "--json", file("utc.ulg", bytes))).isZero();
        assertThat(shell.out()).contains("\"utc\":null,").contains("armed");
        assertThat(shell.run("messages", "--from", "2020-01-01T00:00:00Z", file("utc.ulg", bytes)))
                .isEqualTo(1);
        assertThat(shell.err()).contains("the log has no UTC").hasLineCount(1);
    }

    /** A log that ends within the definitions of events has no checksum of them. */
    @Test
    void definitionsThatEndTooEarlyAreReportedInWords() throws IOException {
        byte[] log = px4Log();
        String text = new String(log, StandardCharsets.ISO_8859_1);
        log[text.indexOf("metadata_events_sha256")] = 'x';
        log[new String(log, StandardCharsets.ISO_8859_1).lastIndexOf("metadata_events")] = 'x';

        assertThat(shell.run("messages", "--json", file("cut.ulg", log))).isEqualTo(3);

        assertThat(shell.err())
                .containsPattern("the definitions of its events cannot be read: incomplete after [0-9]+ bytes")
                .hasLineCount(1);
    }

    @Test
    void eventsWithoutDefinitionsAreListedByTheirNumber() throws IOException {
        byte[] log = px4Log();
        int at = new String(log, StandardCharsets.ISO_8859_1).indexOf("metadata_events");
        log[at + 1000] ^= 1;

        assertThat(shell.run("messages", "--json", file("bad.ulg", log))).isEqualTo(3);

        assertThat(shell.err())
                .contains("the definitions of its events cannot be read: damaged or incomplete")
                .hasLineCount(1);
        assertThat(texts(json()))
                .contains("event 26266355, not defined in the log, arguments 03")
                .contains("[commander] Armed by internal command")
                .hasSize(12 + 10);
    }

    @Test
    void anyByteOfTheDefinitionsMayBeWrong() throws IOException {
        byte[] log = px4Log();
        int at = new String(log, StandardCharsets.ISO_8859_1).indexOf("metadata_events");
        // Without the checksum, the damage reaches the decompressor and the JSON parser.
        String name = "metadata_events_sha256";
        int checksum = new String(log, StandardCharsets.ISO_8859_1).indexOf(name);
        log[checksum] = 'x';
        for (int i = 0; i < 120; i++) {
            byte[] damaged = log.clone();
            damaged[at + "metadata_events".length() + i * 97 % 1169] ^= (byte) (1 << i % 8);

            assertThat(shell.run("messages", "--json", file("bad.ulg", damaged)))
                    .as("byte " + i * 97 % 1169)
                    .isIn(0, 3);

            assertThat(shell.err().lines().count()).as(shell.err()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void jsonHasTheFixedForm() throws IOException {
        assertThat(shell.run("messages", "--json", texts())).isZero();

        assertThat(shell.out().lines())
                .containsExactly(
                        "{\"t_us\":1200000,\"utc\":null,\"level\":\"warning\",\"kind\":\"logged\",\"message\":\"first\"}",
                        "{\"t_us\":1300000,\"utc\":null,\"level\":\"error\",\"kind\":\"tagged\",\"tag\":\"camera\","
                                + "\"message\":\"second \\u001B[31m\"}",
                        "{\"t_us\":1500000,\"utc\":null,\"level\":\"info\",\"kind\":\"logged\",\"message\":\"third\"}",
                        "{\"t_us\":2000000,\"utc\":null,\"level\":\"debug\",\"kind\":\"tagged\",\"tag\":4711,"
                                + "\"message\":\"fourth\"}");
    }

    @Test
    void linesForPeopleSteerNoTerminal() throws IOException {
        assertThat(shell.run("messages", texts())).isZero();

        assertThat(shell.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "1.200 s warning first",
                        "1.300 s error [camera] second [31m",
                        "1.500 s info third",
                        "2.000 s debug [4711] fourth");
    }

    @Test
    void levelTagAndTimeChoose() throws IOException {
        Path log = texts();

        assertChosen(log, List.of("first", "second \u001B[31m"), "--level", "warn");
        assertChosen(log, List.of("first", "second \u001B[31m"), "--level", "WARNING");
        assertChosen(log, List.of("second \u001B[31m"), "--tag", "camera");
        assertChosen(log, List.of("fourth"), "--tag", "4711");
        assertChosen(log, List.of("third", "fourth"), "--from", "1.5");
        assertChosen(log, List.of("third"), "--from", "+0.5s", "--to", "1.9");
        assertChosen(log, List.of(), "--from", "3");
        assertThat(shell.run("messages", log, "--level", "warnin")).isEqualTo(2);
        assertThat(shell.err()).contains("did you mean \"warning\"?").hasLineCount(1);
        assertThat(shell.run("messages", log, "--from", "yesterday")).isEqualTo(2);
        assertThat(shell.err()).contains("is not a time").hasLineCount(1);
        assertThat(shell.run("messages", log, "--from", "2026-01-01T00:00:00Z")).isEqualTo(1);
        assertThat(shell.err()).contains("has no UTC").hasLineCount(1);
    }

    private void assertChosen(Path log, List<String> expected, String... options) throws IOException {
        List<Object> words = new ArrayList<>(List.of("messages", "--json", log));
        words.addAll(Arrays.asList(options));
        assertThat(shell.run(words.toArray())).as(shell.err()).isZero();
        assertThat(texts(json())).isEqualTo(expected);
    }

    @Test
    void timesInUtcChoose() throws IOException {
        Path bin = file("s1.bin", Captures.log("s1_clean_rover.mav.bin"));
        shell.run("messages", "--json", bin);
        List<Map<String, Object>> all = json();
        Object utc = Objects.requireNonNull(all.get(3).get("utc"));

        assertThat(shell.run("messages", "--json", bin, "--to", utc)).isIn(0, 3);

        assertThat(texts(json()))
                .isEqualTo(texts(all.stream()
                        .filter(message -> String.valueOf(message.get("utc")).compareTo(utc.toString()) <= 0)
                        .toList()))
                .hasSizeBetween(4, all.size() - 1);
    }

    @Test
    void aLogOfAnyLengthIsReadInBoundedMemoryAndInOrder() throws IOException {
        MemorySink sink = new MemorySink();
        int count = 120_000;
        try (ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT)) {
            for (int i = 0; i < count; i++) {
                // Each is up to 2 ms late.
                log.loggedString(LogLevel.INFO, 1_000L * (i ^ 1), "m" + (i ^ 1));
            }
        }
        assertThat(shell.run("messages", file("long.ulg", sink.toByteArray()))).isZero();

        List<String> lines = shell.out().lines().toList();
        assertThat(lines).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(lines.get(i)).endsWith(" m" + i);
        }
    }

    @Test
    void followsALogUntilItIsFinished() throws IOException {
        byte[] log = px4Log();
        int half = new String(log, StandardCharsets.ISO_8859_1).indexOf("[commander] Landing at");
        Path part = file("flight.ulg.part", Arrays.copyOf(log, half));
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> shell.run("messages", "--follow", part));

        await().atMost(Duration.ofSeconds(60)).until(() -> shell.out().contains("Armed by internal command"));
        assertThat(code).isNotDone();
        assertThat(shell.out()).doesNotContain("Landing detected");
        Files.write(part, Arrays.copyOfRange(log, half, log.length), StandardOpenOption.APPEND);
        await().atMost(Duration.ofSeconds(60)).until(() -> shell.out().contains("Landing detected"));
        assertThat(code).isNotDone();
        Files.move(part, directory.resolve("flight.ulg"));

        assertThat(code).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(0);
        String followed = shell.out();
        shell.run("messages", directory.resolve("flight.ulg"));
        assertThat(followed).isEqualTo(shell.out());
    }

    @Test
    void reportsATagThatTheLogDoesNotHave() throws IOException {
        Path log = texts();

        assertThat(shell.run("messages", "--tag", "camra", log)).isEqualTo(1);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err())
                .isEqualTo("mavlogd messages: " + log + ": no message has the tag \"camra\" (did you mean \"camera\"?);"
                        + " their tags: camera, 4711\n");
        assertThat(shell.run("messages", "--tag", "4712", log)).isEqualTo(1);
        assertThat(shell.err()).contains("\"4712\" (did you mean \"4711\"?)");
        assertThat(shell.run("messages", "--tag", "x", px4())).isEqualTo(1);
        assertThat(shell.err()).contains("no message has the tag \"x\"; no message is tagged");
        // The tag is there, although no message of it is selected.
        assertThat(shell.run("messages", "--tag", "camera", "--level", "alert", log))
                .isZero();
        assertThat(shell.err()).isEmpty();
    }

    @Test
    void aTagThatTheLogNamesMayBeWithoutMessages() throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 1_000_000, WriterSettings.DEFAULT)) {
            log.info("recorder_tags", TagMap.of(Map.of("winch", 100)).infoText());
            for (int tag = 1; tag <= 12; tag++) {
                log.taggedString(LogLevel.INFO, tag, 1_500_000, "message");
            }
        }
        Path file = file("named.ulg", sink.toByteArray());

        for (String tag : new String[] {"winch", "Winch", "100"}) {
            assertThat(shell.run("messages", "--tag", tag, file)).isZero();
            assertThat(shell.err())
                    .contains("no message has the tag \"" + tag + "\"; their tags: mavlink_handler, ")
                    .endsWith("ulg, 10 and 2 more\n");
        }
    }

    @Test
    void followingWaitsForAMissingTag() throws IOException {
        byte[] log = Files.readAllBytes(texts());
        Path part = file("tagged.ulg.part", log);
        CompletableFuture<Integer> code =
                CompletableFuture.supplyAsync(() -> shell.run("messages", "--follow", "--tag", "winch", part));

        await().atMost(Duration.ofSeconds(60)).until(() -> shell.err().contains("; waiting for it"));
        assertThat(code).isNotDone();
        Files.move(part, directory.resolve("tagged.ulg"));

        assertThat(code).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(1);
        assertThat(shell.err()).hasLineCount(2).endsWith("their tags: camera, 4711\n");
    }

    @Test
    void onlyAFileWithAULogCanBeFollowed() throws IOException {
        assertThat(shell.run("messages", "--follow", file("a.bin", Captures.log("s1_clean_rover.mav.bin"))))
                .isEqualTo(1);
        assertThat(shell.err())
                .contains("only a file with a ULog can be followed")
                .hasLineCount(1);
        assertThat(shell.run("messages", "--follow", px4())).isZero();
        assertThat(shell.out()).contains("Disarmed by landing");
    }

    @Test
    void everyDamagedLogGivesAResultOrAnError() throws IOException {
        for (Map.Entry<String, byte[]> corner : Logs.corners().entrySet()) {
            Path log = file("corner.ulg", corner.getValue());
            for (List<Object> words : List.<List<Object>>of(
                    List.of("messages", log), List.of("messages", "--json", log), List.of("params", log))) {
                assertThat(shell.run(words.toArray())).as(corner.getKey()).isIn(0, 1, 3);
                assertThat(shell.err().lines().count())
                        .as(corner.getKey() + shell.err())
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void aTopicThatIsOnlyCalledEventIsNoEvent() throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("event:uint64_t timestamp;float id;uint8_t arguments;"));
            log.subscribe("event", 0).writeRaw(new byte[13], 0, 13);
        }

        assertThat(shell.run("messages", file("other.ulg", sink.toByteArray()))).isZero();
        assertThat(shell.out()).isEmpty();
    }
}
