package org.mavlogd.link;

import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Allocates buffers for many datagrams at once, and detects the end of a round of reading.
 *
 * <p>A call of recvmmsg that returns fewer datagrams than it had room for has emptied the socket. Netty would call once
 * more to find that out; at the usual rates that is half of all calls. If recvmmsg is missing, Netty silently reads one
 * datagram at a time, which shows in lengths that are not multiples of a slot. Owned by the link's thread. Hot path.
 */
final class BatchAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    // Each slot costs time even if no datagram fills it: offer 1.5 times the last number, and two more.
    private static final int SPARE_SLOTS = 2;

    private final int slotLength;
    private final int slots;
    private final LongSupplier nowNs;
    private boolean isBatched = true;

    BatchAllocator(int slotLength, int slots, int maxDatagramsPerRound) {
        this(slotLength, slots, maxDatagramsPerRound, System::nanoTime);
    }

    BatchAllocator(int slotLength, int slots, int maxDatagramsPerRound, LongSupplier nowNs) {
        super(maxDatagramsPerRound);
        this.nowNs = nowNs;
        this.slotLength = slotLength;
        this.slots = slots;
    }

    /** False after a read has shown that recvmmsg is not used. */
    boolean isBatched() {
        return isBatched;
    }

    /** Whether a read of {@code readLength} bytes into room for {@code roomLength} has emptied the socket. */
    boolean isDrained(int readLength, int roomLength) {
        // recvmmsg returns multiples of a slot. One exception is enough: a sender must not make single reads look like
        // a batch.
        if (readLength > 0 && readLength % slotLength != 0) {
            isBatched = false;
        }
        return isBatched && readLength < roomLength;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new BatchHandle();
    }

    /** Number of slots for the read after one of {@code count} datagrams into {@code offered} slots. */
    int slotsAfter(int count, int offered) {
        return count >= offered ? slots : Math.min(slots, count + count / 2 + SPARE_SLOTS);
    }

    private final class BatchHandle extends MaxMessageHandle {
        private final DatagramPort.RoundBudget budget = new DatagramPort.RoundBudget(nowNs);
        private int offered = slots;

        @Override
        public void reset(ChannelConfig config) {
            super.reset(config);
            budget.begin();
        }

        @Override
        public int guess() {
            return slotLength * offered;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            offered = slotsAfter(lastBytesRead() / slotLength, offered);
            return !isDrained(lastBytesRead(), attemptedBytesRead())
                    && budget.isLeft()
                    && super.continueReading(maybeMoreData);
        }
    }
}
