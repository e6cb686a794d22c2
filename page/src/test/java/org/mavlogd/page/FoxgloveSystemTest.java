package org.mavlogd.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.exports.McapExport;
import org.mavlogd.foxglove.FoxgloveServer;
import org.mavlogd.page.McapChannels.Recorded;
import org.mavlogd.series.RawLog;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;

/** Compares the channels and messages that WebSocket clients receive with {@code export mcap} of the same log. */
class FoxgloveSystemTest {
    private static final String TOPIC = PageFixture.TOPIC + "/0";
    private static final String ENDED = "the log has ended";
    private static final Path SCRIPT = script();

    @TempDir
    private Path directory = Path.of(".");

    @SuppressWarnings("NullAway.Init")
    private PageFixture page;

    @BeforeEach
    void start() throws IOException {
        page = new PageFixture(directory, UnaryOperator.identity());
        page.add("a.ulg", log().bytes());
    }

    @AfterEach
    void stop() {
        page.close();
    }

    /** A log with UTC and two instances of the topic. */
    static RawLog log() {
        RawLog log = PageFixture.log();
        log.integer("boot_time_utc_us", 1_774_038_053_123_456L);
        log.subscribe(PageFixture.TOPIC, 1, 4);
        return log.sample(4, 11_100_000, 1, 2, 3);
    }

