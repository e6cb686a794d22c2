package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.peer.BulkRule;

/** Deferrable datagrams on a real kernel: they keep their order among those that wake the thread, and none is lost. */
class BulkSocketSystemTest {
    private static final int ROUNDS = Integer.getInteger("mavlogd.rounds", 3);
    private static final int BACKLOG = 4000;
    private static final int DATAGRAMS = 3_000;
    private static final int SENDERS = 3;

    /**
     * "w" can be deferred once the kernel sorts, "o" is urgent and ordered, "p" is urgent and unordered, "m" is like
     * "o" but packed, "e" is like "p" but may end what waits; then follow the sender's letter and a number.
     */
    private static class Letters implements BulkRule {
        @Override
        public long longestNs() {
            return TimeUnit.MILLISECONDS.toNanos(80);
        }

        @Override
        public long[] program() {
            // ldb [0]; jeq 'w', 0, 1; ret 1; ret 0
            return new long[] {
                0x30L << 48, 0x15L << 48 | 1L << 32 | 'w', 0x06L << 48 | 1, 0x06L << 48,
            };
        }

        @Override
        public boolean isBulk(byte[] woke, int length) {
            return woke[0] == 'w';
        }

        @Override
        public int place(byte[] woke, int length) {
            return woke[0] == 'p' || woke[0] == 'e' ? -1 : 0;
        }

        @Override
        public boolean mayEnd(byte[] woke, int length) {
            return woke[0] == 'e';
        }

        @Override
        public int order(byte[] waited, int length, byte[] woke, int place) {
            if (waited[1] != woke[1]) {
                return 0;
            }
            return number(waited, length) < number(woke, 8) ? -1 : 1;
        }

        @Override
        public boolean isPacked(byte[] woke, int length) {
            return woke[0] == 'm';
        }

        private static int number(byte[] datagram, int length) {
            return Integer.parseInt(new String(datagram, 2, length - 2, StandardCharsets.US_ASCII));
        }
    }

    private final Random random = new Random(seed());

    private static long seed() {
        long seed = Long.getLong("mavlogd.seed", System.nanoTime());
        System.out.println("BulkSocketSystemTest: seed " + seed);
        return seed;
    }

    private LinkFixture listening(String host, int port) {
        LinkFixture fixture =
                new LinkFixture(new LinkSettings.UdpListen("test", host, port, random.nextBoolean()), NetworkIo.EPOLL);
        fixture.listener.bulk = new Letters();
        fixture.listener.mayWait = random.nextBoolean();
        fixture.listener.isUnhurried = random.nextBoolean();
        fixture.started();
        await(() -> fixture.link.status().detail().startsWith("listening"));
        return fixture;
    }

