package org.mavlogd.app;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;

/** The thread of a simulated vehicle, at the end of a {@link VehicleWire}. */
final class VehicleThread implements AutoCloseable {
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int READ_LENGTH = 65_536;

    private final VehicleWire wire;
    private final FrameDecoder decoder;
    private final LongConsumer onTick;
    private final Queue<LongConsumer> orders = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile String failure = "";

    VehicleThread(String name, VehicleWire wire, FrameDecoder.Handler onFrame, LongConsumer onTick) {
        this.wire = wire;
        this.decoder = new FrameDecoder(onFrame, FrameCounters.unregistered());
        this.onTick = onTick;
        this.thread = new Thread(this::run, name);
        thread.start();
    }

    /** Runs an action on the vehicle's thread, with the time. */
    void order(LongConsumer order) {
        orders.add(order);
    }

    private void run() {
        byte[] buffer = new byte[READ_LENGTH];
        try {
            while (!closed) {
                long nowNs = System.nanoTime();
                int length = wire.receive(buffer);
                if (length > 0 && wire.isDatagram()) {
                    decoder.decodeDatagram(buffer, 0, length, nowNs);
                } else if (length > 0) {
                    decoder.decode(buffer, 0, length, nowNs);
                }
                for (LongConsumer order = orders.poll(); order != null; order = orders.poll()) {
                    order.accept(nowNs);
                }
                onTick.accept(nowNs);
                if (length == 0) {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        } catch (RuntimeException e) {
            failure = e.toString();
            throw e;
        } finally {
            wire.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(3));
            if (thread.isAlive()) {
                wire.close(); // the thread may be blocked in a pipe without a reader
            }
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive() || !failure.isEmpty()) {
            throw new AssertionError("vehicle: " + (failure.isEmpty() ? "thread does not end" : failure));
        }
    }
}
