package org.mavlogd.whole;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.simulate.ardupilot.ArduPilotVehicle;

/** The blocks that a simulated ArduPilot logged, and the answers that it got to them. */
public final class BlockTruth implements ArduPilotVehicle.Observer {
    /** One log. */
    public static final class Log {
        private final List<byte[]> blocks = new ArrayList<>();
        private final Set<Long> acked = new HashSet<>();
        private final Set<Long> arrived = new HashSet<>();

        public int count() {
            return blocks.size();
        }

        public byte[] block(int number) {
            return blocks.get(number);
        }

        Set<Long> acked() {
            return acked;
        }

        Set<Long> arrived() {
            return arrived;
        }
    }

    // One damaged frame in 65,536 passes the checksum; a flight has some thousands.
    private static final int MOST_FALSIFIED = 2;

    private final List<Log> logs = new ArrayList<>();
    private final Map<Long, byte[]> falsified = new HashMap<>();
    private final boolean isDamaging;
    private int nacksBeforeArrival;

    /** @param isDamaging whether the link damages frames, some of which still pass the checksum */
    BlockTruth(boolean isDamaging) {
        this.isDamaging = isDamaging;
    }

    public List<Log> logs() {
        return logs;
    }

    int nacksBeforeArrival() {
        return nacksBeforeArrival;
    }

    @Override
    public void onLogStart(long nowNs) {
        logs.add(new Log());
    }

    @Override
    public void onBlock(long number, byte[] data, long nowNs) {
        Log log = logs.get(logs.size() - 1);
        if (number != log.blocks.size()) {
            throw new AssertionError("block " + number + " follows " + log.blocks.size());
        }
        log.blocks.add(data.clone());
    }

    @Override
    public void onAck(long number, long nowNs) {
        if (number < logs.get(logs.size() - 1).count()) {
            logs.get(logs.size() - 1).acked.add(number);
        }
    }

    @Override
    public void onNack(long number, long nowNs) {
        if (logs.get(logs.size() - 1).arrived.isEmpty()) {
            nacksBeforeArrival++;
        }
    }

    /** A block reached the recorder. */
    void onArrival(long number, byte[] data) {
        for (int i = logs.size() - 1; i >= 0; i--) {
            Log log = logs.get(i);
            if (number < log.count() && Arrays.equals(log.block((int) number), data)) {
                log.arrived.add(number);
                return;
            }
        }
        if (!isDamaging || !isKnown(number) || falsified.size() == MOST_FALSIFIED) {
            throw new AssertionError("block " + number + " was never made");
        }
        falsified.put(number, data);
    }

    private boolean isKnown(long number) {
        return logs.stream().anyMatch(log -> number < log.count());
    }

    /** Whether the link changed the block to this data, undetectably. */
    boolean isFalsified(long number, byte[] data) {
        return Arrays.equals(falsified.get(number), data);
    }
}
