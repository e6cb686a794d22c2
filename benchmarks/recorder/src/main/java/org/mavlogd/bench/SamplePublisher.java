package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that publishes 1,000 samples a second, twenty to a datagram, over UDP on loopback, on its own thread. */
final class SamplePublisher implements AutoCloseable {
    static final int SAMPLES_PER_DATAGRAM = 20;

    private static final long INTERVAL_NS = 20_000_000;
    private static final long SAMPLE_NS = INTERVAL_NS / SAMPLES_PER_DATAGRAM;
    private static final String DEFINITION =
            "{\"define\":\"bench\",\"fields\":{\"a\":\"float\",\"b\":\"float\",\"n\":\"uint32_t\"}}";
    private static final Pattern HANDLE = Pattern.compile("\"handle\":(\\d+)");
    private static final int VALUES_LENGTH = 12;
    private static final int ATTEMPTS = 50;
    private static final int ANSWER_MS = 200;

    /** The format of the samples. */
    enum Form {
        /** The binary form, with the time of each sample. */
        BINARY,
        /** Lines of JSON; a sample's time is its arrival. */
        LINES
    }

    private final DatagramSocket socket;
    private final int port;
    private final Form form;
    private final Thread thread = new Thread(this::run, "bench-publisher");
    private volatile boolean stopping;
    private final AtomicLong samples = new AtomicLong();

    SamplePublisher(int port, Form form) throws IOException {
        this.socket = new DatagramSocket();
        this.port = port;
        this.form = form;
        thread.setDaemon(true);
        thread.start();
    }

    /** Samples sent so far. */
    long samples() {
        return samples.get();
    }

    private void run() {
        try {
            int handle = form == Form.BINARY ? handle() : 0;
            if (form == Form.LINES) {
                send(DEFINITION.getBytes(StandardCharsets.UTF_8));
            }
            long dueNs = System.nanoTime();
            while (!stopping) {
                dueNs += INTERVAL_NS;
                while (dueNs - System.nanoTime() > 0) {
                    LockSupport.parkNanos(dueNs - System.nanoTime());
                }
                send(form == Form.BINARY ? binary(handle) : lines());
                samples.addAndGet(SAMPLES_PER_DATAGRAM);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The handle from the answer to the definition. Repeats the definition, since the daemon may still be opening its
     * socket.
     */
    private int handle() throws IOException {
        socket.setSoTimeout(ANSWER_MS);
        DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
        for (int attempt = 0; attempt < ATTEMPTS && !stopping; attempt++) {
            send(DEFINITION.getBytes(StandardCharsets.UTF_8));
            try {
                socket.receive(answer);
            } catch (SocketTimeoutException e) {
                continue;
            }
            String text = new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
            Matcher handle = HANDLE.matcher(text);
            if (handle.find()) {
                return Integer.parseUnsignedInt(handle.group(1));
            }
            throw new IOException("the definition was answered with " + text);
        }
        throw new IOException("the definition was not answered");
    }

    private byte[] binary(int handle) {
        ByteBuffer datagram = ByteBuffer.allocate(4 + SAMPLES_PER_DATAGRAM * (16 + VALUES_LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN);
        datagram.put((byte) 0xA7).put((byte) 1).putShort((short) 0);
        long nowNs = System.nanoTime();
        for (int i = 0; i < SAMPLES_PER_DATAGRAM; i++) {
            long n = samples.get() + i;
            datagram.putInt(handle)
                    .put((byte) 0)
                    .put((byte) 1)
                    .putShort((short) VALUES_LENGTH)
                    .putLong(nowNs - (SAMPLES_PER_DATAGRAM - 1 - i) * SAMPLE_NS)
                    .putFloat(1.25f)
                    .putFloat(n % 7 + 0.5f)
                    .putInt((int) n);
        }
        return datagram.array();
    }

    private byte[] lines() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < SAMPLES_PER_DATAGRAM; i++) {
            long n = samples.get() + i;
            lines.append("{\"topic\":\"bench\",\"fields\":{\"a\":1.25,\"b\":")
                    .append(n % 7)
                    .append(".5,\"n\":")
                    .append(n)
                    .append("}}\n");
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void send(byte[] datagram) throws IOException {
        socket.send(new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
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
