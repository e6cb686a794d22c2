package org.mavlogd.series;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mavlogd.series.BlockReader.Part;
import org.mavlogd.series.BlockReader.Range;
import org.mavlogd.series.FieldSpans.Place;
import org.mavlogd.series.LogReading.Patience;
import org.mavlogd.series.SeriesStore.NotWanted;

/**
 * Reads a field of a log, with several threads if the log is long: each reads a part, and the resulting runs are joined
 * in the order of the log. Memory: a {@link BlockReader} for each thread, and the {@link Spans} that it fills.
 */
final class Lanes {
    /** 16 MiB: smaller parts cost more than they save. */
    static final int BLOCKS_EACH = 64;

    private static final int MAX_LANES = 4;

    private final int blocksEach;
    private final List<BlockReader> readers = new ArrayList<>();

    /** @param blocksEach minimum for each thread */
    Lanes(int blocksEach) {
        this.blocksEach = blocksEach;
        int threads = Math.min(MAX_LANES, 1 + ForkJoinPool.commonPool().getParallelism());
        for (int i = 0; i < threads; i++) {
            readers.add(new BlockReader());
        }
    }

    /** Adds the samples of a range to {@code target}. */
    void read(FileChannel log, LogBlocks blocks, Place place, Range range, Spans target, Patience patience)
            throws IOException {
        Part whole = new Part(log, blocks, blocks.firstBehind(range.fromPosition()), blocks.size());
        int count = Math.max(1, Math.min(readers.size(), whole.size() / blocksEach));
        AtomicBoolean isOver = new AtomicBoolean();
        Patience shared = until(isOver, patience);
        List<ForkJoinTask<Spans>> others = new ArrayList<>();
        try {
            for (int i = 1; i < count; i++) {
                BlockReader reader = readers.get(i);
                Part part = whole.of(count, i);
                others.add(ForkJoinPool.commonPool().submit(() -> part(reader, part, place, range, shared)));
            }
            readers.get(0).read(whole.of(count, 0), place, range, target, shared);
            for (ForkJoinTask<Spans> other : others) {
                target.add(other.join());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            isOver.set(true);
            others.forEach(ForkJoinTask::quietlyJoin); // from here on no thread reads the log or fills the buffers
        }
    }

    private static Patience until(AtomicBoolean isOver, Patience patience) {
        return () -> {
            if (isOver.get()) {
                throw new NotWanted();
            }
            patience.check();
        };
    }

    private static Spans part(BlockReader reader, Part part, Place place, Range range, Patience patience) {
        Spans found = new Spans(FieldSpans.CAPACITY);
        try {
            reader.read(part, place, range, found, patience);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
