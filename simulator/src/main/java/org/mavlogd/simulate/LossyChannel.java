package org.mavlogd.simulate;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.mavlogd.metrics.Counter;
import org.mavlogd.simulate.LossySettings.Medium;

/**
 * One direction of a bad link: loses, damages, repeats, delays and reorders complete frames by configured shares,
 * reproducibly for a seed. Works in virtual and in real time; owned by one thread.
 *
 * <p>Every frame is {@linkplain Counters counted} by its treatment: {@code sent + duplicated = delivered + lost +
 * cutOff + overflowed} once none is in transit. Frames are copied only if they have to wait. At most {@value
 * #MAX_UNDER_WAY} are in transit.
 */
public final class LossyChannel {
    static final int MAX_UNDER_WAY = 65_536;

    private static final int MAX_FLIPS = 3;
    private static final int MAX_CUT_BYTES = 32;

    private final LossySettings settings;
    private final VehicleOutput output;
    private final SplittableRandom random;
    private final Counters counters = new Counters();
    private final ArrayDeque<Packet> delayed = new ArrayDeque<>();
    private final ArrayDeque<Packet> overtaken = new ArrayDeque<>();
    private final ArrayDeque<Packet> free = new ArrayDeque<>();
    private final double burstStart;
    private byte[] damaged = new byte[512];
    private boolean inBurst;
    private boolean cut;

    /** A frame that waits. */
    private static final class Packet {
        private byte[] bytes = new byte[300];
        private int length;
        private int framesLeft;
        private long dueNs;
    }

    public LossyChannel(LossySettings settings, VehicleOutput output) {
        this.settings = settings;
        this.output = output;
        random = new SplittableRandom(settings.seed());
        double loss = settings.lossPercent() / 100;
        // On average, bursts of the given mean length then take the given share of frames.
        burstStart = loss >= 1 ? 1 : loss / (settings.burstFrames() * (1 - loss));
    }

    public Counters counters() {
        return counters;
    }

    /** Cuts the channel: new frames are lost, those in transit still arrive. */
    public void cut(boolean newCut) {
        cut = newCut;
    }

    public void send(byte[] frame, int offset, int length, long nowNs) {
        onTick(nowNs);
        counters.sent.increment();
        if (cut) {
            counters.cutOff.increment();
        } else if (isLost()) {
            counters.lost.increment();
        } else if (isTrue(settings.corruptPercent())) {
            counters.corrupted.increment();
            int damagedLength = damage(frame, offset, length);
            pass(damaged, 0, damagedLength, nowNs);
        } else {
            pass(frame, offset, length, nowNs);
        }
        countDownOvertaken(nowNs);
    }

    /** Delivers the frames that are due. */
    public void onTick(long nowNs) {
        // Frames that wait to be overtaken are ordered by deadline: all have the same limit.
        while (!overtaken.isEmpty() && nowNs - overtaken.peekFirst().dueNs >= 0) {
            Packet packet = overtaken.removeFirst();
            delay(packet.bytes, 0, packet.length, nowNs);
            free.addLast(packet);
        }
        while (!delayed.isEmpty() && nowNs - delayed.peekFirst().dueNs >= 0) {
            Packet packet = delayed.removeFirst();
            deliver(packet.bytes, 0, packet.length);
            free.addLast(packet);
        }
    }

    /** Time of the next delivery by {@link #onTick}; {@code otherwiseNs} if no frame is in transit. */
    public long dueNs(long otherwiseNs) {
        long dueNs = otherwiseNs;
        if (!overtaken.isEmpty()) {
            dueNs = earlier(dueNs, overtaken.peekFirst().dueNs);
        }
        if (!delayed.isEmpty()) {
            dueNs = earlier(dueNs, delayed.peekFirst().dueNs);
        }
        return dueNs;
    }

    /** Number of frames in transit. */
    public int underWay() {
        return overtaken.size() + delayed.size();
    }

    private boolean isLost() {
        if (settings.lossPercent() == 0) {
            return false;
        }
        inBurst = random.nextDouble() < (inBurst ? 1 - 1 / settings.burstFrames() : burstStart)
                || settings.lossPercent() == 100;
        return inBurst;
    }

