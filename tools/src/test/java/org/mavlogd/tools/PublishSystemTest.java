package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.JsonTree;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.link.Link;
import org.mavlogd.link.UnixSender;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;
import org.mavlogd.wiring.LocalSources;
import org.mavlogd.wiring.RecorderFigures;
import org.mavlogd.wiring.SharedParts;

/** Programs that publish through real sockets: by hand and with the command. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishSystemTest {
    private static final String SAMPLE = "{\"topic\":\"winch\",\"fields\":{\"load_kg\":12.4,\"turns\":3}}";
    private static final int RATE = 20_000;

    @TempDir
    private Path directory;

    private final Metrics metrics = new Metrics();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final StringWriter err = new StringWriter();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Path socket() {
        return directory.resolve("p.sock");
    }

    /** Starts a daemon with the topic winch; returns the feeds of the sockets in the order of their configuration. */
    private List<TakenSamples> start(String keys) throws IOException, ConfigException {
        Path file = directory.resolve("c.toml");
        Files.writeString(
                file,
                "[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n[system]\nenabled = false\n[publish]\nsocket = \""
                        + socket() + "\"\nmode = \"0600\"\n" + keys
                        + "[[topic]]\nname = \"winch\"\nfields = [\"float load_kg kg\", \"uint32_t turns\"]\n");
        LocalSources sources = new LocalSources(
                Settings.load(file).local(),
                new SharedParts(metrics, MemoryBudget.ofHeap(), SystemNanoClock.INSTANCE),
                new RecorderFigures(metrics, () -> 0, new Peak()),
                (nowNs, listener) -> {});
        open.add(sources);
        sources.start();
        SystemTests.await(
                "sockets",
                () -> sources.linkStatuses().stream()
                        .allMatch(link -> link.state() == Link.Status.State.UP
                                || link.detail().startsWith("listening")));
        return sources.feeds().stream()
                .filter(feed -> feed.name().startsWith("publish"))
                .map(TakenSamples::new)
                .toList();
    }

    private static Sample awaitSample(TakenSamples feed) {
        return awaitSamples(feed, 1).get(0);
    }

    private static List<Sample> awaitSamples(TakenSamples feed, int count) {
        List<Sample> samples = new ArrayList<>();
        SystemTests.await(count + " samples", () -> {
            samples.addAll(feed.take());
            return samples.size() >= count;
        });
        return samples;
    }

    private long counted(String metric) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_" + metric))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private int publish(String... words) {
        return Main.commandLine().setErr(new PrintWriter(err)).execute(command(words));
    }

    private String[] command(String... words) {
        List<String> command = new ArrayList<>(List.of("publish", "--socket", socket().toString()));
        command.addAll(List.of(words));
        return command.toArray(String[]::new);
    }

    private int pipe(String lines) {
        InputStream terminal = System.in;
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        try {
            return publish("-");
        } finally {
            System.setIn(terminal);
        }
    }

    @Test
    void programPublishesThroughTheUnixSocket() throws Exception {
        TakenSamples feed = start("").get(0);
        long beforeNs = System.nanoTime();

        try (UnixSender program = UnixSender.named(directory.resolve("a.sock"), socket())) {
            program.send(SAMPLE);
            Sample sample = awaitSample(feed);
            assertThat(sample.takenNs()).isBetween(beforeNs, System.nanoTime());
            assertThat(sample.unit("load_kg")).isEqualTo("kg");
            program.send("{\"topic\":\"winch\"}");
            assertThat(program.receive()).isEqualTo("{\"error\":\"\\\"fields\\\" is missing\",\"line\":1}\n");
        }
        close();
        open.clear();
        assertThat(socket()).doesNotExist();
    }

    @Test
    void timeOfPythonsMonotonicClockIsOurs() throws Exception {
        TakenSamples feed = start("").get(0);
        Assumptions.assumeTrue(hasPython(), "python3 is not installed: test with it is skipped");

        Process python = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import socket,time,json\ns=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)\n"
                                + "for k,v in (('time',time.monotonic()),('time_ns',time.monotonic_ns()),('utc',time.time())):\n"
                                + " s.sendto(json.dumps({'topic':'winch','fields':{'load_kg':1,'turns':1},k:v}).encode(),'"
                                + socket() + "')")
                .inheritIO()
                .start();
        assertThat(python.waitFor()).isZero();

        for (Sample sample : awaitSamples(feed, 3)) {
            assertThat(System.nanoTime() - sample.takenNs()).isBetween(0L, TimeUnit.SECONDS.toNanos(30));
        }
    }

    @Test
    void programPublishesAndIsAnsweredOverUdp() throws Exception {
        int port = FreePorts.udp();
        TakenSamples feed = start("udp = \"127.0.0.1:" + port + "\"\n").get(1);

        try (DatagramSocket program = new DatagramSocket()) {
            byte[] lines = (SAMPLE + "\nnonsense").getBytes(StandardCharsets.US_ASCII);
            program.send(new DatagramPacket(lines, lines.length, InetAddress.getLoopbackAddress(), port));
            assertThat(awaitSample(feed).number("turns")).isEqualTo(3);
            DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
            program.setSoTimeout(50_000);
            program.receive(answer);
            assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"error\":\"expected a JSON object, found \\\"nonsense\\\"\",\"line\":2}\n");
        }
    }

    @Test
    void commandPublishesSamplesTextsAndDefinitions() throws Exception {
        TakenSamples feed = start("").get(0);

        assertThat(publish("winch", "load_kg=12.5", "turns=7", "--instance", "3"))
                .isZero();
        assertThat(publish("--define", "arm", "angle=float[2]:rad", "state=char[8]", "on=bool"))
                .isZero();
        assertThat(publish("arm", "angle=[1,-2.5e-1]", "state=idle", "on=true", "--utc", utcNow()))
                .isZero();
        assertThat(publish("--text", "say \"hi\"", "--level", "warning", "--tag", "camera_handler"))
                .isZero();
        assertThat(publish("--text", "n", "--level", "7", "--tag", "700")).isZero();

        List<Sample> samples = awaitSamples(feed, 2);
        assertThat(samples.get(0).instance()).isEqualTo(3);
        assertThat(samples.get(0).number("load_kg")).isEqualTo(12.5);
        assertThat(samples.get(1).list("angle")).map(Number::doubleValue).containsExactly(1.0, -0.25);
        assertThat(samples.get(1).text("state")).isEqualTo("idle");
        assertThat(samples.get(1).unit("angle")).isEqualTo("rad");
        assertThat(feed.texts()).extracting(TakenSamples.Text::text).containsExactly("say \"hi\"", "n");
        assertThat(feed.texts()).extracting(TakenSamples.Text::level).containsExactly(4, 7);
        assertThat(feed.texts()).extracting(TakenSamples.Text::tag).containsExactly(3, 700);
        assertThat(err.toString()).isEmpty();
        assertThat(namesBeside()).containsExactlyInAnyOrder("c.toml", "p.sock");
    }

    private static String utcNow() {
        return String.valueOf(System.currentTimeMillis() / 1000.0);
    }

    private List<String> namesBeside() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void commandTellsWhyASampleIsNotTaken() throws Exception {
        start("");

        assertThat(publish("winch", "load_kg=heavy", "turns=7")).isEqualTo(1);
        assertThat(publish("winch", "load_kg=[1", "turns=7")).isEqualTo(1);
        assertThat(publish("winch", "load_kg=1", "turns=7", "--time", "0.5")).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(3)
                .first()
                .isEqualTo(
                        "mavlogd publish: topic \"winch\", field \"load_kg\" (float): expected a number or null, found the "
                                + "string \"heavy\"");
    }

    @Test
    void commandReadsLinesAndTellsWhichAreNotTaken() throws Exception {
        TakenSamples feed = start("").get(0);
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= 1000; i++) {
            lines.append(i % 100 == 7 ? "{\"topic\":\"winch\"}" : SAMPLE).append('\n');
        }

        assertThat(pipe(lines.toString())).isEqualTo(3);
        assertThat(awaitSamples(feed, 990)).hasSize(990);
        assertThat(err.toString().lines())
                .hasSize(10)
                .last()
                .isEqualTo("mavlogd publish: line 907: \"fields\" is missing");

        assertThat(pipe(SAMPLE)).isZero();
        assertThat(pipe("")).isZero();
    }

    @Test
    void commandSaysThatNobodyIsThere() throws Exception {
        assertThat(publish("winch", "turns=1")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no socket " + socket() + "; is mavlogd running");

        try (UnixSender deaf = UnixSender.named(socket(), directory.resolve("x"))) {
            assertThat(publish("winch", "turns=1")).isEqualTo(3);
            assertThat(deaf.receive()).contains("winch");
        }
        assertThat(err.toString()).contains("sent, but there is no answer");
        assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(publish("winch", "turns=1")).isEqualTo(1);
        assertThat(err.toString()).contains("Connection refused");
    }

    @Test
    void commandTakesTheSocketFromTheConfiguration() throws Exception {
        TakenSamples feed = start("").get(0);
        String config = directory.resolve("c.toml").toString();

        assertThat(Main.commandLine().execute("publish", "--config", config, "winch", "load_kg=1", "turns=1"))
                .isZero();
        awaitSample(feed);
        Files.writeString(directory.resolve("c.toml"), "[publish]\nmode = \"rw\"\n");
        assertThat(Main.commandLine()
                        .setErr(new PrintWriter(err))
                        .execute("publish", "--config", config, "winch", "load_kg=1", "turns=1"))
                .isEqualTo(78);
        assertThat(err.toString()).contains("publish.mode");
    }

    @Test
    void wrongWordsAreWrongUsage() {
        for (String words : List.of(
                "",
                "winch",
                "winch turns",
                "winch =3",
                "winch turns=1 --instance x",
                "winch turns=1 --time now",
                "winch turns=1 --time 1 --utc 1",
                "winch turns=1 --level info",
                "--text x winch",
                "--text x --define",
                "--define winch",
                "--define winch turns=float --utc 1")) {
            assertThat(publish(words.isEmpty() ? new String[0] : words.split(" ")))
                    .as(words)
                    .isEqualTo(2);
        }
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "0").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Prints figures, and checks that no sample is lost. */
    @Test
    void twentyThousandSamplesASecondAreTaken() throws Exception {
        TakenSamples feed = start("").get(0);
        try (UnixSender program = UnixSender.nameless(socket())) {
            byte[] line = SAMPLE.getBytes(StandardCharsets.US_ASCII);
            measure("JSON, one sample to a datagram", feed, program, line, 1);
            byte[] lines = (SAMPLE + "\n").repeat(20).getBytes(StandardCharsets.US_ASCII);
            measure("JSON, 20 samples to a datagram", feed, program, lines, 20);
            measure("binary, 20 samples to a datagram", feed, program, binary(), 20);
        }
        assertThat(counted("local_lost_samples_total")).isZero();
        assertThat(counted("publish_bad_lines_total")).isZero();
    }

    private byte[] binary() throws IOException {
        String answer;
        try (UnixSender program = UnixSender.named(directory.resolve("d.sock"), socket())) {
            program.send("{\"define\":\"winch\",\"fields\":{\"load_kg\":\"float\",\"turns\":\"uint32_t\"},"
                    + "\"units\":{\"load_kg\":\"kg\"}}");
            answer = program.receive();
        }
        long handle = (Long) Objects.requireNonNull(JsonTree.read(answer).get("handle"));
        ByteBuffer datagram = ByteBuffer.allocate(4 + 20 * 24).order(ByteOrder.LITTLE_ENDIAN);
        datagram.put((byte) 0xA7).put((byte) 1).putShort((short) 0);
        for (int i = 0; i < 20; i++) {
            datagram.putInt((int) handle)
                    .put((byte) 0)
                    .put((byte) 0)
                    .putShort((short) 8)
                    .putLong(0);
            datagram.putFloat(12.4f).putInt(i);
        }
        return datagram.array();
    }

    private void measure(String what, TakenSamples feed, UnixSender program, byte[] datagram, int samples)
            throws IOException {
        int total = 2 * RATE;
        int taken = 0;
        long startNs = System.nanoTime();
        for (int sent = 0; sent < total; sent += samples) {
            long aheadNs = TimeUnit.SECONDS.toNanos(sent) / RATE - (System.nanoTime() - startNs);
            if (aheadNs > 1_000_000) {
                LockSupport.parkNanos(aheadNs);
            }
            program.send(datagram, datagram.length);
            if (sent % 200 == 0) {
                taken += feed.take().size();
            }
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        List<Sample> rest = new ArrayList<>();
        int missing = total - taken;
        SystemTests.await("all samples", () -> {
            rest.addAll(feed.take());
            return rest.size() >= missing;
        });
        System.out.printf("%s: %d samples in %.2f s, %.0f a second%n", what, total, seconds, total / seconds);
        assertThat(rest).hasSize(missing);
    }
}
