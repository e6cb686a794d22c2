package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.time.ClockFit;

/** The conversion of a log throws from each of its methods: the log itself is not affected. */
class ContainedSinkTest {
    /** Accepts everything; the methods with a default are those that may throw. */
    private static final class QuietSink implements BlockSink {
        private int calls;

        @Override
        public void onBlock(org.agrona.DirectBuffer data, int offset, long number, long arrivalNs) {
            calls++;
        }

        @Override
        public void onHole(long firstNumber, long count, long nowNs) {}

        @Override
        public boolean tick(long nowNs) {
            return false;
        }

        @Override
        public void onEnd(SessionEnd reason, long nowNs) {}
    }

    @Test
    void containsWhatEveryMethodThrowsAndCallsTheSinkNoMore() {
        for (Method faulty : Thrown.methods(BlockSink.class)) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                ContainedPart part = ContainedPart.unlisted("mapping", Recovery.CONTINUES);
                QuietSink quiet = new QuietSink();
                ContainedSink sink =
                        new ContainedSink(() -> Thrown.from(BlockSink.class, quiet, faulty, error), "test", part);

                List<Throwable> uncaught = UncaughtErrors.of(() -> {
                    callAll(sink);
                    callAll(sink);
                });

                assertThat(uncaught).as(faulty.getName()).isEmpty();
                assertThat(part.errors()).as(faulty.getName()).isBetween(1L, 2L);
                assertThat(sink.hasAll()).as(faulty.getName()).isFalse();
                assertThat(sink.takesLocal()).isFalse();
                assertThat(quiet.calls).as(faulty.getName()).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void containsWhatIsThrownWhileTheSinkIsMade() {
        for (Throwable error : List.of(new IllegalStateException("test"), new NoClassDefFoundError("a damaged jar"))) {
            ContainedPart part = ContainedPart.unlisted("mapping", Recovery.CONTINUES);
            List<ContainedSink> made = new ArrayList<>();

            List<Throwable> uncaught = UncaughtErrors.of(() -> {
                made.add(new ContainedSink(() -> thrown(error), "test", part));
                callAll(made.get(0));
            });

            assertThat(uncaught).isEmpty();
            assertThat(part.errors()).isEqualTo(1);
            assertThat(made.get(0).hasAll()).as("the .bin is needed").isFalse();
        }
    }

    private static BlockSink thrown(Throwable error) {
        if (error instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) error;
    }

    @SuppressWarnings("NullAway") // the sinks of this test do not look at the log of an earlier run
    private static void callAll(ContainedSink sink) {
        sink.onResume(null, 0);
        sink.onBlock(new UnsafeBuffer(new byte[200]), 0, 1, 1);
        sink.onLateBlock(new UnsafeBuffer(new byte[200]), 0, 1, 1);
        sink.onHole(1, 1, 2);
        sink.onEvent(VehicleEvent.TIME, 1, 3);
        sink.onSystemTime(4, 5);
        sink.onClockFit(new ClockFit(1, 1, 1, false));
        sink.tick(6);
        sink.hasAll();
        sink.takesLocal();
        sink.isBeginning();
        sink.local();
        sink.hasOnlyStart();
        sink.onUnused(6);
        sink.addStatus(new ArrayList<>(), 7);
        sink.onEnd(SessionEnd.STOP_UNCONFIRMED, 8);
        sink.abandon(9);
    }

    @Test
    void endsTheProcessWhenMemoryIsOut() {
        Method onBlock = Thrown.methods(BlockSink.class).stream()
                .filter(method -> method.getName().equals("onBlock"))
                .findFirst()
                .orElseThrow();
        ContainedSink sink = new ContainedSink(
                () -> Thrown.from(BlockSink.class, new QuietSink(), onBlock, () -> new OutOfMemoryError("test")),
                "test",
                ContainedPart.unlisted("mapping", Recovery.CONTINUES));

        assertThat(UncaughtErrors.of(() -> sink.onBlock(new UnsafeBuffer(new byte[200]), 0, 1, 1)))
                .singleElement()
                .isInstanceOf(OutOfMemoryError.class);
    }
}
