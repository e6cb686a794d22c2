package org.mavlogd.link;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * A buffer for one datagram at a time, and the end of a round of reading: after so many datagrams or bytes the thread looks after
 * its other duties, however fast somebody sends. Owned by the link's thread. Hot path.
 */
final class RoundAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    private final int slotLength;
    private final int maxBytes;

    RoundAllocator(int slotLength, int maxDatagrams, int maxBytes) {
        super(maxDatagrams);
        this.slotLength = slotLength;
        this.maxBytes = maxBytes;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new RoundHandle();
    }

    private final class RoundHandle extends MaxMessageHandle {
        @Override
        public int guess() {
            return slotLength;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return totalBytesRead() < maxBytes && super.continueReading(maybeMoreData);
        }
    }
}
