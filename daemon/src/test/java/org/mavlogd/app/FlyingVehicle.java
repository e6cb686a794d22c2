package org.mavlogd.app;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.LogImage;
import org.mavlogd.simulate.Px4Settings;
import org.mavlogd.simulate.Px4Vehicle;
import org.mavlogd.simulate.StreamObserver;

/** A simulated PX4 on a thread of its own, at the end of a {@link VehicleWire}. */
public final class FlyingVehicle implements AutoCloseable {
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int READ_LENGTH = 65_536;
    private static final int MESSAGE_ID_OFFSET = 7; // in a MAVLink 2 frame

    private final VehicleWire wire;
    private final Px4Vehicle vehicle;
    private final FrameDecoder decoder;
    private final List<SentLog> sent = new CopyOnWriteArrayList<>();
    private final Queue<ObjLongConsumer<Px4Vehicle>> orders = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean losesChunks;
    private volatile boolean atLogEnd;
    private volatile boolean streaming;
    private volatile String failure = "";
    private long nowNs = System.nanoTime();

    public FlyingVehicle(VehicleWire wire, Px4Settings settings, LogImage log) {
        this.wire = wire;
        this.vehicle = new Px4Vehicle(settings, log, this::send, new Truth(), nowNs);
        this.decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
        this.thread = new Thread(this::run, "vehicle-" + settings.systemId());
        thread.start();
    }

    public VehicleWire wire() {
        return wire;
    }

    /** All logs that were begun, also those that never arrived. */
    public List<SentLog> sent() {
        return sent;
    }

    public boolean isAtLogEnd() {
        return atLogEnd;
    }

    public boolean isStreaming() {
        return streaming;
    }

    public long chunksSent() {
        return vehicle.counters().chunks();
    }

    /** Does something to the vehicle, on its thread. */
    public void order(ObjLongConsumer<Px4Vehicle> order) {
        orders.add(order);
    }

    /** Whether everything but the log gets through, as on links that are too slow or cut long frames. */
    public void losesChunks(boolean value) {
        losesChunks = value;
    }

    /** Puts somebody else's frame on the vehicle's wire. */
    public void alsoSend(byte[] frame) {
        order((px4, timeNs) -> wire.send(frame, 0, frame.length));
    }

    private void send(byte[] frame, int offset, int length) {
        int messageId =
                (frame[offset + MESSAGE_ID_OFFSET] & 0xFF) + ((frame[offset + MESSAGE_ID_OFFSET + 1] & 0xFF) << 8);
        boolean isChunk = messageId == LogChunkLayout.LOGGING_DATA || messageId == LogChunkLayout.LOGGING_DATA_ACKED;
        if (!(isChunk && losesChunks)) {
            wire.send(frame, offset, length);
        }
    }

    private void run() {
        byte[] buffer = new byte[READ_LENGTH];
        try {
            while (!closed) {
                nowNs = System.nanoTime();
                int length = wire.receive(buffer);
                if (length > 0 && wire.isDatagram()) {
                    decoder.decodeDatagram(buffer, 0, length, nowNs);
                } else if (length > 0) {
                    decoder.decode(buffer, 0, length, nowNs);
                }
                for (ObjLongConsumer<Px4Vehicle> order = orders.poll(); order != null; order = orders.poll()) {
                    order.accept(vehicle, nowNs);
                }
                vehicle.onTick(nowNs);
                atLogEnd = vehicle.isAtLogEnd();
                streaming = vehicle.isStreaming();
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
                wire.close(); // it may be stuck in a pipe that nobody empties
            }
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive() || !failure.isEmpty()) {
            throw new AssertionError("vehicle: " + (failure.isEmpty() ? "thread does not end" : failure));
        }
    }

    private final class Truth implements StreamObserver {
        @Override
        public void onSessionStart(byte[] header, long timeNs) {
            sent.add(new SentLog());
        }

        @Override
        public void onChunk(
                int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long timeNs) {
            last().add(data, offset, length, timeNs);
        }

        @Override
        public void onSessionEnd(SessionEnd end, long timeNs) {
            last().ended(end);
        }

        private SentLog last() {
            return sent.get(sent.size() - 1);
        }
    }
}
