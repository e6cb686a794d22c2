package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The order of datagrams from two sockets, in a model of the kernel: a seed decides every interleaving of the vehicles
 * that send and the thread that reads. Each vehicle sends numbered log data that may wait, data that it wants
 * acknowledged, after which it waits for the answer, and urgent data without an order.
 */
class BulkSocketOrderTest {
    private static final int SEEDS = Integer.getInteger("mavlogd.seeds", 1_000);
    private static final int VEHICLES = 3;
    private static final int DATAGRAMS = 300;
    private static final int MAX_LENGTH = 64;
    private static final int FLOOD = 10_000;

    private record Datagram(InetSocketAddress sender, String text) {
        boolean isBulk() {
            return text.startsWith("w");
        }

        byte[] bytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** One run: vehicles, the kernel's two queues, and the link's thread. */
    private static final class World implements BulkSocket.Taker {
        private final Random random;
        private final Deque<Datagram> woken = new ArrayDeque<>();
        private final Deque<Datagram> bulk = new ArrayDeque<>();
        private final List<Deque<String>> unsent = new ArrayList<>();
        private final List<List<String>> sent = new ArrayList<>();
        private final List<List<String>> delivered = new ArrayList<>();
        private final boolean[] waits = new boolean[VEHICLES];
        private boolean sorts;
        private long nowNs;

        World(long seed) {
            random = new Random(seed);
            int rare = 2 + random.nextInt(40);
            for (int vehicle = 0; vehicle < VEHICLES; vehicle++) {
                Deque<String> planned = new ArrayDeque<>();
                for (int i = 0; i < DATAGRAMS; i++) {
                    String kind = random.nextInt(rare) == 0 ? "o" : random.nextInt(8) == 0 ? "p" : "w";
                    planned.add(kind + idOf(vehicle) + "%06d".formatted(i));
                }
                unsent.add(planned);
                sent.add(new ArrayList<>());
                delivered.add(new ArrayList<>());
            }
        }

        /** The last two vehicles have the same id, like a stranger who pretends to be the other one. */
        private static char idOf(int vehicle) {
            return (char) ('a' + Math.min(vehicle, VEHICLES - 2));
        }

