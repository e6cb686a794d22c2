package org.mavlogd.contain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the errors of one part: the first of each kind with the top of its stack, further ones as a count, at most once
 * a minute. A kind is the error's class and the place where it was thrown. Any thread; never throws.
 */
final class ErrorReport {
    /** Further kinds are counted together. */
    static final int MAX_KINDS = 8;

    /** Stack frames logged for an error and for each of its causes: an overflowed stack has a thousand. */
    static final int MAX_FRAMES = 12;

    static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOG = LoggerFactory.getLogger(ContainedPart.class);
    private static final int MAX_CAUSES = 8;
    private static final int MAX_TEXT = 300;
    private static final String OTHER = "other errors";

    private final String part;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    private static final class Kind {
        private final AtomicLong unreported = new AtomicLong();
        private final AtomicLong reportedNs = new AtomicLong();

        Kind(long nowNs) {
            reportedNs.set(nowNs);
        }

        /** Number of errors to report now; 0 if it is too early. */
        long take(long nowNs) {
            long before = reportedNs.get();
            unreported.incrementAndGet();
            boolean isDue = nowNs - before >= REPEAT_NS && reportedNs.compareAndSet(before, nowNs);
            return isDue ? unreported.getAndSet(0) : 0;
        }
    }

    ErrorReport(String part) {
        this.part = part;
    }

    /** @param consequence what happens next, as the end of a sentence */
    void add(Throwable error, String text, String consequence, long nowNs) {
        try {
            String name = kinds.size() < MAX_KINDS || kinds.containsKey(kind(error)) ? kind(error) : OTHER;
            Kind fresh = new Kind(nowNs);
            Kind known = kinds.putIfAbsent(name, fresh);
            if (known == null) {
                LOG.error("{}: internal error, {}", part, consequence, shortened(error));
                return;
            }
            long count = known.take(nowNs);
            if (count > 0) {
                LOG.error("{}: internal error again, {} times, last {}, {}", part, count, text, consequence);
            }
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            // The error is counted; failures of logging are reported by their own part.
            return;
        }
    }

    /** Logs that the part's thread makes no progress, or makes progress again. */
    void hangs(boolean isHanging) {
        if (isHanging) {
            LOG.error("{}: its thread makes no progress; recording continues without this part", part);
        } else {
            LOG.info("{}: its thread makes progress again", part);
        }
    }

    private static String kind(Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        return error.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
    }

    /** Describes an error in one line, even if the error's own methods throw. */
    static String text(Throwable error) {
        String text;
        try {
            text = String.valueOf(error).lines().findFirst().orElse("");
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            text = error.getClass().getName();
        }
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    private static Throwable shortened(Throwable error) {
        Throwable at = error;
        for (int i = 0; i < MAX_CAUSES && at != null; i++) {
            StackTraceElement[] stack = at.getStackTrace();
            if (stack.length > MAX_FRAMES) {
                at.setStackTrace(Arrays.copyOf(stack, MAX_FRAMES));
            }
            at = at.getCause();
        }
        return error;
    }

    /** A duration for people. */
    static String seconds(long ns) {
        return String.format(Locale.ROOT, "%d s", TimeUnit.NANOSECONDS.toSeconds(ns));
    }
}
