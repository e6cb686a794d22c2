package org.mavlogd.local.events;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Publishes the recorder's own log messages. Runs on one thread, which owns the producing end of the feed. Must not
 * log, because its lines would come back.
 */
public final class EventAgent implements Agent {
    /** Observes figures whose changes are not logged, and reports notable ones. Called once a second on one thread. */
    @FunctionalInterface
    public interface Watch {
        /** Takes reports. */
        @FunctionalInterface
        interface Listener {
            /**
             * Takes one report.
             *
             * @param tag one of the specification's names, such as {@link org.mavlogd.tags.TagMap#ULG}
             */
            void onEvent(LogLevel level, String tag, String text);
        }

        /** Must not block. */
        void look(long nowNs, Listener listener);
    }

    private static final int BATCH = 64;
    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final EventHandler handler;
    private final TextOutlet outlet;
    private final Watch watch;
    private final LogLevel level;
    private final NanoClock clock;
    private final Counter dropped;
    private boolean looked;
    private long lookedNs;

    /** @param level minimum severity of the watch's reports */
    public EventAgent(
            EventHandler handler, TextOutlet outlet, Watch watch, LogLevel level, NanoClock clock, Metrics metrics) {
        this.handler = handler;
        this.outlet = outlet;
        this.watch = watch;
        this.level = level;
        this.clock = clock;
        this.dropped = metrics.counter("events.dropped", "Own events dropped because the queue was full");
    }

    @Override
    public int doWork() {
        int taken = takeBatch();
        long nowNs = clock.nanoTime();
        tellDropped(nowNs);
        if (!looked || nowNs - lookedNs >= LOOK_INTERVAL_NS) {
            looked = true;
            lookedNs = nowNs;
            watch.look(nowNs, (grade, tag, text) -> onWatched(grade, tag, text, nowNs));
        }
        outlet.tick(nowNs);
        return taken;
    }

    private int takeBatch() {
        for (int taken = 0; taken < BATCH; taken++) {
            EventHandler.Event event = handler.poll();
            if (event == null) {
                return taken;
            }
            outlet.text(event.level(), event.tag(), event.takenNs(), event.text());
        }
        return BATCH;
    }

    private void tellDropped(long nowNs) {
        long count = handler.takeDropped();
        if (count > 0) {
            dropped.add(count);
            int tag = outlet.tags().defaultId(TagMap.UNASSIGNED);
            outlet.text(LogLevel.WARNING, tag, nowNs, count + " events left out: too many at once");
        }
    }

    private void onWatched(LogLevel grade, String tag, String text, long nowNs) {
        if (grade.compareTo(level) <= 0) {
            outlet.text(grade, outlet.tags().defaultId(tag), nowNs, text);
        }
    }

    /** Publishes waiting messages. */
    @Override
    public void onClose() {
        while (takeBatch() > 0) {
            // until nothing waits
        }
        outlet.tick(clock.nanoTime());
    }

    @Override
    public String roleName() {
        return "events";
    }
}
