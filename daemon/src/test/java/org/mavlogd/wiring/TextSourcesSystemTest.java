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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.contain.Recovery;
import org.mavlogd.local.TakenTexts;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.metrics.Metrics;
import org.slf4j.LoggerFactory;

/** Log messages from real sockets and from the real log. */
@Timeout(120)
class TextSourcesSystemTest {
    private static final String LINK = "[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n";

    @TempDir
    private Path directory;

    private final Metrics metrics = new Metrics();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Logger ours = Logger.getLogger("org.mavlogd.store.TextSourcesSystemTest");

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        ours.setLevel(null);
    }

    private TextSources start(String sections) throws IOException, ConfigException {
        Path file = directory.resolve("c.toml");
        Files.writeString(file, LINK + sections);
        TextSources sources = new TextSources(
                Settings.load(file).local().texts(), metrics, SystemNanoClock.INSTANCE, (nowNs, listener) -> {});
        open.add(sources);
        sources.links().forEach(open::add);
        sources.start();
        sources.links().forEach(link -> link.start());
        return sources;
    }

    private static TakenTexts texts(TextSources sources, String feed) {
        return new TakenTexts(sources.feeds().stream()
                .filter(each -> each.name().equals(feed))
                .findFirst()
                .orElseThrow());
    }

    /** Sends until the first message arrives, since the socket opens at an unknown time. */
    private static List<Text> awaitAfter(Sending sending, TakenTexts taken) {
        List<Text> texts = new ArrayList<>();
        SystemTests.await("a text", () -> {
            sending.send();
            texts.addAll(taken.take());
            return !texts.isEmpty();
        });
        return texts;
    }

    /** A sending action that may fail while the socket is closed. */
    @FunctionalInterface
    private interface Sending {
        void send() throws Exception;
    }

    @Test
    void takesSyslogOverUdp() throws Exception {
        int port = FreePorts.udp();
        TextSources sources = start("[events]\nenabled = false\n[syslog]\nlisten = \"127.0.0.1:" + port
                + "\"\ntags = { camerad = \"camera_handler\" }\n");
        TakenTexts taken = texts(sources, "syslog.udp");
        byte[] message = "<27>Nov 21 09:00:01 boat camerad[812]: lens stuck".getBytes(StandardCharsets.UTF_8);

        try (DatagramSocket socket = new DatagramSocket()) {
            long beforeNs = System.nanoTime();
            List<Text> texts = awaitAfter(
                    () -> socket.send(
                            new DatagramPacket(message, message.length, InetAddress.getLoopbackAddress(), port)),
                    taken);

            assertThat(texts.get(0).text()).isEqualTo("camerad: lens stuck");
            assertThat(texts.get(0).tag()).isEqualTo(3);
            assertThat(texts.get(0).level()).isEqualTo(3);
            assertThat(texts.get(0).takenNs()).isBetween(beforeNs, System.nanoTime());
        }
    }

    @Test
    void takesSyslogFromLoggerOverItsUnixSocket() throws Exception {
        Path socket = directory.resolve("syslog.sock");
        TextSources sources = start("[events]\nenabled = false\n[syslog]\nsocket = \"" + socket + "\"\n");
        TakenTexts taken = texts(sources, "syslog.unix");

        List<Text> texts = awaitAfter(
                () -> {
                    Process logger = new ProcessBuilder(
                                    "logger",
                                    "-d",
                                    "-u",
                                    socket.toString(),
                                    "-t",
                                    "camerad",
                                    "-p",
                                    "local3.err",
                                    "lens")
                            .redirectErrorStream(true)
                            .start();
                    logger.getInputStream().readAllBytes();
                    logger.waitFor(50, TimeUnit.SECONDS);
                },
                taken);

        assertThat(texts.get(0).text()).isEqualTo("camerad: lens");
        assertThat(texts.get(0).level()).isEqualTo(3);
        assertThat(Files.getAttribute(socket, "unix:mode")).isEqualTo(0140660);
    }

    @Test
    void survivesNonsenseOverUdp() throws Exception {
        int port = FreePorts.udp();
        TextSources sources = start("[tags]\nmax_per_s = 10000\nburst = 100000\n[events]\nenabled = false\n"
                + "[syslog]\nlisten = \"127.0.0.1:" + port + "\"\nlevel = \"debug\"\n");
        TakenTexts taken = texts(sources, "syslog.udp");
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);

        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 3000; i++) {
                byte[] bytes = ("<" + random.nextInt(220) + ">"
                                + (random.nextBoolean() ? "1 - a b c d [x y=\"" : "Nov "))
                        .getBytes(StandardCharsets.UTF_8);
                bytes = Arrays.copyOf(bytes, random.nextInt(1, 200));
                for (int k = 4; k < bytes.length; k++) {
                    bytes[k] = random.nextInt(3) == 0 ? (byte) random.nextInt(256) : bytes[k];
                }
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            }
            byte[] last = "<14>last: the end".getBytes(StandardCharsets.UTF_8);
            List<String> words = new ArrayList<>();
            SystemTests.await("the last text, seed " + seed, () -> {
                socket.send(new DatagramPacket(last, last.length, InetAddress.getLoopbackAddress(), port));
                words.addAll(taken.words());
                return words.contains("last: the end");
            });
        }
        assertThat(metrics.part("syslog.udp", Recovery.CONTINUES).errors()).isZero();
    }

    @Test
    void recordsWhatIsLoggedAndNothingOfItsOwnMaking() throws Exception {
        ours.setLevel(Level.INFO);
        TextSources sources = start("");
        TakenTexts taken = texts(sources, "events");

        long beforeNs = System.nanoTime();
        LoggerFactory.getLogger(ours.getName()).info("finished {}", "a.ulg");

        List<Text> texts = new ArrayList<>();
        SystemTests.await("the event", () -> {
            texts.addAll(taken.take());
            return texts.stream().anyMatch(text -> text.text().equals("finished a.ulg"));
        });
        Text event = texts.stream()
                .filter(text -> text.text().equals("finished a.ulg"))
                .findFirst()
                .orElseThrow();
        assertThat(event.tag()).isEqualTo(7);
        assertThat(event.takenNs()).isBetween(beforeNs, System.nanoTime());
    }

    @Test
    void hearsNothingAnyMoreWhenItIsClosed() throws Exception {
        ours.setLevel(Level.INFO);
        TextSources sources = start("");
        TakenTexts taken = texts(sources, "events");
        LoggerFactory.getLogger(ours.getName()).info("the last");

        sources.close();
        LoggerFactory.getLogger(ours.getName()).info("too late");

        assertThat(taken.words()).contains("the last").doesNotContain("too late");
    }
}
