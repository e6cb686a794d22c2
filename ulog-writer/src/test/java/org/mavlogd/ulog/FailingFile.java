package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file in memory whose device fails as a test demands. Each byte written, each truncation and each force counts as a
 * step. A single step can fail, or power can be lost: after the last step nothing takes effect any more.
 */
final class FailingFile implements AppendFile {
    /** The number of no step: nothing fails. */
    static final int NEVER = -1;

    private static final int HEAD = ULogLayout.HEADER_LENGTH + MessageEncoder.FLAG_BITS_LENGTH;

    private final int failingStep;
    private final int lastStep;
    private final int capacity;
    private byte[] bytes;
    private byte[] forced;
    private int step;

    private FailingFile(byte[] bytes, int failingStep, int lastStep, int capacity) {
        this.bytes = bytes.clone();
        this.forced = this.bytes;
        this.failingStep = failingStep;
        this.lastStep = lastStep;
        this.capacity = capacity;
    }

    static FailingFile never(byte[] bytes) {
        return new FailingFile(bytes, NEVER, NEVER, Integer.MAX_VALUE);
    }

    static FailingFile withoutPowerAfter(byte[] bytes, int steps) {
        return new FailingFile(bytes, NEVER, steps, Integer.MAX_VALUE);
    }

    static FailingFile failingOnceAt(byte[] bytes, int failingStep) {
        return new FailingFile(bytes, failingStep, NEVER, Integer.MAX_VALUE);
    }

    /** A file on which one step fails, and power may be lost while the failure is handled. */
    static FailingFile failingOnceAt(byte[] bytes, int failingStep, int lastStep) {
        return new FailingFile(bytes, failingStep, lastStep, Integer.MAX_VALUE);
    }

    /** A file that can be written but can grow by only this many bytes. */
    static FailingFile onFullDisk(byte[] bytes, int room) {
        return new FailingFile(bytes, NEVER, NEVER, bytes.length + room);
    }

    byte[] bytes() {
        return bytes;
    }

    int steps() {
        return step;
    }

    /** The possible contents of the disk after a power loss: head and tail each as written, or as last forced. */
    List<byte[]> afterPowerLoss() {
        List<byte[]> states = new ArrayList<>();
        for (byte[] head : List.of(bytes, forced)) {
            for (byte[] tail : List.of(bytes, forced)) {
                byte[] state = tail.clone();
                System.arraycopy(head, 0, state, 0, HEAD);
                states.add(state);
            }
        }
        return states;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public void read(long position, ByteBuffer target) {
        target.put(bytes, (int) position, (int) Math.min(target.remaining(), bytes.length - position));
    }

    @Override
    public void write(long position, ByteBuffer source) throws IOException {
        for (long at = position; source.hasRemaining(); at++) {
            step();
            if (at == bytes.length) {
                if (bytes.length == capacity) {
                    throw new IOException("No space left on device");
                }
                bytes = Arrays.copyOf(bytes, bytes.length + 1);
            } else {
                bytes = bytes.clone();
            }
            bytes[(int) at] = source.get();
        }
    }

    @Override
    public void truncate(long length) throws IOException {
        step();
        bytes = Arrays.copyOf(bytes, (int) length);
    }

    @Override
    public void force() throws IOException {
        step();
        forced = bytes;
    }

    private void step() throws IOException {
        if (lastStep != NEVER && step >= lastStep) {
            throw new IOException("power lost");
        }
        if (step++ == failingStep) {
            throw new IOException("device failed");
        }
    }
}
