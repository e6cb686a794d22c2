package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Containment;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockState;

class ContainedClockTest {
    private static final ClockState KNOWN =
            new ClockState(org.mavlogd.time.ClockState.Source.TIMESYNC, 1, 0.1, 0.2, 0, 1, 0, 0);

    private long nowNs;
    private final Containment containment = new Containment(() -> nowNs);
    private final Peer peer = Thrown.always(Peer.class, () -> new IllegalStateException("not asked"));

    /** Does nothing, and has a known clock. */
    private static final class QuietClock implements ClockConversation {
        @Override
        public void onTimesync(Timesync message, Peer from, long nowNs) {}

        @Override
        public void onBootTime(long bootMs, long nowNs) {}

        @Override
        public void onTick(boolean recorded, boolean heard, Peer to, long nowNs) {}

        @Override
        public ClockState state(long nowNs) {
            return KNOWN;
        }
    }

    @Test
    void containsWhatEveryMethodThrowsAndStartsOverAfterTheDelay() {
        int number = 0;
        for (Method faulty : Thrown.methods(ClockConversation.class)) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                ContainedPart part = containment.part("clock." + number++, Recovery.PAUSES);
                AtomicInteger made = new AtomicInteger();
                ContainedClock clock = new ContainedClock(
                        () -> made.getAndIncrement() == 0
                                ? Thrown.from(ClockConversation.class, new QuietClock(), faulty, error)
                                : new QuietClock(),
                        part);

                assertThat(UncaughtErrors.of(() -> callAll(clock)))
                        .as(faulty.getName())
                        .isEmpty();
                assertThat(part.errors()).as(faulty.getName()).isOne();
                assertThat(clock.state(nowNs)).isEqualTo(ClockState.UNKNOWN);

                nowNs += Long.MAX_VALUE / 1_000_000_000;
                assertThat(clock.state(nowNs)).isEqualTo(KNOWN);
                assertThat(made).hasValue(2);
            }
        }
    }

    private void callAll(ContainedClock clock) {
        clock.onTimesync(Timesync.request(1, 1, 1), peer, nowNs);
        clock.onBootTime(1, nowNs);
        clock.onTick(true, true, peer, nowNs);
        clock.state(nowNs);
    }

    @Test
    void containsAClockThatCannotBeMade() {
        ContainedPart part = containment.part("clock", Recovery.PAUSES);
        ContainedClock clock = new ContainedClock(
                () -> {
                    throw new NoClassDefFoundError("test/Clock");
                },
                part);

        assertThat(UncaughtErrors.of(() -> callAll(clock))).isEmpty();
        assertThat(part.errors()).isOne();
    }
}