        /** The first two vehicles have the same address, like two behind a router. */
        private static InetSocketAddress addressOf(int vehicle) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), vehicle < 2 ? 1000 : 1000 + vehicle);
        }

        private static int vehicleOf(Datagram datagram) {
            int vehicle = 0;
            while (!addressOf(vehicle).equals(datagram.sender())
                    || idOf(vehicle) != datagram.text().charAt(1)) {
                vehicle++;
            }
            return vehicle;
        }

        /** Vehicles may send at any moment. */
        void meanwhile() {
            while (random.nextInt(3) == 0) {
                int vehicle = random.nextInt(VEHICLES);
                if (!waits[vehicle] && !unsent.get(vehicle).isEmpty()) {
                    send(vehicle);
                }
            }
            nowNs += random.nextInt(100_000);
        }

        /** Some datagrams arrive before the kernel sorts. */
        void beforeSorting() {
            for (int i = random.nextInt(60); i > 0; i--) {
                int vehicle = random.nextInt(VEHICLES);
                if (!waits[vehicle] && !unsent.get(vehicle).isEmpty()) {
                    send(vehicle);
                }
            }
            sorts = true;
        }

        private void send(int vehicle) {
            String text = unsent.get(vehicle).remove();
            Datagram datagram = new Datagram(addressOf(vehicle), text);
            (sorts && datagram.isBulk() ? bulk : woken).add(datagram);
            waits[vehicle] = text.startsWith("o");
            if (!text.startsWith("p")) {
                sent.get(vehicle).add(text);
            }
        }

        private void deliver(Datagram datagram) {
            int vehicle = vehicleOf(datagram);
            if (datagram.text().startsWith("p")) {
                return;
            }
            delivered.get(vehicle).add(datagram.text());
            if (datagram.text().startsWith("o")) {
                waits[vehicle] = false;
            }
        }

        BulkSocket socket(FakeBulkSocket fake) throws IOException {
            return new BulkSocket(new EmbeddedChannel(), fake, new LetterRule(), MAX_LENGTH, this, () -> nowNs);
        }

        boolean isOver() {
            return woken.isEmpty() && bulk.isEmpty() && unsent.stream().allMatch(Deque::isEmpty);
        }

        /** Reads what is there, at most some, then delivers one after the other: as recvmmsg gives them. */
        void readWoken(BulkSocket socket) throws IOException {
            List<Datagram> batch = new ArrayList<>();
            int most = 1 + random.nextInt(20);
            while (batch.size() < most && !woken.isEmpty()) {
                batch.add(woken.remove());
            }
            for (Datagram each : batch) {
                meanwhile();
                byte[] bytes = each.bytes();
                socket.drainBefore(each.sender(), bytes, bytes.length, nowNs);
                deliver(each);
            }
            socket.endRound(true);
        }

        @Nullable
        SocketAddress receive(ByteBuffer target) {
            meanwhile();
            Datagram next = bulk.poll();
            if (next == null) {
                return null;
            }
            target.put(next.bytes());
            return next.sender();
        }

        @Override
        public void begin(long sinceNs) {}

        @Override
        public void take(InetSocketAddress sender, byte[] datagram, int length, long arrivalNs) {
            deliver(new Datagram(sender, new String(datagram, 0, length, StandardCharsets.US_ASCII)));
        }

        @Override
        public void end() {}
    }

    @Test
    void everyInterleavingKeepsTheOrder() throws IOException {
        long first = Long.getLong("mavlogd.seed", System.nanoTime());
        System.out.println("BulkSocketOrderTest: seed " + first);
        for (int i = 0; i < SEEDS; i++) {
            World world = run(first + i);

            assertThat(world.delivered).as("seed %d", first + i).isEqualTo(world.sent);
        }
    }

    /** More than is set aside arrives from one vehicle before the other socket is known to be empty. */
    @Test
    void aFloodBeforeItIsSettledLosesNothingAndKeepsItsOrder() throws IOException {
        World world = new World(4711);
        world.unsent.forEach(Deque::clear);
        world.sorts = true;
        for (int i = 0; i < FLOOD; i++) {
            world.unsent.get(0).add("wa%06d".formatted(i));
            world.send(0);
        }
        world.unsent.get(1).add("ob000000");
        world.send(1);
        try (FakeBulkSocket fake = new FakeBulkSocket(1 << 20, world::receive)) {
            BulkSocket socket = world.socket(fake);

            world.readWoken(socket);

            assertThat(world.delivered.get(0)).isEmpty();
            assertThat(world.bulk).isNotEmpty();
            while (!world.isOver()) {
                world.readWoken(socket);
                boolean unused = socket.drain(world.nowNs);
            }
        }
        assertThat(world.delivered).isEqualTo(world.sent);
    }

    private static World run(long seed) throws IOException {
        World world = new World(seed);
        world.beforeSorting();
        try (FakeBulkSocket fake = new FakeBulkSocket(1 << 20, world::receive)) {
            BulkSocket socket = world.socket(fake);
            while (!world.isOver()) {
                world.meanwhile();
                if (world.sorts && world.random.nextInt(20) == 0) {
                    world.sorts = false;
                    socket.sortNoMore();
                }
                if (world.random.nextInt(4) == 0) {
                    boolean unused = socket.drain(world.nowNs);
                    socket.endRound(false);
                } else {
                    world.readWoken(socket);
                }
            }
            while (!socket.drain(world.nowNs)) {
                // what is held
            }
            world.readWoken(socket);
            boolean unused = socket.drain(world.nowNs);
        }
        return world;
    }
}
