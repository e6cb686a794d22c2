package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One file that is being written. Messages gather in a batch of fixed size, which goes to the disk when it is full or
 * old enough; the keeper is asked to force what was written when the oldest unforced byte reaches its age, or soon
 * after {@link #makeUrgent}.
 *
 * <p>Owned by the recorder's thread, which alone appends and never waits for a force; the keeper's thread forces and finally
 * closes it. The first failure of a write or a force is final: the file takes nothing more, and {@link #failure} shows why.
 * Appending is on the hot path and allocates nothing.
 */
public final class LogFile {
    /**
     * Where a file starts to grow.
     *
     * @param stem of the name that it has while it grows
     * @param bytes that are there: of a new file none, of one of an earlier run those up to its last complete message or
     *     block
     * @param headEnd where the last message ends that those behind it need
     */
    public record Start(String stem, LogKind kind, long bytes, long headEnd) {
        /** A new file. */
        static Start empty(String stem, LogKind kind) {
            return new Start(stem, kind, 0, 0);
        }
    }

    private final String stem;
    private final String unfinishedName;
    private final Disk.Output output;
    private final ByteBuffer batch;
    private final StoreSettings.Durability durability;
    private final Runnable keeperWake;
    private final NextLook nextLook;
    private final PlainStretch plain;

    // Arrival of the oldest byte: in the batch, of those for which no force was asked, and of those for which one was.
    private long batchBeginNs;
    private long unaskedBeginNs;
    private long askedBeginNs;
    private long appendedBytes;
    private long replacedBytes;
    private long askedBytes;
    private long askedNs;
    private boolean urgent;
    // Written by the recorder, read by the keeper: how long the file is; how much was written, what was replaced
    // included, and how much of that is to be forced.
    private volatile long writtenBytes;
    private volatile long touchedBytes;
    private volatile long wantedBytes;
    // Written by the keeper, read by the recorder.
    private volatile long forcedBytes;
    // The keeper's own.
    private long lastForceNs;
    private volatile String failure = "";
    private volatile String name;
    private volatile @Nullable StreamMark mark;

    /** @param keeperWake called when a force is due */
    LogFile(Start start, Disk.Output output, StoreSettings settings, NextLook nextLook, Runnable keeperWake) {
        long length = start.bytes();
        this.plain = new PlainStretch(start.headEnd());
        this.appendedBytes = length;
        this.askedBytes = length;
        this.writtenBytes = length;
        this.touchedBytes = length;
        this.wantedBytes = length;
        this.forcedBytes = length;
        this.stem = start.stem();
        this.name = start.kind().finished(stem);
        this.unfinishedName = start.kind().unfinished(stem);
        this.output = output;
        this.durability = settings.durability();
        this.nextLook = nextLook;
        this.keeperWake = keeperWake;
        this.batch = ByteBuffer.allocateDirect(start.kind().batchBytes(settings.batchBytes()))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The name it will have when it is finished, as far as its time is known now. Any thread. */
    public String name() {
        return name;
    }

    /** Of the name it has while it grows. */
    public String stem() {
        return stem;
    }

    /** The name it has while it grows. */
    public String unfinishedName() {
        return unfinishedName;
    }

    /** The true time of its start is known, or known more exactly; the name will have it. */
    public void beganAt(long epochMs) {
        name = LogName.withTime(name, epochMs);
    }

    /** Bytes appended so far, those still in the batch included. */
    public long appendedBytes() {
        return appendedBytes;
    }

    /** Bytes that writes took so far. Any thread. */
    long writtenBytes() {
        return writtenBytes;
    }

    /** Why the file takes nothing more; empty while it is sound. */
    public String failure() {
        return failure;
    }

    public boolean isFailed() {
        return !failure.isEmpty();
    }

    /** Appended bytes that no write took, because of a failure or because they are still in the batch. */
    public long unwrittenBytes() {
        return appendedBytes - writtenBytes;
    }

    /**
     * Appends bytes; after a failure they are dropped.
     *
     * @param arrivalNs when they were received
     */
    public void append(DirectBuffer source, int offset, int length, long arrivalNs) {
        noteBegin(arrivalNs);
        int done = 0;
        while (done < length) {
            int room = makeRoom(arrivalNs);
            int part = Math.min(room, length - done);
            source.getBytes(offset + done, batch, batch.position(), part);
            batch.position(batch.position() + part);
            done += part;
        }
        appendedBytes += length;
    }

    private void noteBegin(long arrivalNs) {
        // What waited for its place comes after what arrived later.
        if (!isForceOpen() || arrivalNs - unaskedBeginNs < 0) {
            unaskedBeginNs = arrivalNs;
        }
    }

    /** Whether there is anything for which no force was asked yet. */
    private boolean isForceOpen() {
        return appendedBytes + replacedBytes != askedBytes;
    }

    private int makeRoom(long arrivalNs) {
        if (!batch.hasRemaining()) {
            write();
        }
        if (batch.position() == 0) {
            batchBeginNs = arrivalNs;
        }
        return batch.remaining();
    }

    /**
     * Puts bytes, not more than a batch, in the place of others that were appended.
     *
     * @param arrivalNs when they were received
     * @return whether they are there; after a failure they are dropped
     */
    public boolean replace(long position, DirectBuffer source, int offset, int length, long arrivalNs) {
        write(); // the place may be in the batch, and the batch is what goes to the disk
        if (isFailed()) {
            return false;
        }
        noteBegin(arrivalNs);
        source.getBytes(offset, batch, 0, length);
        try {
            output.rewrite(position, batch.limit(length));
            replacedBytes += length;
            touched(length);
        } catch (IOException e) {
            fail("write: " + Reason.of(e));
        } finally {
            batch.clear();
        }
        return !isFailed();
    }

    private void touched(int length) {
        long total = touchedBytes + length;
        touchedBytes = total;
    }

    /** What was appended is to be on disk as soon as the keeper gets to it. */
    public void makeUrgent() {
        urgent |= isForceOpen();
    }

    /** Writes what waited long enough and has it forced; returns whether it did anything. */
    public boolean flushIfDue(long nowNs) {
        if (isForceOpen() && isForceDue(nowNs)) {
            flush(nowNs);
            return true;
        }
        if (batch.position() > 0 && nowNs - batchBeginNs >= durability.writeAgeNs()) {
            write();
            return true;
        }
        tellNextLook();
        return false;
    }

    private void tellNextLook() {
        if (isForceOpen()) {
            nextLook.at(unaskedBeginNs + durability.flushAgeNs());
        }
        if (urgent) {
            nextLook.at(askedNs + durability.urgentDistanceNs());
        }
        if (batch.position() > 0) {
            nextLook.at(batchBeginNs + durability.writeAgeNs());
        }
    }

    private boolean isForceDue(long nowNs) {
        // A vehicle in distress must not keep the disk busy with forces alone.
        boolean mayHurry = askedBytes == 0 || nowNs - askedNs >= durability.urgentDistanceNs();
        return (urgent && mayHurry) || nowNs - unaskedBeginNs >= durability.flushAgeNs();
    }

    private void flush(long nowNs) {
        write();
        if (forcedBytes >= wantedBytes) {
            askedBeginNs = unaskedBeginNs;
        }
        urgent = false;
        askedBytes = appendedBytes + replacedBytes;
        askedNs = nowNs;
        wantedBytes = touchedBytes;
        keeperWake.run();
    }

    /** Age of the oldest byte that is not known to be on disk; 0 when all are. */
    public long unforcedNs(long nowNs) {
        if (forcedBytes < wantedBytes) {
            return nowNs - askedBeginNs;
        }
        return isForceOpen() ? nowNs - unaskedBeginNs : 0;
    }

    /** Writes what is in the batch. */
    public void write() {
        batch.flip();
        int length = batch.remaining();
        try {
            if (!isFailed() && length > 0) {
                output.write(batch);
                touched(length); // first: a length that the keeper sees is one that it forces
                long total = writtenBytes + length;
                writtenBytes = total;
            }
        } catch (IOException e) {
            fail("write: " + Reason.of(e));
        } finally {
            batch.clear();
        }
    }

    /** What was appended so far has something in it that readers need for all that comes. */
    public void headEndsHere() {
        plain.headEndsAt(appendedBytes);
    }

    /** Remembers how far the stream has come with what was appended so far, which are complete messages. */
    public void mark(StreamMark.Stream stream) {
        StreamMark last = mark;
        // While a write is due the last one stands: the next may again be of bytes that are not written.
        if (last == null || last.fileBytes() <= writtenBytes) {
            mark = new StreamMark(stream, appendedBytes, plain.of(appendedBytes, stream.sequenceNs()));
        }
    }

    /** The last mark whose bytes are written, or null. Any thread. */
    public @Nullable StreamMark writtenMark() {
        StreamMark last = mark;
        return last != null && last.fileBytes() <= writtenBytes ? last : null;
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = reason;
        }
    }

    /** Keeper's thread: the file grows from now on. */
    void watched(long nowNs) {
        lastForceNs = nowNs;
    }

    /**
     * Keeper's thread: bytes whose {@link #force} is due, times how long ago the last one was, so that no file waits for ever; 0 when
     * none are.
     */
    double risk(long nowNs) {
        long bytes = isFailed() ? 0 : wantedBytes - forcedBytes;
        return (double) bytes * Math.max(1, nowNs - lastForceNs);
    }

    /** Keeper's thread: makes durable what was written since the last time; returns whether there was anything. */
    boolean force(long nowNs) {
        lastForceNs = nowNs;
        long touched = touchedBytes;
        if (touched == forcedBytes || isFailed()) {
            return false;
        }
        try {
            output.force();
            forcedBytes = touched;
        } catch (IOException e) {
            fail("force: " + Reason.of(e));
        }
        return true;
    }

    /** Keeper's thread, after the recorder released the file. */
    void close() throws IOException {
        output.close();
    }

    /**
     * Follows, while a ULog grows, which {@link StreamMark.Stretch} of it nobody needs to look through. The last
     * seconds are left out: they tell the latest times, and what sends now. Owned by the recorder's thread.
     */
    private static final class PlainStretch {
        private static final long TAIL_NS = TimeUnit.SECONDS.toNanos(5);

        private long headEnd;
        // Ends of messages: one some seconds ago, and the one that follows it.
        private long tailBytes;
        private long nextTailBytes;
        private long nextTailNs;

        /** @param headEnd where the last message ends that those behind it need */
        PlainStretch(long headEnd) {
            this.headEnd = headEnd;
        }

        /** There is one more such message. */
        void headEndsAt(long bytes) {
            headEnd = bytes;
        }

        /** What is plain now, in a file of so many bytes that are complete messages. */
        StreamMark.Stretch of(long bytes, long nowNs) {
            if (nextTailBytes == 0 || nowNs - nextTailNs >= TAIL_NS) {
                tailBytes = nextTailBytes;
                nextTailBytes = bytes;
                nextTailNs = nowNs;
            }
            return new StreamMark.Stretch(headEnd, Math.max(headEnd, tailBytes));
        }
    }
}
