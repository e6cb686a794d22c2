package org.mavlogd.app;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;

/** A listener on the vehicle's network that is no recorder, and must get no log data. */
final class CountingGroundStation implements AutoCloseable {
    private static final int READ_LENGTH = 65_536;

    private final VehicleWire wire;
    private final FrameDecoder decoder = new FrameDecoder(this::count, FrameCounters.unregistered());
    private final Thread thread = new Thread(this::run, "ground-station");
    private volatile boolean closed;
    private final AtomicLong logFrames = new AtomicLong();
    private final AtomicLong telemetryFrames = new AtomicLong();

    CountingGroundStation(int port) {
        wire = VehicleWire.udpAt(port);
        thread.start();
    }

    long logFrames() {
        return logFrames.get();
    }

    long telemetryFrames() {
        return telemetryFrames.get();
    }

    private void count(FrameView frame, long nowNs) {
        if (frame.messageId() == LogChunkLayout.LOGGING_DATA
                || frame.messageId() == LogChunkLayout.LOGGING_DATA_ACKED) {
            logFrames.incrementAndGet();
        } else {
            telemetryFrames.incrementAndGet();
        }
    }

    private void run() {
        byte[] buffer = new byte[READ_LENGTH];
        while (!closed) {
            int length = wire.receive(buffer);
            if (length > 0) {
                decoder.decodeDatagram(buffer, 0, length, System.nanoTime());
            } else {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        wire.close();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
