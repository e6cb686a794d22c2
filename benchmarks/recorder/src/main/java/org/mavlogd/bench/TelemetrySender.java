package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.mavlink.FrameEncoder;

/**
 * Sends stamped telemetry at a constant rate, each millisecond the frames that are due, from a vehicle's socket, on its
 * own thread.
 */
final class TelemetrySender implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DatagramChannel channel;
    private final SocketAddress target;
    private final int framesPerS;
    private final StampedFrames frames = new StampedFrames();
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final ByteBuffer out = ByteBuffer.allocateDirect(FrameEncoder.MAX_FRAME_LENGTH);
    private final AtomicLong sent = new AtomicLong();
    private final Thread thread;
    private volatile boolean stopping;

    TelemetrySender(DatagramChannel channel, SocketAddress target, int framesPerS) {
        this.channel = channel;
        this.target = target;
        this.framesPerS = framesPerS;
        this.thread = new Thread(this::run, "bench-telemetry");
        thread.setDaemon(true);
        thread.start();
    }

    /** Frames that this computer's kernel accepted. */
    long sent() {
        return sent.get();
    }

    private void run() {
        try {
            long beginNs = System.nanoTime();
            int number = 0;
            while (!stopping) {
                long dueFrames = (System.nanoTime() - beginNs) * framesPerS / TimeUnit.SECONDS.toNanos(1);
                for (; number < dueFrames && !stopping; number++) {
                    send(number);
                }
                LockSupport.parkNanos(INTERVAL_NS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(int number) throws IOException {
        int length = frames.write(number, System.nanoTime(), frame);
        out.clear();
        out.put(frame, 0, length).flip();
        if (channel.send(out, target) > 0) {
            sent.incrementAndGet();
        }
    }

    /** Stops after the last frame, and returns how many were sent in all. */
    long stop() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return sent();
    }

    @Override
    public void close() {
        stop();
    }
}
