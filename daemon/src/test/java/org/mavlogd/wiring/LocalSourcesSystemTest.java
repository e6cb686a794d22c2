package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.LocalSettings;
import org.mavlogd.config.Settings;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;

/** The sources with their real threads, links and files. */
class LocalSourcesSystemTest {
    private static final String LINK = "[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n";

    @TempDir
    private Path directory;

    private final Metrics metrics = new Metrics();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void measuresThisComputer() throws Exception {
        TakenSamples sampler = start("[system]\ninterval_ms = 100\n", "sampler");

        List<Sample> cpu = awaitSamples(sampler, "companion_cpu", 5);

        long spanNs = cpu.get(cpu.size() - 1).takenNs() - cpu.get(0).takenNs();
        assertThat(spanNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100L * (cpu.size() - 2)));
        assertThat(metrics.scrape()).contains("mavlogd_local_samples_total{source=\"system.cpu\"}");
    }

    @Test
    void hearsInstrumentsOverUdp() throws Exception {
        int port = FreePorts.udp();
        TakenSamples boat = start(
                "[system]\nenabled = false\n[[nmea]]\nname = \"boat\"\ntype = \"udp\"\nlisten = \"127.0.0.1:" + port
                        + "\"\n",
                "nmea.boat");
        byte[] sentence = "$SDDPT,2.4,-0.5,100\r\n".getBytes(StandardCharsets.US_ASCII);
        List<Sample> depths = new ArrayList<>();

        try (DatagramSocket socket = new DatagramSocket()) {
            SystemTests.await("a depth", () -> {
                socket.send(new DatagramPacket(sentence, sentence.length, InetAddress.getLoopbackAddress(), port));
                depths.addAll(boat.take("nmea_dpt"));
                return !depths.isEmpty();
            });
        }

        assertThat(depths.get(0).number("offset")).isEqualTo(-0.5);
    }

    @Test
    void takesReportsOfTheRealGpsd() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/gpsfake")) && Files.isExecutable(Path.of("/usr/sbin/gpsd")),
                "gpsd and gpsfake are not installed (Debian packages gpsd, gpsd-clients): test with gpsd is skipped");
        Path log = directory.resolve("track.nmea");
        Files.writeString(log, nmeaTrack());
        int port = FreePorts.tcp();
        Path output = directory.resolve("gpsfake.txt");
        Process gpsfake = new ProcessBuilder(
                        "/usr/bin/gpsfake", "-u", "-q", "-c", "0.05", "-P", Integer.toString(port), log.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        open.add(() -> stop(gpsfake));

        TakenSamples gpsd = start(
                "[system]\nenabled = false\n[gpsd]\nenabled = true\nconnect = \"127.0.0.1:" + port + "\"\n", "gpsd");
        List<Sample> samples = new ArrayList<>();
        SystemTests.await("a position and satellites", () -> {
            samples.addAll(gpsd.take());
            boolean position =
                    TakenSamples.of(samples, "gpsd_tpv").stream().anyMatch(LocalSourcesSystemTest::hasPosition);
            return position
                    && TakenSamples.of(samples, "gpsd_sky").stream().anyMatch(sky -> sky.number("satellites_seen") > 0);
        });

        Sample tpv = TakenSamples.of(samples, "gpsd_tpv").stream()
                .filter(LocalSourcesSystemTest::hasPosition)
                .findFirst()
                .orElseThrow();
        assertThat(tpv.number("latitude")).isBetween(48.11, 48.13);
        assertThat(tpv.number("longitude")).isBetween(11.51, 11.53);
        assertThat(metrics.counter("gpsd.malformed", "").get()).isZero();
    }

    /** An internal error in one source. */
    @Test
    void aSourceThatCannotBeMadeKeepsNoOtherFromStarting() throws Exception {
        Path file = directory.resolve("c.toml");
        Files.writeString(
                file,
                "log.directory = '" + directory + "'\n" + LINK
                        + "[[nmea]]\nname = \"boat\"\ntype = \"udp\"\nlisten = \"127.0.0.1:1\"\n");
        LocalSettings good = Settings.load(file).local();
        LocalSettings broken = new LocalSettings(
                good.system(),
                good.iio(),
                good.gpsd(),
                good.nmea(),
                new LocalSettings.LinkedSource<>(
                        good.publish().links(), new LocalSettings.PublishSettings(true, -1, List.of())),
                good.texts(),
                good.messages());

        LocalSources sources = new LocalSources(
                broken,
                new SharedParts(metrics, MemoryBudget.ofHeap(), SystemNanoClock.INSTANCE),
                new RecorderFigures(metrics, () -> 0, new Peak()),
                (nowNs, listener) -> {});

        open.add(sources);
        assertThat(sources.feeds()).extracting(LocalFeed::name).contains("sampler", "nmea.boat", "events");
        assertThat(metrics.containment().problems())
                .singleElement()
                .asString()
                .startsWith("local.start: off after an internal error");
    }

    private TakenSamples start(String sections, String feedName) throws IOException, ConfigException {
        Path file = directory.resolve("c.toml");
        Files.writeString(file, "log.directory = '" + directory + "'\n" + LINK + sections);
        LocalSources sources = new LocalSources(
                Settings.load(file).local(),
                new SharedParts(metrics, MemoryBudget.ofHeap(), SystemNanoClock.INSTANCE),
                new RecorderFigures(metrics, () -> 0, new Peak()),
                (nowNs, listener) -> {});
        LocalFeed feed = sources.feeds().stream()
                .filter(each -> each.name().equals(feedName))
                .findFirst()
                .orElseThrow();
        open.add(sources);
        sources.start();
        return new TakenSamples(feed);
    }

    /** gpsd reports a fix from the satellites before it knows the position. */
    private static boolean hasPosition(Sample tpv) {
        return tpv.number("mode") == 3 && !Double.isNaN(tpv.number("latitude"));
    }

    private static List<Sample> awaitSamples(TakenSamples taken, String topic, int count) {
        List<Sample> samples = new ArrayList<>();
        SystemTests.await(topic, () -> {
            samples.addAll(taken.take(topic));
            return samples.size() >= count;
        });
        return samples;
    }

    /** A minute of a stationary receiver near Munich. */
    private static String nmeaTrack() {
        StringBuilder track = new StringBuilder();
        for (int second = 0; second < 60; second++) {
            String time = String.format("1235%02d.00", second);
            line(track, "GPRMC," + time + ",A,4807.038,N,01131.000,E,002.4,084.4,211126,003.1,W,A");
            line(track, "GPGGA," + time + ",4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,");
            line(track, "GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.8,0.9,1.5");
            line(track, "GPGSV,2,1,08,04,40,083,46,05,17,308,41,09,07,344,39,12,22,228,45");
            line(track, "GPGSV,2,2,08,24,40,083,46,25,17,308,41,29,07,344,39,31,22,228,45");
        }
        return track.toString();
    }

    private static void line(StringBuilder track, String body) {
        int sum = body.chars().reduce(0, (a, b) -> a ^ b);
        track.append('$').append(body).append(String.format("*%02X\r\n", sum));
    }

    /** gpsfake starts gpsd as its child process. */
    private static void stop(Process gpsfake) throws InterruptedException {
        List<ProcessHandle> children = gpsfake.descendants().toList();
        gpsfake.destroy();
        gpsfake.waitFor(50, TimeUnit.SECONDS);
        children.forEach(ProcessHandle::destroy);
    }
}
