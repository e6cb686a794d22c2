package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * One growing file. Messages gather in a batch of fixed size, which goes to the disk when it is full or old enough.
 *
 * <p>Owned by the recorder's thread, which alone appends; the keeper's thread forces and finally closes it. The first
 * failure of a write or a force is final: the file takes nothing more, and {@link #failure} tells why. Appending is on the
 * hot path and allocates nothing.
 */
public final class LogFile {
    private final String stem;
    private final Disk.Output output;
    private final ByteBuffer batch;
    private final StoreSettings settings;

    private long batchBeginNs;
    private long appendedBytes;
    // Written by the recorder, read by the keeper to see whether a force would do anything.
    private volatile long writtenBytes;
    private volatile String failure = "";
    private long forcedBytes;

    LogFile(String stem, Disk.Output output, StoreSettings settings) {
        this.stem = stem;
        this.output = output;
        this.settings = settings;
        this.batch = ByteBuffer.allocateDirect(settings.batchBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The name it will have when it is finished. */
    public String name() {
        return stem + LogName.FINISHED_SUFFIX;
    }

    String stem() {
        return stem;
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

    /** Appends bytes; after a failure they are dropped. */
    public void append(DirectBuffer source, int offset, int length, long nowNs) {
        int done = 0;
        while (done < length) {
            int room = makeRoom(nowNs);
            int part = Math.min(room, length - done);
            source.getBytes(offset + done, batch, batch.position(), part);
            batch.position(batch.position() + part);
            done += part;
        }
        appendedBytes += length;
    }

    private int makeRoom(long nowNs) {
        if (!batch.hasRemaining()) {
            write();
        }
        if (batch.position() == 0) {
            batchBeginNs = nowNs;
        }
        return batch.remaining();
    }

    /** Writes the batch when its oldest byte has waited long enough; returns whether it wrote. */
    public boolean writeIfDue(long nowNs) {
        if (batch.position() == 0 || nowNs - batchBeginNs < settings.writeIntervalNs()) {
            return false;
        }
        write();
        return true;
    }

    /** Writes what is in the batch. */
    public void write() {
        batch.flip();
        int length = batch.remaining();
        try {
            if (!isFailed() && length > 0) {
                output.write(batch);
                long total = writtenBytes + length;
                writtenBytes = total;
            }
        } catch (IOException e) {
            fail("write: " + Reason.of(e));
        } finally {
            batch.clear();
        }
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = reason;
        }
    }

    /** Keeper's thread: makes durable what was written since the last time. */
    void force() {
        long written = writtenBytes;
        if (written == forcedBytes || isFailed()) {
            return;
        }
        try {
            output.force();
            forcedBytes = written;
        } catch (IOException e) {
            fail("force: " + Reason.of(e));
        }
    }

    /** Keeper's thread, after the recorder let go of the file. */
    void close() throws IOException {
        output.close();
    }
}
