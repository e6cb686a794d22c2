package org.mavlogd.whole;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** One direction of a link with a random delay for each frame: some are lost, and some overtake others. */
final class RandomDelay {
    /** Receives arriving frames. */
    interface Receiver {
        void onFrame(byte[] frame, int offset, int length);
    }

    private static final class Frame {
        private final byte[] bytes;
        private final long dueNs;
        private final long number;

        Frame(byte[] bytes, long dueNs, long number) {
            this.bytes = bytes;
            this.dueNs = dueNs;
            this.number = number;
        }
    }

    private final SplittableRandom random;
    private final double lost;
    private final long longestNs;
    private final Receiver receiver;
    private final PriorityQueue<Frame> underWay = new PriorityQueue<>(
            (a, b) -> a.dueNs == b.dueNs ? Long.compare(a.number, b.number) : Long.compare(a.dueNs, b.dueNs));
    private long sent;

    RandomDelay(long seed, double lost, long longestNs, Receiver receiver) {
        this.random = new SplittableRandom(seed);
        this.lost = lost;
        this.longestNs = longestNs;
        this.receiver = receiver;
    }

    void send(byte[] frame, int offset, int length, long nowNs) {
        sent++;
        if (random.nextDouble() >= lost) {
            byte[] copy = Arrays.copyOfRange(frame, offset, offset + length);
            underWay.add(new Frame(copy, nowNs + random.nextLong(longestNs), sent));
        }
    }

    void onTick(long nowNs) {
        while (!underWay.isEmpty() && underWay.peek().dueNs <= nowNs) {
            byte[] bytes = underWay.remove().bytes;
            receiver.onFrame(bytes, 0, bytes.length);
        }
    }
}
