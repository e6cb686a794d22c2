package org.mavlogd.record.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.ULogLayout;

/**
 * Writes gaps of any length into a log, as dropout messages of at most 65.535 s. Owned by the recorder's thread.
 * Allocates nothing.
 */
public final class DropoutWriter {
    private static final int SCRATCH_BYTES = 512;
    // The dropout messages that fit into the buffer: 1.8 hours.
    private static final long MAX_DROPOUTS_MS =
            (long) SCRATCH_BYTES / MessageEncoder.DROPOUT_LENGTH * ULogLayout.MAX_DROPOUT_MS;

    private final LogOutput output;
    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer scratchView = new UnsafeBuffer(scratch);

    public DropoutWriter(LogOutput output) {
        this.output = output;
    }

    /**
     * Writes one gap.
     *
     * @param arrivalNs of the data after it
     */
    public void write(long durationMs, long arrivalNs) {
        for (long restMs = durationMs; restMs > 0; restMs -= MAX_DROPOUTS_MS) {
            scratch.clear();
            MessageEncoder.dropouts(scratch, Math.min(restMs, MAX_DROPOUTS_MS));
            output.append(scratchView, 0, scratch.position(), arrivalNs);
        }
    }
}
