package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * One file that is being written. Messages are collected in a batch of fixed size, which is written when it is full or
 * old enough; the keeper is asked to force the file when the oldest unforced byte reaches its age, or soon after
 * {@link #makeUrgent}.
 *
 * <p>Owned by the recorder's thread, the only one that appends, and which never waits for a force; the keeper's thread
 * forces the file and finally closes it. The first failure of a write or a force is final: the file accepts no more
 * data, and {@link #failure} has the reason. Appending is on the hot path and allocates nothing.
 */
public final class LogFile {
    /**
     * Where writing a file begins.
     *
     * @param stem of its name while it is being written
     * @param bytes already in it: none in a new file; in one of an earlier run those up to its last complete message or
     *     block
     * @param headEnd end of the last message on which later messages depend
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
    private final PlainStretch plain = new PlainStretch();

    // Arrival of the oldest byte: in the batch, of bytes whose force was not requested yet, and of bytes whose force
    // was requested.
    private long batchBeginNs;
    private long unaskedBeginNs;
    private long askedBeginNs;
    private long appendedBytes;
    private long replacedBytes;
    private long askedBytes;
    private long askedNs;
    private boolean urgent;
    // Written by the recorder, read by the keeper: the length of the file, the bytes written including replaced ones,
    // and how many of these must be forced.
    private volatile long writtenBytes;
    private volatile long touchedBytes;
    private volatile long wantedBytes;
    // Written by the keeper, read by the recorder.
    private volatile long forcedBytes;
    private volatile long longestUnforcedNs;
    // Owned by the keeper.
    private long lastForceNs;
    // What an ended run wrote last need not be on disk.
    private boolean isEveryByteForced;
    private volatile String failure = "";
    private volatile String name;
    private volatile @Nullable StreamMark mark;

    /** @param keeperWake called when a force is due */
    LogFile(Start start, Disk.Output output, StoreSettings settings, NextLook nextLook, Runnable keeperWake) {
        long length = start.bytes();
        this.appendedBytes = length;
        this.askedBytes = length;
        this.writtenBytes = length;
        this.touchedBytes = length;
        this.wantedBytes = length;
        this.forcedBytes = length;
        this.isEveryByteForced = length == 0;
        this.stem = start.stem();
        this.name = start.kind().finished(stem);
        this.unfinishedName = start.kind().unfinished(stem);
        this.output = output;
        this.durability = settings.durability();
        this.nextLook = nextLook;
        this.keeperWake = keeperWake;
        this.plain.headEndsAt(start.headEnd());
        this.batch = ByteBuffer.allocateDirect(start.kind().batchBytes(settings.batchBytes()))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The name that it will have when it is finished, as far as its time is known now. Any thread. */
    public String name() {
        return name;
    }

    /** The stem of its name while it is being written. */
    public String stem() {
        return stem;
    }

    /** Its name while it is being written. */
    public String unfinishedName() {
        return unfinishedName;
    }

    /** Sets the true time of its start, which the final name will have. */
    public void beganAt(long epochMs) {
        name = LogName.withTime(name, epochMs);
    }

    /** Bytes appended so far, including those in the batch. */
    public long appendedBytes() {
        return appendedBytes;
    }

    /** Bytes written so far. Any thread. */
    long writtenBytes() {
        return writtenBytes;
    }

    /** Why the file accepts no more data; empty if it has not failed. */
    public String failure() {
        return failure;
    }

    public boolean isFailed() {
        return !failure.isEmpty();
    }

    /** Appended bytes that are not written, because of a failure or because they are still in the batch. */
    public long unwrittenBytes() {
        return appendedBytes - writtenBytes;
    }

    /**
     * Appends bytes that belong together, such as a message or a block; after a failure they are dropped. One write has
     * all of them, unless they are longer than a batch: a failed write does not leave a part of them.
     *
     * @param arrivalNs when they were received
     */
    public void append(DirectBuffer source, int offset, int length, long arrivalNs) {
        noteBegin(arrivalNs);
        if (length > batch.remaining() && length <= batch.capacity()) {
            write();
        }
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
        // Data that waited for its turn may be older than data appended before it.
        if (!isForceOpen() || arrivalNs - unaskedBeginNs < 0) {
            unaskedBeginNs = arrivalNs;
        }
    }

    /** Whether there are bytes whose force was not requested yet. */
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
     * Replaces bytes that were appended before, at most a batch.
     *
     * @param arrivalNs when the new bytes were received
     * @return whether they were replaced; after a failure they are not
     */
    public boolean replace(long position, DirectBuffer source, int offset, int length, long arrivalNs) {
        write(); // the bytes to replace may still be in the batch
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

    /** Requests that appended bytes are on disk as soon as the keeper can. */
    public void makeUrgent() {
        urgent |= isForceOpen();
    }

    /** Writes data that is old enough and requests its force; returns whether it did anything. */
    public boolean flushIfDue(long nowNs) {
        nextLook.onFile();
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
        // A vehicle with many critical messages must not keep the disk busy with forces, and neither must data that is
        // already old because the recorder lags: it would never catch up.
        long sinceAskedNs = askedBytes == 0 ? Long.MAX_VALUE : nowNs - askedNs;
        if (urgent && sinceAskedNs >= durability.urgentDistanceNs()) {
            return true;
        }
        if (nextLook.isLagging() && sinceAskedNs < durability.lagDistanceNs()) {
            return false;
        }
        long ageNs = nowNs - unaskedBeginNs;
        boolean isOld = ageNs >= durability.flushAgeNs();
        if (isOld) {
            nextLook.onFlush();
        }
        return isOld || (nextLook.isFlushing() && ageNs >= durability.joinAgeNs());
    }

    /** Writes everything and requests its force. */
    void flush(long nowNs) {
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

    /** Age of the oldest byte that is not known to be on disk; 0 if all are. */
    public long unforcedNs(long nowNs) {
        if (forcedBytes < wantedBytes) {
            return nowNs - askedBeginNs;
        }
        return isForceOpen() ? nowNs - unaskedBeginNs : 0;
    }

    /** The longest time that a byte waited to be on disk since the file was begun or continued. */
    public long longestUnforcedNs(long nowNs) {
        return Math.max(longestUnforcedNs, unforcedNs(nowNs));
    }

    /** Writes the batch. */
    public void write() {
        batch.flip();
        int length = batch.remaining();
        try {
            if (!isFailed() && length > 0) {
                output.write(batch);
                touched(length); // first: the keeper must force each length that it sees
                long total = writtenBytes + length;
                writtenBytes = total;
            }
        } catch (IOException e) {
            fail("write: " + Reason.of(e));
        } finally {
            batch.clear();
        }
    }

    /** Notes that later messages depend on a message appended so far. */
    public void headEndsHere() {
        plain.headEndsAt(appendedBytes);
    }

    /** Notes the position of the stream for the bytes appended so far, which are complete messages. */
    public void mark(StreamMark.Stream stream) {
        StreamMark last = mark;
        // While a write is due, the previous mark stays: a new one might again be for bytes that are not written.
        if (last == null || last.fileBytes() <= writtenBytes) {
            mark = new StreamMark(stream, appendedBytes, plain.of(appendedBytes, stream.sequenceNs()));
        }
    }

    /** The last mark whose bytes are written; null if none. Any thread. */
    public @Nullable StreamMark writtenMark() {
        StreamMark last = mark;
        return last != null && last.fileBytes() <= writtenBytes ? last : null;
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = reason;
        }
    }

    /** Writing begins. Keeper's thread. */
    void watched(long nowNs) {
        lastForceNs = nowNs;
    }

    /**
     * The number of bytes whose {@link #force} is due, times the time since the last force, so that no file waits for
     * ever; 0 if there are none. Keeper's thread.
     */
    double risk(long nowNs) {
        long bytes = isFailed() ? 0 : wantedBytes - forcedBytes;
        return (double) bytes * Math.max(1, nowNs - lastForceNs);
    }

    /** Forces the bytes written since the last time; returns whether there were any. Keeper's thread. */
    boolean force(NanoClock clock) {
        lastForceNs = clock.nanoTime();
        // The recorder changes this time only while no force is due.
        long beginNs = forcedBytes < wantedBytes ? askedBeginNs : lastForceNs;
        long touched = touchedBytes;
        if ((touched == forcedBytes && isEveryByteForced) || isFailed()) {
            return false;
        }
        try {
            output.force();
            longestUnforcedNs = Math.max(longestUnforcedNs, clock.nanoTime() - beginNs);
            forcedBytes = touched;
            isEveryByteForced = true;
        } catch (IOException e) {
            fail("force: " + Reason.of(e));
        }
        return true;
    }

    /** Closes the file after the recorder has released it. Keeper's thread. */
    void close() throws IOException {
        output.close();
    }

    /**
     * Tracks which {@link StreamMark.Stretch} of a growing ULog a later run need not read. The last seconds are not
     * part of it: they contain the latest times and the active topics. Owned by the recorder's thread.
     */
    private static final class PlainStretch {
        private static final long TAIL_NS = TimeUnit.SECONDS.toNanos(5);

        private long headEnd;
        // Ends of messages: one some seconds ago, and the one that follows it.
        private long tailBytes;
        private long nextTailBytes;
        private long nextTailNs;

        /** Notes the end of the last message on which later ones depend. */
        void headEndsAt(long bytes) {
            headEnd = bytes;
        }

        /** The plain stretch of a file with {@code bytes} bytes of complete messages. */
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
