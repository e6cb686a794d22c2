package org.mavlogd.record.blocks;

import java.util.List;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.time.ClockFit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contains errors of a second sink of a log's blocks: its first error ends it for this log, and never affects the log.
 * Owned by the recorder's thread; on the hot path.
 */
final class ContainedSink implements BlockSink {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedSink.class);

    private final BlockSink sink;
    private final String name;
    private final ContainedPart part;
    private boolean failed;
    private long nowNs;

    /**
     * Makes the sink; errors of {@code maker} are contained too.
     *
     * @param name of the log, for messages
     */
    ContainedSink(Supplier<? extends BlockSink> maker, String name, ContainedPart part) {
        this.name = name;
        this.part = part;
        BlockSink made = this; // never called after a failure
        try {
            made = maker.get();
        } catch (Throwable e) {
            tell(e);
        }
        this.sink = made;
    }

    private void tell(Throwable cause) {
        failed = true;
        part.contain(cause);
        LOG.error("{}: the log cannot be mapped further; its ULog ends here, the .bin continues", name);
    }

    private void fail(Throwable cause) {
        tell(cause);
        try {
            sink.abandon(nowNs);
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        if (failed) {
            return;
        }
        try {
            sink.onBlock(data, offset, number, arrivalNs);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onHole(long firstNumber, long count, long now) {
        nowNs = now;
        if (failed) {
            return;
        }
        try {
            sink.onHole(firstNumber, count, now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onResume(UnfinishedLog log, long now) {
        nowNs = now;
        if (failed) {
            return;
        }
        try {
            sink.onResume(log, now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onEvent(VehicleEvent event, long value, long eventNs) {
        if (failed) {
            return;
        }
        try {
            sink.onEvent(event, value, eventNs);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onSystemTime(long epochMs, long now) {
        if (failed) {
            return;
        }
        try {
            sink.onSystemTime(epochMs, now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onClockFit(ClockFit fit) {
        if (failed) {
            return;
        }
        try {
            sink.onClockFit(fit);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public boolean tick(long now) {
        nowNs = now;
        if (failed) {
            return false;
        }
        try {
            return sink.tick(now);
        } catch (Throwable e) {
            fail(e);
            return true;
        }
    }

    @Override
    public void onEnd(SessionEnd reason, long now) {
        nowNs = now;
        if (failed) {
            return;
        }
        try {
            sink.onEnd(reason, now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public boolean hasAll() {
        if (failed) {
            return false;
        }
        try {
            return sink.hasAll();
        } catch (Throwable e) {
            fail(e);
            return false;
        }
    }

    @Override
    public boolean hasOnlyStart() {
        if (failed) {
            return false;
        }
        try {
            return sink.hasOnlyStart();
        } catch (Throwable e) {
            fail(e);
            return false;
        }
    }

    @Override
    public void onUnused(long now) {
        nowNs = now;
        if (failed) {
            return;
        }
        try {
            sink.onUnused(now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void abandon(long now) {
        if (failed) {
            return;
        }
        try {
            sink.abandon(now);
        } catch (Throwable e) {
            failed = true;
            part.contain(e);
        }
    }

    @Override
    public boolean takesLocal() {
        if (failed) {
            return false;
        }
        try {
            return sink.takesLocal();
        } catch (Throwable e) {
            fail(e);
            return false;
        }
    }

    @Override
    public boolean isBeginning() {
        if (failed) {
            return false;
        }
        try {
            return sink.isBeginning();
        } catch (Throwable e) {
            fail(e);
            return false;
        }
    }

    @Override
    public @Nullable LocalMerge local() {
        if (failed) {
            return null;
        }
        try {
            return sink.local();
        } catch (Throwable e) {
            fail(e);
            return null;
        }
    }

    @Override
    public void addStatus(List<RecordingStatus> statuses, long now) {
        if (failed) {
            return;
        }
        try {
            sink.addStatus(statuses, now);
        } catch (Throwable e) {
            fail(e);
        }
    }

    @Override
    public void onLateBlock(DirectBuffer data, int offset, long number, long now) {
        nowNs = now;
        if (failed) {
            return;
        }
        try {
            sink.onLateBlock(data, offset, number, now);
        } catch (Throwable e) {
            fail(e);
        }
    }
}
