package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;

/** The thread on which a simulated vehicle lives, and its socket: what comes is read at once, a tick comes each millisecond. */
final class VehicleLoop implements AutoCloseable {
    private static final int TICK_MS = 1;

    private final DatagramChannel channel;
    private final SocketAddress target;
    private final FrameDecoder decoder;
    private final LongConsumer onTick;
    private final ByteBuffer out = ByteBuffer.allocateDirect(2048);
    private final ByteBuffer in = ByteBuffer.allocate(2048);
    private final Thread thread;
    private volatile boolean stopping;

    VehicleLoop(
            String name,
            DatagramChannel channel,
            SocketAddress target,
            FrameDecoder.Handler onFrame,
            LongConsumer onTick) {
        this.channel = channel;
        this.target = target;
        this.decoder = new FrameDecoder(onFrame, FrameCounters.unregistered());
        this.onTick = onTick;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The loop's thread. False when our own kernel does not take it. */
    boolean send(byte[] frame, int offset, int length) throws IOException {
        out.clear();
        out.put(frame, offset, length).flip();
        return channel.send(out, target) > 0;
    }

    /** As if it had come from the peer. The loop's thread. */
    void receive(byte[] frame, int length, long nowNs) {
        decoder.decodeDatagram(frame, 0, length, nowNs);
    }

    private void run() {
        try (Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            onTick.accept(System.nanoTime());
            while (!stopping) {
                selector.select(key -> {}, TICK_MS);
                while (hasReceived()) {
                    receive(in.array(), in.position(), System.nanoTime());
                }
                onTick.accept(System.nanoTime());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean hasReceived() throws IOException {
        in.clear();
        try {
            return channel.receive(in) != null;
        } catch (PortUnreachableException e) {
            return false;
        }
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