    @Test
    void aRecordedLogIsWhatTheExportMakesOfIt() throws IOException {
        McapChannels expected = McapChannels.of(log().bytes());
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=a.ulg&speed=100")) {
            assertThat(client.subProtocol()).isEqualTo(FoxgloveServer.PROTOCOL);
            client.channel(TOPIC);
            JsonObject info = client.objects().get(0);
            assertThat(info.getString("op")).isEqualTo("serverInfo");
            assertThat(info.getString("name")).startsWith("mavlogd ");
            assertThat(info.getJsonArray("capabilities")).containsExactly("time");
            assertThat(client.channels().keySet()).isEqualTo(expected.topics());
            client.channels().forEach((topic, channel) -> {
                Recorded same = expected.channel(topic);
                assertThat(channel.getString("encoding")).isEqualTo(same.encoding());
                assertThat(channel.getString("schemaName")).isEqualTo(same.schemaName());
                assertThat(channel.getString("schemaEncoding")).isEqualTo(same.schemaEncoding());
                assertThat(HexFormat.of().formatHex(Base64.getDecoder().decode(channel.getString("schema"))))
                        .isEqualTo(same.schema());
            });

            client.subscribe(TOPIC, "one/1", "log_message", "log");
            client.await(() -> client.statuses(0).contains(ENDED));

            String[] topics = {TOPIC, "one/1", "log_message", "log"};
            for (int i = 0; i < topics.length; i++) {
                List<String> got = client.messages(100 + i).stream()
                        .map(message -> message.timeNs() + " " + hex(message.content()))
                        .toList();
                assertThat(got)
                        .as(topics[i])
                        .isEqualTo(expected.channel(topics[i]).messages());
            }
            assertThat(client.messages(100)).hasSize(1000);
            assertThat(client.times()).isSorted().isNotEmpty();
            long lastNs = McapExport.nanos(11_100_000, 1_774_038_053_123_456L);
            client.await(() -> client.times().get(client.times().size() - 1) == lastNs);
        }
    }

    @Test
    void panelsThatSubscribeOneAfterTheOtherAllShowTheStart() {
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=a.ulg&speed=100")) {
            // The server sends the time when it begins to wait for subscriptions, and again when it knows of one.
            client.await(() -> client.times().size() == 1);
            client.subscribe("one/1");
            client.await(() -> client.times().size() > 1);
            client.subscribe(TOPIC);
            client.await(() -> client.statuses(0).contains(ENDED));

            assertThat(client.messages(100)).hasSize(1);
            assertThat(client.messages(101)).hasSize(1000);
        }
    }

    @Test
    void recordedLogsAreShownAsFastAsTheyWere() throws IOException {
        RawLog slow = new RawLog().format(PageFixture.FORMAT).subscribe(PageFixture.TOPIC, 0, 3);
        // A gap of a month is skipped.
        for (long us : new long[] {1_000_000, 1_500_000, 2_000_000, 2_600_000_000_000L, 2_600_000_500_000L}) {
            slow.sample(3, us, 1, 2, 3);
        }
        page.add("slow.ulg", slow.bytes());
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=slow.ulg&speed=2")) {
            client.channel(TOPIC);
            long startNs = System.nanoTime();
            client.subscribe(TOPIC);
            client.await(() -> client.statuses(0).contains(ENDED));

            assertThat(client.messages(100)).hasSize(5);
            // Half of 1 s plus half of 0.5 s, minus the tolerance for early messages.
            assertThat(System.nanoTime() - startNs).isBetween(650_000_000L, 40_000_000_000L);
        }
    }

    @Test
    void aLogIsShownWhileItGrowsAndThenTheNextOne() throws Exception {
        FileDisk disk = new FileDisk(page.logs());
        byte[] begin = new RawLog()
                .format(PageFixture.FORMAT)
                .subscribe(PageFixture.TOPIC, 0, 3)
                .sample(3, 1_000_000, 1, 2, 3)
                .bytes();
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "")) {
            client.await(
                    () -> client.statuses(0).stream().anyMatch(text -> text.contains("no ULog is being recorded")));
            try (Disk.Output output = disk.create("b.ulg.part")) {
                output.write(ByteBuffer.wrap(begin));
                output.write(samples(1_100_000, 2));
                client.subscribe(TOPIC);
                // The server knows of the subscription when the next message comes.
                long[] us = {2_000_000};
                client.await(() -> {
                    write(output, samples(us[0] += 10_000, 1));
                    return !client.messages(100).isEmpty();
                });
                int before = client.messages(100).size();
                long writtenNs = System.nanoTime();
                output.write(samples(900_000_000, 2));
                client.await(() -> client.messages(100).size() > before);
                assertThat(System.nanoTime() - writtenNs).isLessThan(TimeUnit.SECONDS.toNanos(50));
            }
            disk.rename("b.ulg.part", "b.ulg");
            client.await(() -> client.statuses(0).stream().anyMatch(text -> text.contains("b.ulg")));
            long old = client.channel(TOPIC).getLong("id");
            try (Disk.Output output = disk.create("c.ulg.part")) {
                output.write(ByteBuffer.wrap(begin));
                output.write(samples(1_100_000, 2));
                client.await(() -> {
                    JsonObject now = client.channels().get(TOPIC);
                    return now != null && now.getLong("id") != old;
                });
                client.send("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":7,\"channelId\":" + old + "}]}");
                client.await(() -> client.statuses(2).contains("there is no channel " + old));
            }
        }
    }

    private static void write(Disk.Output output, ByteBuffer bytes) {
        try {
            output.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer samples(long fromUs, int count) {
        RawLog log = new RawLog();
        int head = log.length();
        for (int i = 0; i < count; i++) {
            log.sample(3, fromUs + i, i, 0, 0);
        }
        return ByteBuffer.wrap(log.bytes(), head, log.length() - head).slice();
    }

    @Test
    void whatIsWrongIsToldAndTheConnectionStays() {
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=a.ulg&speed=100")) {
            long id = client.channel(TOPIC).getLong("id");
            String subscribe = "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":%s,\"channelId\":%s}]}";
            client.send("{");
            client.send("[]");
            client.send("{\"op\":\"setParameters\",\"parameters\":[]}");
            client.send("{\"op\":\"subscribe\"}");
            client.send(subscribe.formatted("\"x\"", id));
            client.send(subscribe.formatted(1, 99_999));
            client.send(subscribe.formatted(-1, id));
            client.send("{\"op\":\"unsubscribe\",\"subscriptionIds\":[5]}");
            client.sendBinary(new byte[] {1, 0, 0, 0, 0});
            client.await(() -> client.statuses(2).size() == 9);
            assertThat(client.statuses(2).get(2)).contains("setParameters").contains("is not supported");
            assertThat(client.statuses(2).get(5)).isEqualTo("there is no channel 99999");
            assertThat(client.statuses(2).get(7)).isEqualTo("there is no subscription 5");

            client.send(subscribe.formatted(4_294_967_295L, id));
            client.await(() -> client.statuses(0).contains(ENDED));
            assertThat(client.messages(4_294_967_295L)).hasSize(1000);
            client.send(subscribe.formatted(4_294_967_295L, id + 1));
            client.send(subscribe.formatted(2, id));
            client.await(() -> client.statuses(2).size() == 11);
            assertThat(client.statuses(2).get(9)).contains("is there already");
            assertThat(client.statuses(2).get(10)).contains("is subscribed already");
            assertThat(client.isClosed()).isFalse();
        }
    }

    @Test
    void unsubscribedChannelsSendNothingMore() throws IOException {
        RawLog endless = new RawLog().format(PageFixture.FORMAT).subscribe(PageFixture.TOPIC, 0, 3);
        endless.subscribe(PageFixture.TOPIC, 1, 4);
        for (int i = 0; i < 3000; i++) {
            endless.sample(3, 1_000_000 + i * 100_000L, i, 0, 0).sample(4, 1_000_000 + i * 100_000L, i, 0, 0);
        }
        page.add("endless.ulg", endless.bytes());
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=endless.ulg&speed=10")) {
            client.channel("one/1");
            client.subscribe(TOPIC, "one/1");
            client.await(() -> !client.messages(100).isEmpty());
            client.send("{\"op\":\"unsubscribe\",\"subscriptionIds\":[100]}");
            int at = client.messages(101).size();
            client.await(() -> client.messages(101).size() > at + 100);
            int stopped = client.messages(100).size();
            int later = client.messages(101).size();
            client.await(() -> client.messages(101).size() > later + 100);

            assertThat(client.messages(100)).hasSize(stopped);
        }
    }

    /** The received and the dropped messages add up to all. */
    @Test
    void aSlowClientLosesMessagesThatAreCounted() throws IOException {
        int count = 60_000;
        RawLog big = new RawLog().format(PageFixture.FORMAT).subscribe(PageFixture.TOPIC, 0, 3);
        for (int i = 0; i < count; i++) {
            big.sample(3, 1_000_000 + i * 100L, i, 0, 0);
        }
        page.add("big.ulg", big.bytes());
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), page.port()), 20_000);
            socket.setSoTimeout(50_000);
            socket.getOutputStream()
                    .write(("GET /foxglove?log=big.ulg&speed=100 HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                                    + "Sec-WebSocket-Protocol: " + FoxgloveServer.PROTOCOL + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            Frames frames = new Frames(new DataInputStream(socket.getInputStream()));
            frames.skipHead();
            while (frames.channels.isEmpty()) {
                frames.read();
            }
            socket.getOutputStream()
                    .write(masked("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1,\"channelId\":"
                            + frames.channels.get(0) + "}]}"));
            // Playing takes less than a tenth of a second; this takes longer.
            page.get("/api/v1/logs/big.ulg/series?field=one.a");
            while (!frames.isEnded) {
                frames.read();
            }
            while (frames.received + frames.dropped < count) {
                frames.read();
            }

            assertThat(frames.received + frames.dropped).isEqualTo(count);
            assertThat(frames.dropped).isPositive();
        }
    }

    private static byte[] masked(String text) {
        byte[] content = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(6 + content.length)
                .put((byte) 0x81)
                .put((byte) (0x80 | content.length))
                .putInt(0)
                .put(content)
                .array();
    }

    /** Reads frames only as fast as the test asks. */
    private static final class Frames {
        private final DataInputStream in;
        private final List<Long> channels = new ArrayList<>();
        private long received;
        private long dropped;
        private boolean isEnded;

        Frames(DataInputStream in) {
            this.in = in;
        }

        void skipHead() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertThat(head.toString()).startsWith("HTTP/1.1 101 ");
        }

        void read() throws IOException {
            int kind = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            long bytes = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
            byte[] content = in.readNBytes((int) bytes);
            if (kind == 0x82) {
                received += content[0] == 1 ? 1 : 0;
            } else if (kind == 0x81) {
                object(new JsonObject(new String(content, StandardCharsets.UTF_8)));
            }
        }

        private void object(JsonObject object) {
            if ("advertise".equals(object.getString("op"))) {
                object.getJsonArray("channels").forEach(channel -> channels.add(((JsonObject) channel).getLong("id")));
            } else if ("status".equals(object.getString("op"))) {
                String text = object.getString("message");
                isEnded |= text.equals(ENDED);
                if (text.contains("not sent")) {
                    dropped += Long.parseLong(text.replaceFirst(" .*", ""));
                }
            }
        }
    }

    @Test
    void whenThePageEndsClientsAreTold() {
        try (FoxgloveClient client = new FoxgloveClient(page.port(), "?log=a.ulg")) {
            client.channel(TOPIC);
            page.close();
            client.await(client::isClosed);
        }
    }

    /** Foxglove's own published client receives the same. */
    @Test
    void anIndependentClientReceivesTheSame() throws Exception {
        assumeThat(hasNode())
                .as("node is missing, or its packages: run \"npm ci\" in page/src/test/node")
                .isTrue();
        McapChannels expected = McapChannels.of(log().bytes());
        Path output = directory.resolve("output.txt");
        Process node = new ProcessBuilder(
                        "node",
                        SCRIPT.toString(),
                        "ws://127.0.0.1:" + page.port() + "/foxglove?speed=100&log=a.ulg",
                        TOPIC,
                        "log")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(node.waitFor(50, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(output);
        assertThat(node.exitValue()).as("%s", lines).isZero();

        assertThat(lines.get(0)).startsWith("I mavlogd ").endsWith(" time a.ulg");
        assertThat(lines).contains("S 0 " + ENDED);
        List<String> channels = expected.topics().stream()
                .map(topic -> "C " + topic + " " + expected.channel(topic).text())
                .toList();
        assertThat(lines.stream().filter(line -> line.startsWith("C ")).toList())
                .containsExactlyInAnyOrderElementsOf(channels);
        for (String topic : List.of(TOPIC, "log")) {
            String start = "M " + topic + " ";
            assertThat(lines.stream()
                            .filter(line -> line.startsWith(start))
                            .map(line -> line.substring(start.length()))
                            .toList())
                    .isEqualTo(expected.channel(topic).messages());
        }
    }

    private static String hex(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Path script() {
        Path inModule = Path.of("src/test/node/print.mjs");
        return Files.exists(inModule) ? inModule : Path.of("page/src/test/node/print.mjs");
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
