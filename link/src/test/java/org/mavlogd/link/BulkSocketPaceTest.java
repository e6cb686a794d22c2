package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The times at which a {@link BulkSocket} is read, in a model of a kernel whose buffer holds only so much: a seed
 * decides how long the thread sleeps and reads.
 */
class BulkSocketPaceTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 10);
    private static final long MS = 1_000_000;
    private static final int BUFFER_BYTES = 4 << 20;
    /** What such a buffer held of PX4's frames on Linux 6.18: twice its size, and 1,280 bytes for each. */
    private static final int HELD = 2 * BUFFER_BYTES / 1_280;

    private static final long MAX_URGENT_DISTANCE_NS = 1_000 * MS;
    private static final byte[] WAITS = "wa000000".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] URGENT = "pa000000".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACKNOWLEDGED = "oa000001".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LENGTH = 64;
    private static final InetSocketAddress VEHICLE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1000);

    /** A vehicle that sends at a rate, once each millisecond, and the thread that reads. */
    private static final class World implements BulkSocket.Taker {
        private final long seed;
        private final Random random;
        private final long readNs;
        private long nowNs;
        private long readAtNs;
        private long urgentAtNs;
        private long sentMs;
        private int perMs;
        private int held;
        private int dropped;
        private int rounds;
        private boolean wasHeldUp;

        World(long seed, long readNs) {
            this.seed = seed;
            random = new Random(seed);
            this.readNs = readNs;
        }

        private void pass(long ns) {
            nowNs += ns;
            for (; sentMs < nowNs / MS; sentMs++) {
                int fits = Math.min(perMs, HELD - held);
                held += fits;
                dropped += perMs - fits;
            }
        }

        @Nullable
        SocketAddress receive(ByteBuffer target) {
            // Now and then another thread has the processor; not so often that the stream cannot be read at all.
            boolean isHeldUp = !wasHeldUp && random.nextInt(20_000) == 0;
            wasHeldUp |= isHeldUp;
            pass(isHeldUp ? random.nextLong(20 * MS) : readNs);
            if (held == 0) {
                return null;
            }
            held--;
            target.put(WAITS);
            return VEHICLE;
        }

        /** The link's thread for some time: it sleeps until a reading is due or something urgent arrives, and sometimes longer. */
        void run(BulkSocket socket, long ns) throws IOException {
            for (long endNs = nowNs + ns; nowNs < endNs; ) {
                long lateNs = random.nextInt(20) == 0 ? random.nextLong(10 * MS) : random.nextLong(MS / 10);
                wasHeldUp = false;
                pass(Math.max(0, Math.min(readAtNs + socket.intervalNs(), urgentAtNs) - nowNs) + lateNs);
                if (nowNs >= urgentAtNs) {
                    urgentAtNs += random.nextLong(MAX_URGENT_DISTANCE_NS);
                    socket.drainBefore(VEHICLE, URGENT, URGENT.length, nowNs);
                } else {
                    readAtNs = nowNs;
                    rounds++;
                    while (!socket.drain(nowNs)) {
                        // reads on at once
                    }
                }
                socket.endRound(true);
            }
        }

        @Override
        public void begin(long sinceNs) {}

        @Override
        public void take(InetSocketAddress sender, byte[] datagram, int length, long arrivalNs) {}

        @Override
        public void end() {}
    }

    private static long seed() {
        long seed = Long.getLong("mavlogd.seed", System.nanoTime());
        System.out.println("BulkSocketPaceTest: seed " + seed);
        return seed;
    }

    private static BulkSocket settled(World world, FakeBulkSocket fake) throws IOException {
        BulkSocket socket =
                new BulkSocket(new EmbeddedChannel(), fake, new LetterRule(), MAX_LENGTH, world, () -> world.nowNs);
        socket.endRound(true);
        world.run(socket, 1_000 * MS);
        return socket;
    }

    @ParameterizedTest
    @CsvSource({"20, 4000", "40, 4000", "80, 4000", "80, 8000", "120, 4000"})
    void aFastStreamFits(int perMs, long readNs) throws IOException {
        long first = seed();
        for (int i = 0; i < SEEDS; i++) {
            aFastStreamFits(perMs, new World(first + i, readNs));
        }
    }

    private static void aFastStreamFits(int perMs, World world) throws IOException {
        try (FakeBulkSocket fake = new FakeBulkSocket(BUFFER_BYTES, world::receive)) {
            BulkSocket socket = settled(world, fake);
            for (world.perMs = 1; world.perMs < perMs; world.perMs *= 2) {
                world.run(socket, 500 * MS);
            }
            world.perMs = perMs;
            world.dropped = 0;
            world.run(socket, 5_000 * MS);

            assertThat(world.dropped).as("seed %d", world.seed).isZero();
        }
    }

    @Test
    void aStreamThatBeginsFastAfterAnAcknowledgementFits() throws IOException {
        World world = new World(seed(), 4_000);
        try (FakeBulkSocket fake = new FakeBulkSocket(BUFFER_BYTES, world::receive)) {
            BulkSocket socket = settled(world, fake);

            socket.drainBefore(VEHICLE, ACKNOWLEDGED, ACKNOWLEDGED.length, world.nowNs);
            world.perMs = 80;
            world.run(socket, 1_000 * MS);

            assertThat(world.dropped).isZero();
        }
    }

    @Test
    void aSlowStreamIsReadAsRarelyAsAllowed() throws IOException {
        World world = new World(seed(), 4_000);
        try (FakeBulkSocket fake = new FakeBulkSocket(BUFFER_BYTES, world::receive)) {
            BulkSocket socket = settled(world, fake);
            world.perMs = 2;
            world.rounds = 0;
            world.run(socket, 10_000 * MS);

            assertThat(world.rounds).isBetween(40, 90);
        }
    }
}
