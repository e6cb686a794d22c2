package org.mavlogd.contain;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainedPartTest {
    private static final long S = TimeUnit.SECONDS.toNanos(1);

    private final List<LogRecord> logged = new ArrayList<>();
    private final Logger logger = Logger.getLogger(ContainedPart.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord event) {
            logged.add(event);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private long nowNs = 5 * S;

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void forget() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    private ContainedPart part(Recovery recovery) {
        return new ContainedPart("test", recovery, () -> nowNs);
    }

    @Test
    void countsAndReportsWhatCanBeContained() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            ContainedPart part = part(Recovery.CONTINUES);

            List<Throwable> uncaught = UncaughtErrors.of(() -> part.run(() -> {
                throw Thrown.<RuntimeException>sneak(error.get());
            }));

            assertThat(uncaught).isEmpty();
            assertThat(part.errors()).isOne();
            assertThat(part.status().lastError()).isNotEmpty();
        }
        assertThat(logged).hasSize(Thrown.CONTAINABLE.size());
    }

    @Test
    void endsTheProcessAfterErrorsOfTheVirtualMachine() {
        List<Throwable> errors = List.of(
                new OutOfMemoryError("test"),
                new InternalError("test"),
                new IllegalStateException(new ExceptionInInitializerError(new OutOfMemoryError("test"))));
        for (Throwable error : errors) {
            ContainedPart part = part(Recovery.CONTINUES);

            assertThat(UncaughtErrors.of(() -> part.contain(error))).containsExactly(error);
        }
    }

    @Test
    void survivesACycleOfCauses() {
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalArgumentException("two", one));
        ContainedPart part = part(Recovery.CONTINUES);

        part.contain(one);

        assertThat(part.errors()).isOne();
    }

    @Test
    void survivesAnErrorWhoseOwnMethodsThrow() {
        ContainedPart part = part(Recovery.CONTINUES);

        part.contain(new IllegalStateException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("no message");
            }
        });

        assertThat(part.errors()).isOne();
    }

    @Test
    void pausesLongerAfterEachErrorUpToAMinute() {
        ContainedPart part = part(Recovery.PAUSES);

        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            part.contain(new IllegalStateException("test"));
            assertThat(part.mayRun()).isFalse();
            assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.PAUSED);
            assertThat(part.status().pauseMs()).isEqualTo(TimeUnit.SECONDS.toMillis(seconds));
            nowNs += seconds * S - 1;
            assertThat(part.mayRun()).isFalse();
            nowNs += 1;
            assertThat(part.mayRun()).isTrue();
            assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.RUNNING);
        }
    }

    @Test
    void pausesBrieflyAgainAfterSteadyWork() {
        ContainedPart part = part(Recovery.PAUSES);
        part.contain(new IllegalStateException("test"));
        part.contain(new IllegalStateException("test"));
        nowNs += 2 * S;
        assertThat(part.mayRun()).isTrue();

        nowNs += RetryDelay.STEADY_NS;
        part.contain(new IllegalStateException("test"));

        assertThat(part.status().pauseMs()).isEqualTo(1000);
    }

    @Test
    void continuesAtOnceUntilErrorsAreMany() {
        ContainedPart part = part(Recovery.CONTINUES);
        for (int i = 0; i < 8; i++) {
            part.contain(new IllegalStateException("test"));
            assertThat(part.mayRun()).isTrue();
        }

        part.contain(new IllegalStateException("test"));

        assertThat(part.mayRun()).isFalse();
        assertThat(part.status().pauseMs()).isEqualTo(1000);
    }

    @Test
    void staysOff() {
        ContainedPart part = part(Recovery.STAYS_OFF);

        part.contain(new IllegalStateException("test"));
        nowNs += 1000 * S;

        assertThat(part.mayRun()).isFalse();
        assertThat(part.get(() -> "called", "not called")).isEqualTo("not called");
        assertThat(part.status().problem())
                .isEqualTo("test: off after an internal error: " + "java.lang.IllegalStateException: test");
    }

    @Test
    void logsEachKindOnceAndThenACountAMinute() {
        ContainedPart part = part(Recovery.CONTINUES);
        for (int i = 0; i < 1000; i++) {
            part.contain(error("test " + i));
        }
        assertThat(logged)
                .singleElement()
                .satisfies(first -> assertThat(first.getThrown()).hasMessage("test 0"));

        nowNs += ErrorReport.REPEAT_NS;
        part.contain(error("last"));

        assertThat(logged).hasSize(2);
        assertThat(text(logged.get(1)))
                .contains("internal error again, 1000 times, last java.lang.IllegalStateException: last");
    }

    private static IllegalStateException error(String text) {
        return new IllegalStateException(text);
    }

    private static String text(LogRecord event) {
        return new java.util.logging.SimpleFormatter().formatMessage(event);
    }

    @Test
    void boundsTheKindsItRemembers() {
        ContainedPart part = part(Recovery.CONTINUES);
        for (int i = 0; i < 100; i++) {
            IllegalStateException error = new IllegalStateException("test");
            error.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "method" + i, "Some.java", i)});
            part.contain(error);
        }

        assertThat(logged).hasSize(ErrorReport.MAX_KINDS + 1);
        assertThat(part.errors()).isEqualTo(100);
    }

    @Test
    void logsFewLinesOfAStackThatOverflowed() {
        part(Recovery.CONTINUES).contain(Thrown.overflow());

        assertThat(logged.get(0).getThrown().getStackTrace()).hasSize(ErrorReport.MAX_FRAMES);
    }

    @Test
    void showsThatItsThreadHangs() {
        ContainedPart part = part(Recovery.PAUSES);

        part.hangs(true);
        assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.HANGS);
        assertThat(part.status().problem()).contains("makes no progress");

        part.hangs(false);
        assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.RUNNING);
    }

    @Test
    void askingWhetherItMayRunAllocatesNothing() {
        ContainedPart part = part(Recovery.CONTINUES);
        part.contain(new IllegalStateException("test"));
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int ran = ask(part, 20_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        ran += ask(part, 100_000);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(ran).isEqualTo(120_000);
        assertThat(bytes).isLessThan(1000);
    }

    private static int ask(ContainedPart part, int times) {
        int ran = 0;
        for (int i = 0; i < times; i++) {
            if (part.mayRun()) {
                ran++;
            }
        }
        return ran;
    }

    @Test
    void listsWhatDoesNotRun() {
        Containment all = new Containment(() -> nowNs);
        all.part("b", Recovery.STAYS_OFF).contain(new IllegalStateException("test"));
        all.part("a", Recovery.CONTINUES).contain(new IllegalStateException("test"));

        assertThat(all.statuses()).extracting(ContainedPart.Status::part).containsExactly("a", "b");
        assertThat(all.problems()).singleElement().asString().startsWith("b: off");
        assertThat(all.part("b", Recovery.STAYS_OFF).mayRun()).isFalse();
    }
}
