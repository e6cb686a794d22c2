package org.mavlogd.local.system;

import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** {@code companion_recorder}: the recorder's own health. */
final class RecorderSource extends SystemSource {
    private final RecorderHealth health;
    private final LocalSample sample;
    private double ringFill;
    private double longestWrite;
    private long storedBytes;
    private long lostChunks;
    private long discardedBytes;
    private long dropouts;
    private long lostSamples;
    private long takenNs;

    RecorderSource(SystemSettings settings, Outlet outlet, RecorderHealth health) {
        super(settings, outlet);
        this.health = health;
        this.sample = TopicBuilder.of("companion_recorder")
                .field(FieldType.FLOAT, "ring_fill", "1")
                .field(FieldType.FLOAT, "longest_write", "s")
                .field(FieldType.UINT64, "stored", "B")
                .field(FieldType.UINT64, "discarded", "B")
                .field(FieldType.UINT64, "lost_chunks")
                .field(FieldType.UINT64, "dropouts")
                .field(FieldType.UINT64, "lost_samples")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) {
        takenNs = nowNs;
        ringFill = health.ringFill();
        longestWrite = health.takeLongestWriteSeconds();
        storedBytes = health.storedBytes();
        discardedBytes = health.discardedBytes();
        lostChunks = health.lostChunks();
        dropouts = health.dropouts();
        lostSamples = health.lostSamples();
    }

    @Override
    public void publish() {
        outlet.publish(sample.begin(0, takenNs)
                .float32((float) ringFill)
                .float32((float) longestWrite)
                .integer(storedBytes)
                .integer(discardedBytes)
                .integer(lostChunks)
                .integer(dropouts)
                .integer(lostSamples));
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
