package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A program that publishes 1,000 samples a second, ten lines to a datagram, over UDP on loopback; on a thread of its own. */
final class SamplePublisher implements AutoCloseable {
    private static final int SAMPLES_PER_DATAGRAM = 10;
    private static final long INTERVAL_NS = 10_000_000;

    private final DatagramSocket socket;
    private final int port;
    private final Thread thread = new Thread(this::run, "bench-publisher");
    private volatile boolean stopping;
    private final AtomicLong samples = new AtomicLong();

    SamplePublisher(int port) throws IOException {
        this.socket = new DatagramSocket();
        this.port = port;
        thread.setDaemon(true);
        thread.start();
    }

    /** How many were sent so far. */
    long samples() {
        return samples.get();
    }

    private void run() {
        try {
            send("{\"define\":\"bench\",\"fields\":{\"a\":\"float\",\"b\":\"float\",\"n\":\"uint32_t\"}}");
            long dueNs = System.nanoTime();
            while (!stopping) {
                dueNs += INTERVAL_NS;
                while (dueNs - System.nanoTime() > 0) {
                    LockSupport.parkNanos(dueNs - System.nanoTime());
                }
                StringBuilder lines = new StringBuilder();
                for (int i = 0; i < SAMPLES_PER_DATAGRAM; i++) {
                    long n = samples.get() + i;
                    lines.append("{\"topic\":\"bench\",\"fields\":{\"a\":1.25,\"b\":")
                            .append(n % 7)
                            .append(".5,\"n\":")
                            .append(n)
                            .append("}}\n");
                }
                send(lines.toString());
                samples.addAndGet(SAMPLES_PER_DATAGRAM);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        socket.close();
    }
}
