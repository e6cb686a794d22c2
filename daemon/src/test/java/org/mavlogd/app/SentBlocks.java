package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One log as a simulated ArduPilot sent it, block by block: the truth. Written by the vehicle's thread, read by any. */
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

    /** Whether it was stopped, given up, or ended by a reboot. */
    public boolean isEnded() {
        return ended;
    }

    public synchronized int count() {
        return timesNs.size();
    }

    /** All blocks so far, one behind the other. */
    public synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    /** When a block was acknowledged first, by {@link System#nanoTime}; {@link Long#MAX_VALUE} for one that never was. */
    public synchronized long ackedNs(int block) {
        return ackedNs.getOrDefault(block, Long.MAX_VALUE);
    }

    /** When a block was full and went out first; {@link Long#MAX_VALUE} for one that did not yet. */
    public synchronized long sentNs(int block) {
        return block < timesNs.size() ? timesNs.get(block) : Long.MAX_VALUE;
    }
}
