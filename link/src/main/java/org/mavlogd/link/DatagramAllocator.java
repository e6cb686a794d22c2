package org.mavlogd.link;

import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.LongSupplier;

/** A buffer for one datagram at a time, and the end of a round of reading, by number and by time. Owned by the link's thread. Hot path. */
final class DatagramAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    private final int slotLength;
    private final LongSupplier nowNs;

    DatagramAllocator(int slotLength, int maxDatagramsPerRound, LongSupplier nowNs) {
        super(maxDatagramsPerRound);
        this.slotLength = slotLength;
        this.nowNs = nowNs;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new DatagramHandle();
    }

    private final class DatagramHandle extends MaxMessageHandle {
        private final RoundBudget budget = new RoundBudget(nowNs);

        @Override
        public int guess() {
            return slotLength;
        }

        @Override
        public void reset(ChannelConfig config) {
            super.reset(config);
            budget.begin();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return budget.isLeft() && super.continueReading(maybeMoreData);
        }
    }
}
