package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;

/**
 * The thread of a simulated vehicle and its connected socket. It reads incoming data at once and calls the tick each
 * millisecond.
 */
final class VehicleLoop implements AutoCloseable {
    private static final int TICK_MS = 1;

    private final SelectableChannel channel;
    private final ByteChannel bytes;
    private final boolean isDatagrams;
    private final FrameDecoder decoder;
    private final LongConsumer onTick;
    private final ByteBuffer out = ByteBuffer.allocateDirect(2048).limit(0);
    private final ByteBuffer in = ByteBuffer.allocate(2048);
    private final Thread thread;
    private volatile boolean stopping;

    <C extends SelectableChannel & ByteChannel> VehicleLoop(
            String name, C channel, FrameDecoder.Handler onFrame, LongConsumer onTick) {
        this.channel = channel;
        this.bytes = channel;
        this.isDatagrams = channel instanceof DatagramChannel;
        this.decoder = new FrameDecoder(onFrame, FrameCounters.unregistered());
        this.onTick = onTick;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Sends a frame, on the loop's thread. False if this computer's kernel does not accept it, or the port is not open
     * yet.
     */
    boolean send(byte[] frame, int offset, int length) throws IOException {
        try {
            if (out.hasRemaining() && !isDatagrams) {
                bytes.write(out); // the part of the previous frame that the stream did not accept
                if (out.hasRemaining()) {
                    return false;
                }
            }
            out.clear();
            out.put(frame, offset, length).flip();
            return bytes.write(out) > 0;
        } catch (PortUnreachableException e) {
            return false;
        }
    }

    /** Handles a frame as if the peer had sent it. The loop's thread. */
    void receive(byte[] frame, int length, long nowNs) {
        if (isDatagrams) {
            decoder.decodeDatagram(frame, 0, length, nowNs);
        } else {
            decoder.decode(frame, 0, length, nowNs);
        }
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
            return bytes.read(in) > 0;
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
