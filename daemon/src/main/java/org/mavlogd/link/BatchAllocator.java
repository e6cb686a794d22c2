package org.mavlogd.link;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Buffers for many datagrams at once, and the end of a round of reading.
 *
 * <p>A call of recvmmsg that brought fewer datagrams than it had room for has emptied the socket. Netty would call once
 * more to be told so; at the usual rates that is half of all calls. Where recvmmsg is missing Netty reads one by one
 * without a word; that shows in lengths that are not whole slots. Owned by the link's thread. Hot path.
 */
final class BatchAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    private final int slotLength;
    private final int slots;
    private boolean isBatched = true;

    BatchAllocator(int slotLength, int slots, int maxDatagramsPerRound) {
        super(maxDatagramsPerRound);
        this.slotLength = slotLength;
        this.slots = slots;
    }

    /** False once a read showed that recvmmsg is not used. */
    boolean isBatched() {
        return isBatched;
    }

    /** Whether a read that brought {@code readLength} into room for {@code roomLength} has emptied the socket. */
    boolean isDrained(int readLength, int roomLength) {
        // recvmmsg counts whole slots. Once is enough: nobody may make one-by-one reading look like a batch.
        if (readLength > 0 && readLength % slotLength != 0) {
            isBatched = false;
        }
        return isBatched && readLength < roomLength;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new BatchHandle();
    }

    private final class BatchHandle extends MaxMessageHandle {
        @Override
        public int guess() {
            return slotLength * slots;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return !isDrained(lastBytesRead(), attemptedBytesRead()) && super.continueReading(maybeMoreData);
        }
    }
}
