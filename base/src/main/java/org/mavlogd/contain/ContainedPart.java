package org.mavlogd.contain;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A part of the recorder whose errors must not affect other parts. The caller checks {@link #mayRun}, catches {@link
 * Throwable} and passes it to {@link #contain}, which counts and reports it and decides when the part runs again:
 *
 * <pre>
 * if (part.mayRun()) {
 *     try {
 *         source.onBytes(...);
 *     } catch (Throwable e) {
 *         part.contain(e);
 *     }
 * }
 * </pre>
 *
 * <p>{@link Uncontainable} errors end the process. Any thread. {@link #mayRun} allocates nothing and reads no clock
 * while the part runs.
 */
public final class ContainedPart {
    private final String name;
    private final Recovery recovery;
    private final LongSupplier clock;
    private final ErrorReport report;
    private final AtomicReference<Condition> condition = new AtomicReference<>(Condition.FIRST);

    /**
     * The state of the part.
     *
     * @param inARow number of errors without {@link RetryDelay#STEADY_NS} of work between them
     * @param lastNs time of the last error
     */
    private record Condition(
            boolean isStopped, long errors, int inARow, long lastNs, long resumeNs, String lastError, boolean hangs) {
        static final Condition FIRST = new Condition(false, 0, 0, 0, 0, "", false);

        Condition failed(Recovery recovery, String text, long nowNs) {
            boolean wasSteady = errors > 0 && nowNs - Math.max(lastNs, resumeNs) >= RetryDelay.STEADY_NS;
            int row = wasSteady ? 1 : Math.min(inARow + 1, Integer.MAX_VALUE - 1);
            long pauseNs = recovery.pauseNs(row);
            long endNs = pauseNs == Long.MAX_VALUE ? nowNs : nowNs + pauseNs;
            return new Condition(pauseNs > 0, errors + 1, row, nowNs, endNs, text, hangs);
        }

        Condition resumed() {
            return new Condition(false, errors, inARow, lastNs, resumeNs, lastError, hangs);
        }

        Condition hanging(boolean isHanging) {
            return new Condition(isStopped, errors, inARow, lastNs, resumeNs, lastError, isHanging);
        }
    }

    ContainedPart(String name, Recovery recovery, LongSupplier clock) {
        this.name = name;
        this.recovery = recovery;
        this.clock = clock;
        this.report = new ErrorReport(name);
    }

    /** A part outside any {@link Containment}, for code that runs without a recorder. */
    public static ContainedPart unlisted(String name, Recovery recovery) {
        return new ContainedPart(name, recovery, System::nanoTime);
    }

    private Condition condition() {
        return Objects.requireNonNull(condition.get());
    }

    /** Name in the metrics and the status. */
    public String name() {
        return name;
    }

    /** Whether the part may be called now. Hot path. */
    public boolean mayRun() {
        return !condition().isStopped() || resume();
    }

    private boolean resume() {
        Condition now = condition();
        if (!now.isStopped()) {
            return true;
        }
        boolean isOver = recovery != Recovery.STAYS_OFF && clock.getAsLong() - now.resumeNs() >= 0;
        if (isOver) {
            condition.updateAndGet(Condition::resumed);
        }
        return isOver;
    }

    /** Handles an error of the part. Ends the process if it is {@link Uncontainable}; otherwise returns. */
    public void contain(Throwable error) {
        if (Uncontainable.is(error)) {
            Uncontainable.end(error);
            return;
        }
        long nowNs = clock.getAsLong();
        String text = ErrorReport.text(error);
        // The state changes before the report: the part may be one that is called to log.
        Condition after = condition.updateAndGet(before -> before.failed(recovery, text, nowNs));
        report.add(error, text, consequence(after, nowNs), nowNs);
    }

    private String consequence(Condition after, long nowNs) {
        if (!after.isStopped()) {
            return "continuing without what caused it";
        }
        return recovery == Recovery.STAYS_OFF
                ? "this part stays off"
                : "this part pauses for " + ErrorReport.seconds(after.resumeNs() - nowNs);
    }

    /** Calls the part unless it is stopped. Not for hot paths: the call may be allocated. */
    public void run(Runnable call) {
        if (mayRun()) {
            try {
                call.run();
            } catch (Throwable e) {
                contain(e);
            }
        }
    }

    /** Calls the part even if it is stopped, for calls that must always be tried, such as closing. */
    public void runAlways(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            contain(e);
        }
    }

    /** Calls the part even if it is stopped, and returns its value, or {@code otherwise} after an error. */
    public <T> T getAlways(Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (Throwable e) {
            contain(e);
            return otherwise;
        }
    }

    /** Calls the part unless it is stopped, and returns its value, or {@code otherwise} without one. */
    public <T> T get(Supplier<T> call, T otherwise) {
        return mayRun() ? getAlways(call, otherwise) : otherwise;
    }

    /** Whether the part's thread makes no progress; set by the watchdog. */
    public void hangs(boolean isHanging) {
        if (condition().hangs() != isHanging) {
            condition.updateAndGet(before -> before.hanging(isHanging));
            report.hangs(isHanging);
        }
    }

    /** Number of errors since the start. */
    public long errors() {
        return condition().errors();
    }

    public Status status() {
        Condition now = condition();
        long pauseNs = Math.max(0, now.resumeNs() - clock.getAsLong());
        Status.State state;
        if (now.hangs()) {
            state = Status.State.HANGS;
        } else if (!now.isStopped() || (recovery != Recovery.STAYS_OFF && pauseNs == 0)) {
            state = Status.State.RUNNING;
        } else {
            state = recovery == Recovery.STAYS_OFF ? Status.State.OFF : Status.State.PAUSED;
        }
        long pauseMs = state == Status.State.PAUSED ? TimeUnit.NANOSECONDS.toMillis(pauseNs) : 0;
        return new Status(name, state, now.errors(), now.lastError(), pauseMs);
    }

    /**
     * The state of a part, for people.
     *
     * @param part name of the part
     * @param state current state
     * @param errors number of contained errors since the start
     * @param lastError the last of them; empty if there was none
     * @param pauseMs time until the part is called again; 0 unless it is paused
     */
    public record Status(String part, State state, long errors, String lastError, long pauseMs) {
        /** The states of a part. */
        public enum State {
            RUNNING,
            /** Not called until its delay is over. */
            PAUSED,
            /** Not called again. */
            OFF,
            /** Its thread has made no progress for a long time. */
            HANGS
        }

        /** The problem in one line; empty for a running part. */
        public String problem() {
            return switch (state) {
                case RUNNING -> "";
                case PAUSED ->
                    part + ": paused for " + (pauseMs + 999) / 1000 + " s after an internal error: " + lastError;
                case OFF -> part + ": off after an internal error: " + lastError;
                case HANGS -> part + ": its thread makes no progress; restart mavlogd to run it again";
            };
        }
    }
}
