package org.mavlogd.wiring;

import java.util.function.DoubleSupplier;
import org.mavlogd.local.system.SystemSources;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;

/** The recorder's state, computed from its counters. */
public final class RecorderFigures implements SystemSources.RecorderHealth {
    private static final double NANO = 1e-9;

    private final Metrics metrics;
    private final DoubleSupplier ringFill;
    private final Peak writeNs;

    public RecorderFigures(Metrics metrics, DoubleSupplier ringFill, Peak writeNs) {
        this.metrics = metrics;
        this.ringFill = ringFill;
        this.writeNs = writeNs;
    }

    @Override
    public double ringFill() {
        return ringFill.getAsDouble();
    }

    @Override
    public long storedBytes() {
        return metrics.total("record.stored.bytes");
    }

    @Override
    public long lostChunks() {
        return metrics.total("record.lost.chunks");
    }

    @Override
    public long discardedBytes() {
        return metrics.total("record.discarded.bytes");
    }

    @Override
    public long dropouts() {
        return metrics.total("record.dropouts");
    }

    @Override
    public long lostSamples() {
        return metrics.total("local.lost.samples");
    }

    @Override
    public double takeLongestWriteSeconds() {
        long longest = writeNs.take();
        return longest == Peak.NONE ? Double.NaN : longest * NANO;
    }
}
