package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.awaitReturn;
import static org.mavlogd.link.LinkFixture.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.peer.Peer;

/** Serial links over pseudo terminals. The device is a symbolic link, as in /dev/serial/by-id. */
class SerialLinkSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void needsSocat() {
        assumeTrue(
                PseudoTerminals.arePossible(),
                "socat is not installed (apt-get install socat): serial links are not tested");
    }

    @Test
    void deliversAndSends() throws IOException {
        try (Cable cable = plug();
                LinkFixture fixture = serial(921_600, false).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
            assertThat(fixture.listener.peers.get(0).isDatagram()).isFalse();
            cable.write("from the vehicle");
            await(() -> fixture.listener.text().equals("from the vehicle"));

            fixture.send("to the vehicle");

            await(() -> cable.received().equals("to the vehicle"));
            assertThat(fixture.counters.receivedBytes().get()).isEqualTo(16);
            await(() -> fixture.counters.sentBytes().get() == 14); // bytes count once the device has accepted them
        }
    }

    /** The link's thread blocks in a read of 100 ms, which only bytes end. */
    @Test
    void sendsAtOnceWhileNothingComesIn() throws Exception {
        try (Cable cable = plug();
                LinkFixture fixture = serial(921_600, false).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            Peer peer = fixture.listener.peers.get(0);
            byte[] bytes = bytes("x");
            long[] waitedNs = new long[40];
            AtomicLong sentNs = new AtomicLong();
            for (int i = 0; i < waitedNs.length; i++) {
                CountDownLatch done = new CountDownLatch(1);
                await(() -> isReading(fixture.link));
                long askedNs = System.nanoTime();
                fixture.link.executeSending(() -> {
                    peer.send(bytes, 0, bytes.length);
                    sentNs.set(System.nanoTime());
                    done.countDown();
                });
                assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
                waitedNs[i] = sentNs.get() - askedNs;
            }
            await(() -> cable.received().length() == waitedNs.length);

            Arrays.sort(waitedNs);
            // A read would take 50 ms on average.
            assertThat(waitedNs[waitedNs.length / 2])
                    .as("half of them")
                    .isLessThan(PromisedTime.of(Duration.ofMillis(4)).toNanos());
        }
    }

    /** As a program that looks for modems does: a read then waits for a byte, however long that takes. */
    @Test
    void ticksAndTasksContinueWhereAnotherProgramMakesReadsWait() throws Exception {
        try (Cable cable = plug();
                LinkFixture fixture = serial(921_600, false).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            assertThat(stty("min", "1", "time", "0")).isEmpty();

            await(() -> fixture.listener.threads.contains("link-uart0-tx"));
            CountDownLatch done = new CountDownLatch(1);
            fixture.link.execute(done::countDown);
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            await(() -> stty("-a").contains("min = 0; time = 1;"));

            cable.write("x");
            await(() -> fixture.listener.text().equals("x"));
            long ticks = fixture.listener.ticks.get();
            await(() -> fixture.listener.ticks.get() > ticks + 20);
        }
    }

    /** Returns the output of stty. */
    private String stty(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("stty", "-F", device().toString()));
        command.addAll(List.of(arguments));
        Process stty = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        stty.waitFor();
        return output;
    }

    private static boolean isReading(Link link) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("link-" + link.name()))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getClassName().equals(SerialDevice.class.getName())
                        && frame.getMethodName().equals("read"));
    }

    @Test
    void passesEveryByteUnchanged() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 1024; i++) {
            all.append((char) (i & 0xFF));
        }
        try (Cable cable = plug();
                LinkFixture fixture = serial(57_600, true).started()) {
            fixture.listener.mayWait = true;
            await(() -> fixture.listener.peers.size() == 1);

            cable.write(all.toString());
            fixture.send(all.substring(0, 512));

            await(() -> fixture.listener.text().contentEquals(all));
            await(() -> cable.received().contentEquals(all.substring(0, 512)));
        }
    }

    @Test
    void waitsForAMissingDeviceAndOpensItWithinASecond() throws IOException {
        try (LinkFixture fixture = serial(115_200, false).started()) {
            await(() -> fixture.link.status().state() == State.WAITING);
            assertThat(fixture.link.status().detail()).isEqualTo(device() + ": no such device, waiting");
            await(() -> fixture.listener.ticks.get() > 3);

            try (Cable cable = plug()) {
                cable.write("hello");
                awaitReturn(() -> fixture.listener.text().equals("hello"));
            }
        }
    }

    @Test
    void saysThatAFileIsNoSerialPort() throws IOException {
        Files.writeString(device(), "not a device");
        try (LinkFixture fixture = serial(115_200, false).started()) {
            await(() -> fixture.link.status().detail().contains("cannot be opened"));
        }
        assertThat(device()).hasContent("not a device");
    }

    @Test
    void opensAgainWithinASecondOfEachOfManyReplugs() throws IOException {
        int rounds = 20;
        try (LinkFixture fixture = serial(115_200, false).started()) {
            for (int round = 1; round <= rounds; round++) {
                int expected = round;
                try (Cable cable = plug()) {
                    awaitReturn(() -> fixture.listener.ups.get() == expected);
                    cable.write("round " + round + ".");
                    awaitReturn(() -> fixture.listener.text().endsWith("round " + expected + "."));
                }
                awaitReturn(() -> fixture.listener.downs.get() == expected);
                await(() -> fixture.link.status().state() == State.WAITING);
            }
            assertThat(fixture.counters.reconnects().get()).isEqualTo(rounds - 1);
        }
    }

    @Test
    void portThatTakesNothingHoldsUpNeitherReadingNorTicksNorClosing() throws IOException {
        try (Cable cable = plug();
                LinkFixture fixture = serial(115_200, true).started()) {
            await(() -> fixture.listener.peers.size() == 1);
            cable.stopReading();
            byte[] frame = new byte[280];
            await(() -> {
                fixture.link.execute(() -> {
                    for (int i = 0; i < SerialTransmitter.MAX_FRAMES; i++) {
                        fixture.listener.peers.get(0).send(frame, 0, frame.length);
                    }
                });
                return fixture.counters.droppedSends().get() > 2000;
            });

            long ticks = fixture.listener.ticks.get();
            await(() -> fixture.listener.ticks.get() > ticks + 5);
            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
        }
    }

    @Test
    void leavesNoThreadBehind() throws IOException {
        try (Cable cable = plug()) {
            LinkFixture fixture = serial(115_200, false).started();
            await(() -> fixture.listener.peers.size() == 1);
            cable.write("hello");
            fixture.close();
            await(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("link-uart0")));
        }
    }

    private Path device() {
        return directory.resolve("tty-vehicle");
    }

    private LinkFixture serial(int baud, boolean flowControl) {
        return new LinkFixture(
                new LinkSettings.SerialPort("uart0", device().toString(), baud, flowControl), NetworkIo.best());
    }

    private Cable plug() throws IOException {
        return new Cable(device());
    }

    /** A pseudo terminal whose far side is socat's standard input and output. */
    private static final class Cable implements AutoCloseable {
        private final Process socat;
        private final Path device;
        private final List<String> received = new CopyOnWriteArrayList<>();
        private volatile boolean reads = true;

        Cable(Path device) throws IOException {
            this.device = device;
            socat = PseudoTerminals.open(device);
            Thread reader = new Thread(this::read, "cable");
            reader.setDaemon(true);
            reader.start();
        }

        void write(String text) throws IOException {
            OutputStream out = socat.getOutputStream();
            out.write(bytes(text));
            out.flush();
        }

        String received() {
            return String.join("", received);
        }

        /** Stops reading: from now on, bytes fill socat's pipe, then the terminal. */
        void stopReading() {
            reads = false;
        }

        private void read() {
            byte[] buffer = new byte[4096];
            try {
                while (reads) {
                    int length = socat.getInputStream().read(buffer);
                    if (length < 0) {
                        return;
                    }
                    received.add(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                // The cable was pulled.
            }
        }

        /** Unplugs: the device and its name vanish. */
        @Override
        public void close() throws IOException {
            socat.destroyForcibly();
            try {
                assertThat(socat.waitFor(50, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Files.deleteIfExists(device);
        }
    }
}
