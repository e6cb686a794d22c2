package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One log exactly as a simulated ArduPilot sent it, block by block. Written by the vehicle's thread, read by any. */
public final class SentBlocks {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Long> timesNs = new ArrayList<>();
    private final Map<Integer, Long> ackedNs = new HashMap<>();
    private volatile boolean ended;

    synchronized void add(long number, byte[] data, long timeNs) {
        if (number != timesNs.size()) {
            throw new IllegalStateException("block " + number + " follows " + timesNs.size() + " others");
        }
        bytes.write(data, 0, data.length);
        timesNs.add(timeNs);
    }

    synchronized void acked(long number, long timeNs) {
        ackedNs.putIfAbsent((int) number, timeNs);
    }

    void ended() {
        ended = true;
    }

    /** Whether the log ended: stopped, given up, or by a reboot. */
    public boolean isEnded() {
        return ended;
    }

    public synchronized int count() {
        return timesNs.size();
    }

    /** All blocks so far, joined. */
    public synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    /**
     * The time of a block's first acknowledgement, by {@link System#nanoTime}; {@link Long#MAX_VALUE} if there was
     * none.
     */
    public synchronized long ackedNs(int block) {
        return ackedNs.getOrDefault(block, Long.MAX_VALUE);
    }

    /** The time at which a full block was first sent; {@link Long#MAX_VALUE} if it was not sent yet. */
    public synchronized long sentNs(int block) {
        return block < timesNs.size() ? timesNs.get(block) : Long.MAX_VALUE;
    }
}
