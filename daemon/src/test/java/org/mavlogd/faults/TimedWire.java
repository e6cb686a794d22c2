package org.mavlogd.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.mavlink.LogChunkLayout;

/** A vehicle's wire that measures the time from a chunk's first transmission to its acknowledgement. */
final class TimedWire extends VehicleWire {
    private static final int HEADER_LENGTH = 10; // of a MAVLink 2 frame
    private static final int MESSAGE_ID_OFFSET = 7;

    private final VehicleWire wire;
    // By sequence number. Owned by the vehicle's thread.
    private final Map<Integer, Long> sentNs = new HashMap<>();
    private final List<Long> delaysNs = new CopyOnWriteArrayList<>();
    private final AtomicLong repeats = new AtomicLong();

    TimedWire(VehicleWire wire) {
        this.wire = wire;
    }

    /** The longest time to an acknowledgement, without this percentage of the slowest. Any thread. */
    long delayMs(int percent) {
        List<Long> sorted = delaysNs.stream().sorted().toList();
        int left = sorted.size() - sorted.size() * percent / 100;
        return left == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(sorted.get(left - 1));
    }

    /** Discards all measurements so far. */
    void forget() {
        delaysNs.clear();
        repeats.set(0);
    }

    /** Number of chunks sent again because an acknowledgement was missing. */
    long repeats() {
        return repeats.get();
    }

    @Override
    public boolean isDatagram() {
        return wire.isDatagram();
    }

    @Override
    public void send(byte[] frame, int offset, int length) {
        if (uint16(frame, offset + MESSAGE_ID_OFFSET) == LogChunkLayout.LOGGING_DATA_ACKED
                && sentNs.putIfAbsent(uint16(frame, offset + HEADER_LENGTH), System.nanoTime()) != null) {
            repeats.incrementAndGet();
        }
        wire.send(frame, offset, length);
    }

    @Override
    public int receive(byte[] buffer) {
        int length = wire.receive(buffer);
        if (length > HEADER_LENGTH + 1 && uint16(buffer, MESSAGE_ID_OFFSET) == LogChunkLayout.LOGGING_ACK) {
            Long since = sentNs.remove(uint16(buffer, HEADER_LENGTH));
            if (since != null) {
                delaysNs.add(System.nanoTime() - since);
            }
        }
        return length;
    }

    private static int uint16(byte[] bytes, int offset) {
        return (bytes[offset] & 0xFF) | (bytes[offset + 1] & 0xFF) << Byte.SIZE;
    }

    @Override
    public void close() {
        wire.close();
    }
}
