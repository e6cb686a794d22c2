package org.mavlogd.record;

import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ClockFit;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.metrics.Counter;
import org.mavlogd.store.LeftOverLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what goes wrong in a sink away from all others: its first exception ends it for this log, is counted and logged once.
 * What is made of a log besides must never harm the log itself. Owned by the recorder's thread; on the hot path.
 */
final class ContainedSink implements BlockSink {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedSink.class);

    private final BlockSink sink;
    private final String name;
    private final Counter failures;
    private boolean failed;
    private long nowNs;

    /** @param name of the log, for messages */
    ContainedSink(BlockSink sink, String name, Counter failures) {
        this.sink = sink;
        this.name = name;
        this.failures = failures;
    }

    private void fail(RuntimeException cause) {
        failed = true;
        failures.increment();
        LOG.error("{}: the log cannot be mapped further; its ULog ends here, the .bin goes on", name, cause);
        try {
            sink.abandon(nowNs);
        } catch (RuntimeException e) {
            LOG.error("{}: the ULog stays as it is", name, e);
        }
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        if (failed) {
            return;
        }
        try {
            sink.onBlock(data, offset, number, arrivalNs);
        } catch (RuntimeException e) {
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
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    @Override
    public void onResume(LeftOverLog log, long now) {
        nowNs = now;
        try {
            sink.onResume(log, now);
        } catch (RuntimeException e) {
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
        } catch (RuntimeException e) {
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
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    @Override
    public void onClockFit(ClockFit fit) {
        if (!failed) {
            sink.onClockFit(fit);
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
        } catch (RuntimeException e) {
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
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    @Override
    public boolean hasAll() {
        return !failed && sink.hasAll();
    }

    @Override
    public void abandon(long now) {
        if (!failed) {
            sink.abandon(now);
        }
    }

    @Override
    public boolean takesLocal() {
        return !failed && sink.takesLocal();
    }

    @Override
    public boolean isBeginning() {
        return !failed && sink.isBeginning();
    }

    @Override
    public @Nullable LocalMerge local() {
        return failed ? null : sink.local();
    }

    @Override
    public void addStatus(List<RecordingStatus> statuses, long now) {
        if (!failed) {
            sink.addStatus(statuses, now);
        }
    }
}
