package org.mavlogd.feed;

import java.nio.ByteBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way from one thread to another, in order, lock-free. A small ring that stays in the processor's cache holds
 * what comes between two looks of the consumer; when it is full, as when the disk stalls, a second one takes the rest, whose
 * memory is not taken from the computer before. So a recorder that keeps up needs little memory, and one that does not has all
 * that was promised.
 *
 * <p>The order holds without communication between the threads. The producer uses the second ring for as long as there is anything in
 * it, and only the consumer can empty it. So when the consumer finds something there, nothing more can come into the first
 * ring: all that is in it is older, and is taken first.
 *
 * <p>Hot path. Allocates once, when the second ring is needed for the first time.
 */
final class Ring {
    private static final int SMALLEST_SPLIT = 1 << 20;
    private static final int FIRST_SHARE = 16;

    private final OneToOneRingBuffer first;
    private final int spillBytes;
    // Set once, by the producer.
    private volatile @Nullable OneToOneRingBuffer spill;

    // The producer's: where the last record was claimed.
    private OneToOneRingBuffer claimed;
    private boolean isMemoryShort;

    /**
     * A ring that is empty.
     *
     * @param bytes what it can hold, a power of two; a sixteenth comes on top of 1 MiB and more, which is the first ring
     */
    Ring(int bytes) {
        this(bytes < SMALLEST_SPLIT ? bytes : bytes / FIRST_SHARE, bytes < SMALLEST_SPLIT ? 0 : bytes);
    }

    /** With sizes of its own; a second ring of 0 bytes is none. */
    Ring(int firstBytes, int spillBytes) {
        this.first = allocate(firstBytes);
        this.spillBytes = spillBytes;
        this.claimed = first;
    }

    private static OneToOneRingBuffer allocate(int bytes) {
        return new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(bytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /**
     * The producer's: a place for a record of so many bytes in {@link #buffer}; negative when the ring is full.
     *
     * @throws IllegalArgumentException if no ring of this size could ever hold it
     */
    int tryClaim(int type, int length) {
        if (spillBytes == 0) {
            return first.tryClaim(type, length);
        }
        OneToOneRingBuffer spilled = spill;
        if (spilled == null || spilled.size() == 0) {
            int index =
                    length <= first.maxMsgLength() ? first.tryClaim(type, length) : RingBuffer.INSUFFICIENT_CAPACITY;
            if (index >= 0) {
                claimed = first;
                return index;
            }
            spilled = spilled == null ? makeSpill() : spilled;
            if (spilled == null) {
                return RingBuffer.INSUFFICIENT_CAPACITY;
            }
        }
        claimed = spilled;
        return spilled.tryClaim(type, length);
    }

    /** A computer without memory has a full ring, which is reported and counted as any. */
    private @Nullable OneToOneRingBuffer makeSpill() {
        if (!isMemoryShort) {
            try {
                spill = allocate(spillBytes);
            } catch (OutOfMemoryError e) {
                isMemoryShort = true;
            }
        }
        return spill;
    }

    /** The producer's: what {@link #tryClaim} gave a place in. */
    AtomicBuffer buffer() {
        return claimed.buffer();
    }

    /** The producer's: the record is filled. */
    void commit(int index) {
        claimed.commit(index);
    }

    /** The consumer's: hands out at most {@code limit} records, the oldest first; returns how many there were. */
    int read(MessageHandler handler, int limit) {
        OneToOneRingBuffer spilled = spill;
        if (spilled == null || spilled.size() == 0) {
            return read(first, handler, limit);
        }
        int count = read(first, handler, limit);
        return count < limit && first.size() == 0 ? count + read(spilled, handler, limit - count) : count;
    }

    private static int read(OneToOneRingBuffer ring, MessageHandler handler, int limit) {
        int count = ring.read(handler, limit);
        // A read ends where the ring's memory does, with more records at its start.
        return count < limit && ring.size() > 0 ? count + ring.read(handler, limit - count) : count;
    }

    /** Share in use, 0 to 1. Any thread. */
    double fill() {
        OneToOneRingBuffer spilled = spill;
        int used = first.size() + (spilled == null ? 0 : spilled.size());
        return (double) used / (first.capacity() + spillBytes);
    }

    /** Up to where it was filled so far: {@link #taken} gets there when all of that is out. Any thread. */
    long filled() {
        OneToOneRingBuffer spilled = spill;
        return first.producerPosition() + (spilled == null ? 0 : spilled.producerPosition());
    }

    /** Up to where it was emptied so far. Any thread. */
    long taken() {
        OneToOneRingBuffer spilled = spill;
        return first.consumerPosition() + (spilled == null ? 0 : spilled.consumerPosition());
    }
}