    private static void send(DatagramSocket from, String host, int port, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        from.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(host), port));
    }

    private void pause() {
        if (random.nextInt(200) == 0) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(150_000)));
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "::1, ::1", "0.0.0.0, 127.0.0.1", "::, ::1", "::, 127.0.0.1"})
    void whatWaitsKeepsItsPlace(String listens, String host) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            int port = FreePorts.udp();
            List<List<String>> sent = new ArrayList<>();
            try (LinkFixture fixture = listening(listens, port);
                    DatagramSocket a = new DatagramSocket();
                    DatagramSocket b = new DatagramSocket();
                    DatagramSocket c = new DatagramSocket()) {
                List<DatagramSocket> senders = List.of(a, b, c);
                int ordered = 2 + random.nextInt(200);
                IntStream.range(0, SENDERS).forEach(i -> sent.add(new ArrayList<>()));
                for (int i = 0; i < DATAGRAMS; i++) {
                    int who = random.nextInt(SENDERS);
                    String kind = random.nextInt(ordered) == 0 ? "o" : "w";
                    String text = kind + (char) ('a' + who) + "%06d".formatted(i);
                    sent.get(who).add(text);
                    send(senders.get(who), host, port, text);
                    if (kind.equals("o")) {
                        await(() -> fixture.listener.chunks.contains(text)); // as a PX4 waits for its acknowledgement
                    }
                    if (random.nextInt(10) == 0) {
                        send(senders.get(who), host, port, "p");
                    }
                    pause();
                }

                await(() -> fixture.listener.chunks.stream()
                                .filter(text -> text.length() > 1)
                                .count()
                        == DATAGRAMS);

                for (int i = 0; i < SENDERS; i++) {
                    char who = (char) ('a' + i);
                    assertThat(fixture.listener.chunks)
                            .filteredOn(text -> text.length() > 1 && text.charAt(1) == who)
                            .isEqualTo(sent.get(i));
                }
            }
        }
    }

    /** The numbers of a stranger who uses the same name must not end the reading of what comes before. */
    @Test
    void aStrangersNumbersMeanNothing() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket vehicle = new DatagramSocket();
                DatagramSocket stranger = new DatagramSocket()) {
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < DATAGRAMS; i++) {
                if (random.nextInt(10) == 0) {
                    send(stranger, "127.0.0.1", port, "wa999999");
                }
                boolean isOrdered = random.nextInt(50) == 0;
                String text = (isOrdered ? "oa" : "wa") + "%06d".formatted(i);
                sent.add(text);
                send(vehicle, "127.0.0.1", port, text);
                if (isOrdered) {
                    await(() -> fixture.listener.chunks.contains(text));
                }
            }
            await(() -> fixture.listener.chunks.containsAll(sent.subList(DATAGRAMS - 100, DATAGRAMS)));

            assertThat(fixture.listener.chunks)
                    .filteredOn(text -> !text.equals("wa999999"))
                    .isEqualTo(sent);
        }
    }

    /** The kernel gives a broadcast to both sockets. What may wait comes twice until the link knows it, urgent data never. */
    @Test
    void broadcastsComeOnce() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = listening("0.0.0.0", port);
                DatagramSocket sender = new DatagramSocket()) {
            for (int i = 0; i < DATAGRAMS; i++) {
                send(sender, i < 1000 ? "127.0.0.1" : "127.255.255.255", port, "wa%06d".formatted(i));
                send(sender, "127.255.255.255", port, "pa%06d".formatted(i));
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
            String last = "wa%06d".formatted(DATAGRAMS - 1);
            await(() -> fixture.listener.chunks.contains(last));
            send(sender, "127.0.0.1", port, "end");
            await(() -> fixture.listener.chunks.contains("end"));

            List<String> received = List.copyOf(fixture.listener.chunks);
            assertThat(received).filteredOn(text -> text.startsWith("p")).hasSize(DATAGRAMS);
            assertThat(received)
                    .filteredOn(text -> text.startsWith("w"))
                    .hasSizeBetween(DATAGRAMS, 2 * DATAGRAMS - 1000);
            for (int i = DATAGRAMS - 200; i < DATAGRAMS; i++) {
                assertThat(received).containsOnlyOnce("wa%06d".formatted(i));
            }
        }
    }

    /** As when the last chunks and the answer to STOP arrive while the thread reads a heartbeat. */
    @Test
    void whatEndsAStreamComesAfterWhatCameWhileTheRoundWasRead() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture =
                        new LinkFixture(new LinkSettings.UdpListen("test", "127.0.0.1", port, false), NetworkIo.EPOLL);
                DatagramSocket sender = new DatagramSocket()) {
            fixture.listener.bulk = new Letters();
            fixture.listener.onChunk = text -> {
                if (text.startsWith("pa")) {
                    sendUnchecked(sender, port, "w" + text.substring(1));
                    sendUnchecked(sender, port, "e" + text.substring(1));
                }
            };
            fixture.started();
            await(() -> fixture.link.status().detail().startsWith("listening"));
            for (int i = 0; i < 500; i++) {
                send(sender, "127.0.0.1", port, (i % 10 == 9 ? "pa" : "wa") + "%06d".formatted(i));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            await(() -> fixture.listener.receivedCalls.get() == 600);

            List<String> received = List.copyOf(fixture.listener.chunks);
            for (int i = 259; i < 500; i += 10) {
                String number = "a%06d".formatted(i);
                assertThat(received.indexOf("w" + number)).as(number).isLessThan(received.indexOf("e" + number));
            }
        }
    }

    /** As when the computer is busy, and a router packs frames in the moment in which the kernel begins to sort. */
    @Test
    void packedDataInABacklogFromBeforeTheKernelSortedKeepsTheOrder() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket sender = new DatagramSocket()) {
            int[] next = {0};
            Consumer<String> send = kind -> sendUnchecked(sender, port, kind + "a%06d".formatted(next[0]++));
            fixture.listener.onChunk = text -> {
                int number = Integer.parseInt(text, 2, 8, 10);
                for (int i = 0; number == 0 && i < BACKLOG; i++) {
                    send.accept(i == BACKLOG / 2 ? "m" : "w");
                }
                if (number % 10 == 0 && number < BACKLOG) {
                    send.accept("w");
                }
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(20));
            };
            long ticks = fixture.listener.ticks.get();
            await(() -> fixture.listener.ticks.get() > ticks + 1); // the link knows the rule

            send.accept("w");

            int all = 1 + BACKLOG + BACKLOG / 10;
            await(() -> fixture.listener.receivedCalls.get() >= all);
            assertThat(fixture.listener.chunks)
                    .hasSize(all)
                    .isSortedAccordingTo(Comparator.comparing(text -> text.substring(2)));
        }
    }

    private static void sendUnchecked(DatagramSocket sender, int port, String text) {
        try {
            send(sender, "127.0.0.1", port, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** However late the datagrams are read, and in whatever bursts they come. */
    @Test
    void tellsAfterWhatTimeADatagramCame() throws IOException {
        int port = FreePorts.udp();
        Map<String, Long> since = new ConcurrentHashMap<>();
        Map<String, Long> sent = new HashMap<>();
        int late = 0;
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket sender = new DatagramSocket()) {
            fixture.listener.onChunk = text -> {
                if (fixture.listener.sinceNs != 0) {
                    since.put(text, fixture.listener.sinceNs);
                }
            };
            for (int i = 0; i < 500; i++) {
                String text = "wa%06d".formatted(i);
                send(sender, "127.0.0.1", port, text);
                sent.put(text, System.nanoTime());
                if (random.nextInt(8) == 0) {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(100_000)));
                }
                if (random.nextInt(20) == 0) {
                    // One that comes late: those with later numbers go on waiting.
                    send(sender, "127.0.0.1", port, "oa%06d".formatted(Math.max(0, i - random.nextInt(5))));
                    late++;
                }
            }
            int all = 500 + late;
            await(() -> fixture.listener.receivedCalls.get() == all);
        }

        assertThat(since).hasSizeGreaterThan(250);
        since.forEach((text, sinceNs) -> assertThat(Objects.requireNonNull(sent.get(text)) - sinceNs)
                .as(text)
                .isPositive());
    }

    @Test
    void whatWaitsWakesNobodyAndComesInTime() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket sender = new DatagramSocket()) {
            fixture.listener.isUnhurried = false;
            send(sender, "127.0.0.1", port, "p");
            // The interval grows while there is little to read.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400));
            int count = 0;
            long ticks = 0;
            long passedMs = 0;
            // A second in which the machine stood still shows too few.
            for (int second = 0; second < 10 && ticks <= passedMs / 400; second++) {
                long ticksBefore = fixture.listener.ticks.get();
                long beganNs = System.nanoTime();
                while (System.nanoTime() - beganNs < TimeUnit.MILLISECONDS.toNanos(1000)) {
                    send(sender, "127.0.0.1", port, "wa%06d".formatted(count++));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(4));
                }
                int all = count + 1;
                await(() -> fixture.listener.receivedCalls.get() == all);
                passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
                ticks = fixture.listener.ticks.get() - ticksBefore;
            }

            assertThat(ticks)
                    .as("rounds in %d ms with %d datagrams", passedMs, count)
                    .isLessThan(passedMs / 40)
                    .isGreaterThan(passedMs / 400);
        }
    }

    @Test
    void sortingBeginsAndEndsInTheMiddleOfAStreamAndNothingIsLost() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket sender = new DatagramSocket()) {
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < DATAGRAMS; i++) {
                if (i % 500 == 0) {
                    fixture.listener.bulk = i % 1000 == 0 ? new Letters() : null;
                }
                String text = "wa%06d".formatted(i);
                sent.add(text);
                send(sender, "127.0.0.1", port, text);
                pause();
            }
            await(() -> fixture.listener.chunks.size() == DATAGRAMS);
            assertThat(fixture.listener.chunks).isEqualTo(sent);
        }
    }

    /** Packed frames are sent without waiting for an answer, so they would overtake waiting datagrams. */
    @Test
    void aSenderThatPacksKeepsItsOrder() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            int port = FreePorts.udp();
            try (LinkFixture fixture = listening("127.0.0.1", port);
                    DatagramSocket sender = new DatagramSocket()) {
                for (int i = 0; i < DATAGRAMS; i++) {
                    boolean isFirst = i == DATAGRAMS / 3;
                    boolean isPacked = isFirst || (i > DATAGRAMS / 3 && random.nextInt(3) == 0);
                    String text = (isPacked ? "ma" : "wa") + "%06d".formatted(i);
                    send(sender, "127.0.0.1", port, text);
                    if (isFirst) {
                        // Until the link knows that the sender packs, a read that is due and the first packed datagram
                        // may cross.
                        await(() -> fixture.listener.chunks.contains(text));
                    }
                    pause();
                }
                await(() -> fixture.listener.chunks.size() == DATAGRAMS);
                assertThat(fixture.listener.chunks.stream().map(text -> text.substring(2)))
                        .isSorted();
            }
        }
    }

    @Test
    void aLinkThatConnectsSortsToo() throws IOException {
        try (DatagramSocket vehicle = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                LinkFixture fixture = new LinkFixture(
                        new LinkSettings.UdpConnect("test", "127.0.0.1", vehicle.getLocalPort(), true),
                        NetworkIo.EPOLL)) {
            fixture.listener.bulk = new Letters();
            fixture.started();
            await(() -> fixture.listener.peers.size() == 1);
            fixture.send("hello");
            DatagramPacket hello = new DatagramPacket(new byte[8], 8);
            vehicle.receive(hello);
            for (int i = 0; i < DATAGRAMS; i++) {
                send(vehicle, "127.0.0.1", hello.getPort(), "wa%06d".formatted(i));
                pause();
            }
            await(() -> fixture.listener.receivedCalls.get() == DATAGRAMS);
            assertThat(fixture.listener.chunks).isSorted();
        }
    }

    @Test
    void whereTheKernelRefusesAllComesAsBefore() throws IOException {
        int port = FreePorts.udp();
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new MemoryHandler(logged);
        Logger logger = Logger.getLogger(Link.class.getName());
        logger.addHandler(handler);
        try (LinkFixture fixture = listening("127.0.0.1", port);
                DatagramSocket sender = new DatagramSocket()) {
            fixture.listener.bulk = new Letters() {
                @Override
                public long[] program() {
                    return new long[] {0xFFFFL << 48};
                }
            };
            for (int i = 0; i < DATAGRAMS; i++) {
                send(sender, "127.0.0.1", port, "wa%06d".formatted(i));
                pause();
            }
            await(() -> fixture.listener.receivedCalls.get() == DATAGRAMS);
            assertThat(fixture.listener.chunks).isSorted();
            assertThat(fixture.counters.errors().errors()).isZero();
            assertThat(logged)
                    .filteredOn(line -> line.contains("cannot separate log data"))
                    .hasSize(1);
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void anAddressInUseIsNotShared() throws IOException {
        int port = FreePorts.udp();
        try (LinkFixture first = listening("127.0.0.1", port);
                LinkFixture second = new LinkFixture(
                                new LinkSettings.UdpListen("test", "127.0.0.1", port, true), NetworkIo.EPOLL)
                        .started()) {
            await(() -> second.link.status().detail().contains("in use"));
            assertThat(first.link.status().detail()).startsWith("listening");
        }
    }
}
