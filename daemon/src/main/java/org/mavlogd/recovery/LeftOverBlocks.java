package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.BlockView;
import org.mavlogd.store.Disk;

/** What an unfinished log of blocks has. Only reads. */
final class LeftOverBlocks {
    private static final int PIECE_BYTES = 64 << 10;
    // Twice what a vehicle keeps of blocks that nobody acknowledged.
    private static final int MAY_STILL_COME = 512;

    private LeftOverBlocks() {}

    /**
     * Whole blocks, without those at the end in which nothing but zeros stands: that is what file systems leave where
     * data did not reach the medium, no block of a vehicle is like that, and taken for blocks they would stand in the way of
     * those that the vehicle sends next. A block that ends in zeros may be whole, or its first half is all there is of it:
     * it stays.
     */
    static long count(Disk.Access file) throws IOException {
        long blocks = file.length() / BlockView.DATA_LENGTH;
        long dataEnd = endOfData(file, blocks * BlockView.DATA_LENGTH);
        return (dataEnd + BlockView.DATA_LENGTH - 1) / BlockView.DATA_LENGTH;
    }

    /** Numbers of those among the last of so many blocks that never came, and that the vehicle may still have. */
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

    /** Behind the last byte before {@code end} that is not zero. */
    private static long endOfData(Disk.Access file, long end) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (long pieceEnd = end; pieceEnd > 0; ) {
            long start = Math.max(0, pieceEnd - PIECE_BYTES);
            file.read(start, piece.clear().limit((int) (pieceEnd - start)));
            for (int i = piece.position() - 1; i >= 0; i--) {
                if (piece.get(i) != 0) {
                    return start + i + 1;
                }
            }
            pieceEnd = start;
        }
        return 0;
    }
}
