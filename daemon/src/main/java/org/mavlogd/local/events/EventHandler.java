package org.mavlogd.local.events;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Takes log messages of this program, on any thread, and queues them for the thread that publishes them. No thread that
 * logs ever waits: messages that do not fit are counted. Lines of libraries are not taken.
 */
public final class EventHandler extends Handler {
    /**
     * A log message of this program.
     *
     * @param tag of the part that logged it
     * @param takenNs monotonic time
     */
    record Event(LogLevel level, int tag, long takenNs, String text) {}

    static final int CAPACITY = 512;

    private final ManyToOneConcurrentArrayQueue<Event> queue = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    // Written by threads that log.
    private final AtomicLong dropped = new AtomicLong();
    private final EventTags tags;
    private final NanoClock clock;
    private final Runnable bell;
    private final ContainedPart part;

    /**
     * A handler for the root logger.
     *
     * @param level minimum severity of a line; {@link LogLevel#INFO} is the least severe one possible
     * @param part contains errors here, which must not reach the code that logs
     * @param bell called by the logging thread when there is an event to poll
     */
    public EventHandler(TagMap tags, LogLevel level, NanoClock clock, Runnable bell, ContainedPart part) {
        this.part = part;
        this.bell = bell;
        this.tags = new EventTags(tags);
        this.clock = clock;
        setLevel(javaLevel(level));
    }

    private static Level javaLevel(LogLevel level) {
        if (level.compareTo(LogLevel.ERROR) <= 0) {
            return Level.SEVERE;
        }
        return level == LogLevel.WARNING ? Level.WARNING : Level.INFO;
    }

    @Override
    public void publish(LogRecord said) {
        if (part.mayRun()) {
            try {
                take(said);
            } catch (Throwable e) {
                part.contain(e);
            }
        }
    }

    private void take(LogRecord said) {
        String logger = String.valueOf(said.getLoggerName());
        if (!isLoggable(said) || !EventTags.isOurs(logger)) {
            return;
        }
        Event event = new Event(logLevel(said.getLevel()), tags.tag(logger), clock.nanoTime(), text(said));
        if (!queue.offer(event)) {
            dropped.incrementAndGet();
        }
        bell.run();
    }

    private static LogLevel logLevel(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return LogLevel.ERROR;
        }
        return level.intValue() >= Level.WARNING.intValue() ? LogLevel.WARNING : LogLevel.INFO;
    }

    private static String text(LogRecord said) {
        String message = String.valueOf(said.getMessage());
        Throwable thrown = said.getThrown();
        return thrown == null ? message : message + ": " + thrown;
    }

    /** The next event, or null. Publishing thread only. */
    @Nullable
    Event poll() {
        return queue.poll();
    }

    /** How many events were dropped since the last call. Publishing thread only. */
    long takeDropped() {
        return dropped.getAndSet(0);
    }

    @Override
    public void flush() {
        // The publishing thread takes events by itself.
    }

    @Override
    public void close() {
        // Waiting events are still published.
    }

    /** Finds the part of this program by the name of a logger. */
    private static final class EventTags {
        private record Rule(String prefix, String tag) {}

        private static final String ROOT = "org.mavlogd.";

        // The first match decides.
        private static final List<Rule> RULES = List.of(
                new Rule("link.Serial", TagMap.SERIAL_HANDLER),
                new Rule("link.", TagMap.MAVLINK_HANDLER),
                new Rule("mavlink.", TagMap.MAVLINK_HANDLER),
                new Rule("vehicle.", TagMap.MAVLINK_HANDLER),
                new Rule("signing.", TagMap.MAVLINK_HANDLER),
                new Rule("record.", TagMap.ULG),
                new Rule("store.", TagMap.IO_SERVICE),
                new Rule("recovery.", TagMap.IO_SERVICE),
                new Rule("wiring.FinishedLogs", TagMap.IO_SERVICE),
                new Rule("app.DirectoryLock", TagMap.IO_SERVICE),
                new Rule("app.WatchdogFeeder", TagMap.WATCHDOG),
                new Rule("control.Systemd", TagMap.WATCHDOG),
                new Rule("feed.", TagMap.CBUF),
                new Rule("time.", TagMap.PTP_HANDLER),
                new Rule("local.", TagMap.IO_SERVICE));

        private final TagMap tags;

        EventTags(TagMap tags) {
            this.tags = tags;
        }

        /** Whether it is a logger of this program. */
        static boolean isOurs(String logger) {
            return logger.startsWith(ROOT);
        }

        /** The tag of a logger of this program. */
        int tag(String logger) {
            for (Rule rule : RULES) {
                if (logger.startsWith(rule.prefix, ROOT.length())) {
                    return tags.defaultId(rule.tag);
                }
            }
            return tags.defaultId(TagMap.UNASSIGNED);
        }
    }
}
