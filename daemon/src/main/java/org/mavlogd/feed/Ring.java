package org.mavlogd.feed;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Carries records from one thread to another, in order, lock-free. A small ring that stays in the processor's cache
 * holds the records between two reads of the consumer. If it is full, for example because the disk stalls, a second one
 * takes the rest, whose memory is allocated only then. So a recorder that keeps up needs little memory, and one that
 * does not has all that was configured.
 *
 * <p>The order holds without communication between the threads. The producer uses the second ring as long as it
 * contains anything, and only the consumer can empty it. So if the consumer finds records there, nothing more comes
 * into the first ring: all records in the first ring are older, and are taken first.
 *
 * <p>Hot path. Allocates once, when the second ring is first needed.
 */
final class Ring {
    private static final int SMALLEST_SPLIT = 1 << 20;
    private static final int FIRST_SHARE = 16;
    private static final int RECORDS_TO_CHECK = 32;

    private final IntFunction<AtomicBuffer> memory;
    private final OneToOneRingBuffer first;
    private final int spillBytes;
    // Set once, by the producer.
    private volatile @Nullable OneToOneRingBuffer spill;

    // Set once, by the consumer.
    private volatile @Nullable Thread reader;

    // Written by the consumer.
    private volatile boolean isReaderLagging;

    // Owned by the producer: the ring of the last claimed record.
    private OneToOneRingBuffer claimed;
    private boolean isMemoryShort;
    private int committed;

    /**
     * An empty ring.
     *
     * @param bytes its capacity, a power of two. From 1 MiB on, a first ring of a sixteenth comes on top.
     */
    Ring(int bytes) {
        this(bytes < SMALLEST_SPLIT ? bytes : bytes / FIRST_SHARE, bytes < SMALLEST_SPLIT ? 0 : bytes);
    }

    /** With explicit sizes; 0 {@code spillBytes} for no second ring. */
    Ring(int firstBytes, int spillBytes) {
        this(firstBytes, spillBytes, bytes -> new UnsafeBuffer(ByteBuffer.allocateDirect(bytes)));
    }

    /** In memory from {@code memory}, which is asked for a number of bytes. */
    Ring(int firstBytes, int spillBytes, IntFunction<AtomicBuffer> memory) {
        this.memory = memory;
        this.first = allocate(firstBytes);
        this.spillBytes = spillBytes;
        this.claimed = first;
    }

    private OneToOneRingBuffer allocate(int bytes) {
        return new OneToOneRingBuffer(memory.apply(bytes + RingBufferDescriptor.TRAILER_LENGTH));
    }

    /**
     * Producer: claims room for a record of {@code length} bytes; returns its index in {@link #buffer}, negative if the
     * ring is full.
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

    /** If there is no memory for it, the ring is full, which is reported and counted like any full ring. */
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

    /** Producer: the buffer in which {@link #tryClaim} claimed room. */
    AtomicBuffer buffer() {
        return claimed.buffer();
    }

    /**
     * Producer: publishes the record at that index. Wakes a consumer that sleeps while the first ring fills, so that
     * the second one is not needed for data that only comes fast.
     */
    void commit(int index) {
        claimed.commit(index);
        committed++;
        if (committed % RECORDS_TO_CHECK == 0 && first.size() > first.capacity() / 2) {
            wakeReader();
        }
    }

    /** Producer: drops the record at that index instead. Later records are not affected. */
    void abort(int index) {
        claimed.abort(index);
    }

    /** Consumer: this thread reads, and sleeps by parking. */
    void readHere() {
        reader = Thread.currentThread();
    }

    /** Consumer: tells whether it has more to take than it can at once, from this ring or from others. */
    void tellLag(boolean isLagging) {
        if (isReaderLagging != isLagging) {
            isReaderLagging = isLagging;
        }
    }

    /** What the consumer last said with {@link #tellLag}. Any thread. */
    boolean isReaderLagging() {
        return isReaderLagging;
    }

    /** Producer: wakes the consumer; it looks by itself, but not at once. */
    void wakeReader() {
        LockSupport.unpark(reader);
    }

    /** Consumer: passes on at most {@code limit} records, oldest first; returns how many there were. */
    int read(MessageHandler handler, int limit) {
        OneToOneRingBuffer spilled = spill;
        if (spilled == null || spilled.size() == 0) {
            return read(first, handler, limit);
        }
        int count = read(first, handler, limit);
        return count < limit && first.size() == 0 ? count + read(spilled, handler, limit - count) : count;
    }

    private static int read(OneToOneRingBuffer ring, MessageHandler handler, int limit) {
        long filled = ring.producerPosition();
        int count = ring.read(handler, limit);
        // One read ends at the end of the ring's memory; more records may be at its start. But only what was there
        // before: once the second ring was empty, what comes into it can be newer than what is in the first.
        return count < limit && ring.consumerPosition() < filled ? count + ring.read(handler, limit - count) : count;
    }

    /** Share in use, 0 to 1. Any thread. */
    double fill() {
        OneToOneRingBuffer spilled = spill;
        int used = first.size() + (spilled == null ? 0 : spilled.size());
        return (double) used / (first.capacity() + spillBytes);
    }

    /**
     * The position up to which the ring was filled; {@link #taken} reaches it when all these records are out. Any
     * thread.
     */
    long filled() {
        OneToOneRingBuffer spilled = spill;
        return first.producerPosition() + (spilled == null ? 0 : spilled.producerPosition());
    }

    /** The position up to which the ring was emptied. Any thread. */
    long taken() {
        OneToOneRingBuffer spilled = spill;
        return first.consumerPosition() + (spilled == null ? 0 : spilled.consumerPosition());
    }
}
