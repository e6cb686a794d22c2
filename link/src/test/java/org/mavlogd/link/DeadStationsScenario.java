package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

/**
 * The program in the network namespace of {@link InterfaceSystemTest}: a link with a vehicle, a ground station, and two
 * more ground stations that vanish. The kernel holds datagrams to the latter until it stops asking for their hardware
 * addresses, after about 3 s.
 */
final class DeadStationsScenario {
    private static final int PORT = 14600;
    private static final List<String> DEAD = List.of("10.77.0.70", "10.77.0.71");
    private static final long DURATION_NS = TimeUnit.SECONDS.toNanos(9);
    // By then the kernel has dropped the datagrams that the link sent before it knew that the stations were gone.
    private static final long KNOWN_NS = TimeUnit.SECONDS.toNanos(7);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);

    private final Answering listener = new Answering();
    private final long[] answerNs = new long[(int) (DURATION_NS / PAUSE_NS)];
    private int answers;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong refusedOfLiving = new AtomicLong();
    private volatile boolean isOver;

    public static void main(String[] arguments) throws Exception {
        InterfaceScenario.sh("ip link add mav0 type veth peer name far0 netns "
                + arguments[0] + "; ip address add 10.77.0.1/24 dev mav0; ip link set mav0 up; nsenter --target "
                + arguments[0] + " --net ip link set far0 up");
        new DeadStationsScenario().run();
    }

    private void run() throws Exception {
        LinkSettings settings = new LinkSettings.UdpListen("udp", "0.0.0.0", PORT, true, "");
        try (Link link = Links.create(settings, listener, LinkCounters.register(new Metrics(), "udp"))) {
            link.start();
            await(() -> link.status().detail().startsWith("listening"));
            for (String station : DEAD) {
                InterfaceScenario.sh("ip address add " + station + "/32 dev lo");
                try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(station, 0))) {
                    speak(socket);
                }
                InterfaceScenario.sh("ip address delete " + station + "/32 dev lo");
            }
            try (DatagramSocket living = socket();
                    DatagramSocket vehicle = socket()) {
                speak(living);
                List<Peer> stations = List.copyOf(listener.peers); // the vehicle joins while they are written to
                Thread forward = new Thread(() -> forward(stations, living), "forward");
                forward.start();
                askAgainAndAgain(vehicle);
                forward.join();
            }
        }
        long[] sorted = Arrays.copyOf(answerNs, answers);
        Arrays.sort(sorted);
        assertThat(Duration.ofNanos(sorted[answers / 2]))
                .as("median of %d answers", answers)
                .isLessThan(PromisedTime.of(Duration.ofMillis(3)));
        assertThat(Duration.ofNanos(sorted[answers - 1]))
                .as("slowest of %d answers", answers)
                .isLessThan(PromisedTime.of(Duration.ofMillis(100)));
        assertThat(refused.get()).as("refused of what was for the dead").isGreaterThan(100);
        assertThat(refusedOfLiving.get())
                .as("refused of what was for the living")
                .isZero();
    }

    private static DatagramSocket socket() throws IOException {
        return new DatagramSocket(new InetSocketAddress(LinkFixture.loopback(), 0));
    }

    /** Sends a datagram and waits until the link knows the peer. */
    private void speak(DatagramSocket socket) throws IOException {
        int known = listener.peers.size();
        socket.send(new DatagramPacket(new byte[1], 1, InetAddress.getByName("10.77.0.1"), PORT));
        await(() -> listener.peers.size() > known);
    }

    /** Asks like a PX4, which waits for each acknowledgement. */
    private void askAgainAndAgain(DatagramSocket vehicle) throws IOException {
        vehicle.setSoTimeout(50_000);
        DatagramPacket answer = new DatagramPacket(new byte[Long.BYTES], Long.BYTES);
        byte[] question = new byte[Long.BYTES];
        long beganNs = System.nanoTime();
        while (System.nanoTime() - beganNs < DURATION_NS && answers < answerNs.length) {
            long askedNs = System.nanoTime();
            ByteBuffer.wrap(question).putLong(askedNs);
            vehicle.send(new DatagramPacket(question, Long.BYTES, LinkFixture.loopback(), PORT));
            vehicle.receive(answer);
            answerNs[answers++] = System.nanoTime() - askedNs;
            LockSupport.parkNanos(PAUSE_NS);
        }
        isOver = true;
    }

    /** Sends telemetry to all stations, 300 KB/s to each; the living one is the last. */
    private void forward(List<Peer> stations, DatagramSocket living) {
        byte[] telemetry = new byte[1200];
        long beganNs = System.nanoTime();
        for (int i = 0; !isOver; i++) {
            for (Peer peer : stations.subList(0, DEAD.size())) {
                if (!peer.sendDirectly(telemetry, 0, telemetry.length)) {
                    refused.incrementAndGet();
                }
            }
            boolean isTaken = stations.get(DEAD.size()).sendDirectly(telemetry, 0, telemetry.length);
            if (!isTaken && System.nanoTime() - beganNs > KNOWN_NS) {
                refusedOfLiving.incrementAndGet();
            }
            if (i % 100 == 0) {
                say(living);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static void say(DatagramSocket living) {
        try {
            living.send(new DatagramPacket(new byte[1], 1, LinkFixture.loopback(), PORT));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Answers each question of the vehicle at once. */
    private static final class Answering implements LinkListener {
        final List<Peer> peers = new CopyOnWriteArrayList<>();

        @Override
        public void onPeerUp(Peer peer, long nowNs) {
            peer.rank(Peer.Rank.SPEAKER); // otherwise it is forgotten after 5 s
            peers.add(peer);
        }

        @Override
        public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
            if (length == Long.BYTES) {
                peer.send(buffer, offset, length);
            }
        }

        @Override
        public void onPeerDown(Peer peer, long nowNs) {
            peers.remove(peer);
        }

        @Override
        public void onTick(long nowNs) {}

        @Override
        public boolean mayWait() {
            return false;
        }
    }
}
