package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.loopback;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

/** Tests how much the link's thread allocates for a received datagram once it is warm. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a lost datagram would block the test for good
class LinkAllocationSystemTest {
    private static final int FRAME_LENGTH = 280;
    private static final int WARM_UP_FRAMES = 20_000;
    private static final int FRAMES = 20_000;

    // Netty allocates a packet, two address objects and their holders for each datagram, 112 bytes on a 64-bit machine.
    // Our own allocations would be added to that.
    private static final double MAX_BYTES_PER_DATAGRAM = 160;

    // The address in the kernel's form. With a packet and a promise of Netty it is 137 bytes.
    private static final double MAX_BYTES_PER_ANSWER = 100;

    private final Quiet listener = new Quiet();

    @Test
    void datagramCostsWhatNettyAllocatesAndNoMore() throws IOException {
        int port = FreePorts.udp();
        try (Link link = link(new LinkSettings.UdpListen("garbage", "127.0.0.1", port, true));
                DatagramSocket vehicle = new DatagramSocket()) {
            DatagramPacket frame = new DatagramPacket(new byte[FRAME_LENGTH], FRAME_LENGTH, loopback(), port);
            await(() -> link.status().detail().startsWith("listening"));
            send(vehicle, frame, WARM_UP_FRAMES);

            assertThat(allocatedPerFrame(link, vehicle, frame)).isLessThan(MAX_BYTES_PER_DATAGRAM);
        }
    }

    @Test
    void answerCostsWhatTheCallIntoTheKernelAllocatesAndNoMore() throws IOException {
        int port = FreePorts.udp();
        try (Link link = link(new LinkSettings.UdpListen("garbage", "127.0.0.1", port, true));
                DatagramSocket vehicle = new DatagramSocket()) {
            DatagramPacket frame = new DatagramPacket(new byte[FRAME_LENGTH], FRAME_LENGTH, loopback(), port);
            await(() -> link.status().detail().startsWith("listening"));
            send(vehicle, frame, WARM_UP_FRAMES);
            double received = allocatedPerFrame(link, vehicle, frame);
            listener.answers = true;
            send(vehicle, frame, WARM_UP_FRAMES);

            double answered = allocatedPerFrame(link, vehicle, frame);

            assertThat(answered - received).isLessThan(MAX_BYTES_PER_ANSWER);
        }
    }

    private double allocatedPerFrame(Link link, DatagramSocket vehicle, DatagramPacket frame) throws IOException {
        long before = allocatedBytes(link);
        send(vehicle, frame, FRAMES);
        return (double) (allocatedBytes(link) - before) / FRAMES;
    }

    @Test
    void streamBytesCostAlmostNothing() throws IOException {
        int port = FreePorts.tcp();
        try (Link link = link(new LinkSettings.TcpListen("garbage", "127.0.0.1", port))) {
            await(() -> link.status().detail().startsWith("listening"));
            try (Socket vehicle = new Socket(loopback(), port)) {
                vehicle.setTcpNoDelay(true);
                send(vehicle.getOutputStream(), WARM_UP_FRAMES);

                long before = allocatedBytes(link);
                send(vehicle.getOutputStream(), FRAMES);
                long allocated = allocatedBytes(link) - before;

                assertThat((double) allocated / FRAMES).isLessThan(16);
            }
        }
    }

    private void send(DatagramSocket vehicle, DatagramPacket frame, int frames) throws IOException {
        for (int i = 0; i < frames; i += 100) {
            long expected = listener.bytes.get() + 100L * FRAME_LENGTH;
            for (int j = 0; j < 100; j++) {
                vehicle.send(frame);
            }
            while (listener.bytes.get() < expected) {
                Thread.onSpinWait();
            }
        }
    }

    private void send(OutputStream out, int frames) throws IOException {
        long expected = listener.bytes.get() + (long) frames * FRAME_LENGTH;
        byte[] frame = new byte[FRAME_LENGTH];
        for (int i = 0; i < frames; i++) {
            out.write(frame);
        }
        await(() -> listener.bytes.get() == expected);
    }

    private Link link(LinkSettings settings) {
        Link link = Links.create(settings, listener, LinkCounters.register(new Metrics(), settings.name()));
        link.start();
        return link;
    }

    private static long allocatedBytes(Link link) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("link-" + link.name()))
                .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getId()))
                .sum();
    }

    /** Counts the bytes, and lets the link gather them. */
    private static final class Quiet implements LinkListener {
        final AtomicLong bytes = new AtomicLong();
        volatile boolean answers;

        @Override
        public void onPeerUp(Peer peer, long nowNs) {}

        @Override
        public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
            if (answers) {
                peer.send(buffer, offset, length);
            }
            bytes.addAndGet(length);
        }

        @Override
        public void onPeerDown(Peer peer, long nowNs) {}

        @Override
        public void onTick(long nowNs) {}

        @Override
        public boolean mayWait() {
            return true;
        }
    }
}
