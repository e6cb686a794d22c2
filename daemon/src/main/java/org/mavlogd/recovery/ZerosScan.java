package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.BlockView;
import org.mavlogd.store.Disk;

/**
 * Finds where the zeros at the end of an unfinished file begin, of blocks or of telemetry. File systems leave zeros where
 * data did not reach the disk. They may fill many gigabytes, so they are read in pieces, from the end. Only reads. Owned
 * by the keeper's thread.
 *
 * <p>No block of a vehicle contains only zeros; kept as blocks they would take the places of those that the vehicle
 * sends next. A block that ends in zeros is kept, because it may be complete.
 */
final class ZerosScan implements Scan {
    private static final int PIECE_BYTES = 64 << 10;
    // Twice as many blocks as a vehicle keeps unacknowledged.
    private static final int MAY_STILL_COME = 512;

    private final Disk.Access file;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    // From this position on there are only zeros.
    private long zerosStart;

    private ZerosScan(Disk.Access file, long length) {
        this.file = file;
        this.zerosStart = length;
    }

    /** A scan of a log of blocks, of which an incomplete one at the end does not count. */
    static ZerosScan ofBlocks(Disk.Access file) throws IOException {
        return new ZerosScan(file, file.length() / BlockView.DATA_LENGTH * BlockView.DATA_LENGTH);
    }

    /** A scan of a telemetry log. */
    static ZerosScan ofTelemetry(Disk.Access file) throws IOException {
        return new ZerosScan(file, file.length());
    }

    @Override
    public long place() {
        return zerosStart;
    }

    @Override
    public boolean step() throws IOException {
        long start = Math.max(0, zerosStart - PIECE_BYTES);
        file.read(start, piece.clear().limit((int) (zerosStart - start)));
        int end = piece.position();
        while (end > 0 && piece.get(end - 1) == 0) {
            end--;
        }
        zerosStart = start + end;
        return end == 0 && start > 0;
    }

    /** The position behind the last byte that is not zero, after the last step. */
    long dataEnd() {
        return zerosStart;
    }

    /** The number of blocks, after the last step. */
    long blocks() {
        return (zerosStart + BlockView.DATA_LENGTH - 1) / BlockView.DATA_LENGTH;
    }

    /**
     * The numbers of blocks that never came, and that the vehicle may still have: among the last
     * {@value #MAY_STILL_COME}.
     */
    static List<Long> missing(Disk.Access file, long blocks) throws IOException {
        int count = (int) Math.min(blocks, MAY_STILL_COME);
        long first = blocks - count;
        ByteBuffer tail = ByteBuffer.allocate(count * BlockView.DATA_LENGTH);
        file.read(first * BlockView.DATA_LENGTH, tail);
        UnsafeBuffer data = new UnsafeBuffer(tail);
        FillerBlock filler = new FillerBlock();
        List<Long> missing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (filler.isAt(data, i * BlockView.DATA_LENGTH, first + i)) {
                missing.add(first + i);
            }
        }
        return List.copyOf(missing);
    }
}