    private void pass(byte[] frame, int offset, int length, long nowNs) {
        if (isTrue(settings.reorderPercent())) {
            counters.reordered.increment();
            Packet packet = keep(overtaken, frame, offset, length, nowNs + settings.reorderNs());
            packet.framesLeft = 2 + random.nextInt(settings.reorderFrames()); // this frame has counted already
        } else {
            delay(frame, offset, length, nowNs);
        }
        if (isTrue(settings.duplicatePercent())) {
            counters.duplicated.increment();
            delay(frame, offset, length, nowNs);
        }
    }

    private void countDownOvertaken(long nowNs) {
        for (int left = overtaken.size(); left > 0; left--) {
            Packet packet = overtaken.removeFirst();
            packet.framesLeft--;
            if (packet.framesLeft > 0) {
                overtaken.addLast(packet);
            } else {
                delay(packet.bytes, 0, packet.length, nowNs);
                free.addLast(packet);
            }
        }
    }

    private void delay(byte[] frame, int offset, int length, long nowNs) {
        if (settings.delayNs() == 0) {
            deliver(frame, offset, length);
        } else if (underWay() >= MAX_UNDER_WAY) {
            counters.overflowed.increment();
        } else {
            keep(delayed, frame, offset, length, nowNs + settings.delayNs());
        }
    }

    private void deliver(byte[] frame, int offset, int length) {
        counters.delivered.increment();
        output.send(frame, offset, length);
    }

    private Packet keep(ArrayDeque<Packet> line, byte[] frame, int offset, int length, long dueNs) {
        Packet packet = free.isEmpty() ? new Packet() : free.removeLast();
        if (packet.bytes.length < length) {
            packet.bytes = new byte[length];
        }
        System.arraycopy(frame, offset, packet.bytes, 0, length);
        packet.length = length;
        packet.dueNs = dueNs;
        line.addLast(packet);
        return packet;
    }

    /** Copies the frame with damage into {@link #damaged} and returns its new length. */
    private int damage(byte[] frame, int offset, int length) {
        if (damaged.length < length) {
            damaged = new byte[length];
        }
        System.arraycopy(frame, offset, damaged, 0, length);
        if (length == 0) {
            return 0;
        }
        if (settings.medium() == Medium.STREAM && length > 1 && random.nextBoolean()) {
            int at = random.nextInt(length - 1);
            int gone = 1 + random.nextInt(Math.min(MAX_CUT_BYTES, length - 1 - at));
            System.arraycopy(damaged, at + gone, damaged, at, length - at - gone);
            return length - gone;
        }
        int flips = 1 + random.nextInt(MAX_FLIPS);
        int bit = random.nextInt(length * 8);
        for (int i = 0; i < flips; i++) {
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            // Never flip the same bit twice, which would undo the damage.
            bit = (bit + 1 + random.nextInt(length * 8 / MAX_FLIPS)) % (length * 8);
        }
        return length;
    }

    private boolean isTrue(double percent) {
        return percent > 0 && random.nextDouble() * 100 < percent;
    }

    private static long earlier(long aNs, long bNs) {
        return aNs - bNs <= 0 ? aNs : bNs;
    }

    /** Counts the frames of a lossy channel by treatment. Written by the channel's thread, readable by any. */
    public static final class Counters {
        final Counter sent = new Counter();
        final Counter delivered = new Counter();
        final Counter lost = new Counter();
        final Counter cutOff = new Counter();
        final Counter duplicated = new Counter();
        final Counter reordered = new Counter();
        final Counter corrupted = new Counter();
        final Counter overflowed = new Counter();

        Counters() {}

        /** Frames passed to the channel. */
        public long sent() {
            return sent.get();
        }

        /** Frames delivered, including damaged and repeated ones. */
        public long delivered() {
            return delivered.get();
        }

        /** Frames lost at random. */
        public long lost() {
            return lost.get();
        }

        /** Frames lost while the channel was cut. */
        public long cutOff() {
            return cutOff.get();
        }

        public long duplicated() {
            return duplicated.get();
        }

        public long reordered() {
            return reordered.get();
        }

        public long corrupted() {
            return corrupted.get();
        }

        /** Frames lost because too many were in transit. */
        public long overflowed() {
            return overflowed.get();
        }

        /** All counts, for people. */
        public String summary() {
            return String.format(
                    "sent %d, lost %d, duplicated %d, reordered %d, corrupted %d",
                    sent(), lost() + overflowed(), duplicated(), reordered(), corrupted());
        }
    }
}
