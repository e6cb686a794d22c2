package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.vehicle.ConversationSettings;

/**
 * Everything around a recording throws, from every method and with every kind of error that can be contained: the
 * vehicle's log is still complete.
 */
class ContainmentSimulationTest {
    private static final int RENAMES_THAT_FAIL = 3;

    /** Throws from operations on names and space; files themselves are created and written. */
    private static Disk hostile(Disk real, Supplier<Throwable> error, Map<String, Integer> calls) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    int call = calls.merge(method.getName(), 1, Integer::sum);
                    boolean fails = switch (method.getName()) {
                        case "usableBytes", "totalBytes", "replace", "peek" -> true;
                        case "list" -> isKeepers(); // a new file needs the names of all others
                        // Only renames of the last file fail, so that files get their names in order.
                        case "rename" ->
                            String.valueOf(arguments[0]).contains("_000002.") && call <= 1 + RENAMES_THAT_FAIL;
                        default -> false;
                    };
                    if (fails) {
                        throw error.get();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean isKeepers() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(".Keeper")));
    }

    private static CardFetch.VehicleCardLogs cardLogs(Supplier<Throwable> error, String faulty) {
        CardFetch.VehicleCardLogs wanted = new CardFetch.VehicleCardLogs() {
            @Override
            public boolean areWanted() {
                return true;
            }

            @Override
            public long delayNs() {
                return SECOND_NS;
            }

            @Override
            public MemoryShare memory(int systemId) {
                return MemoryShare.unlimited();
            }

            @Override
            public FetchClient client(org.mavlogd.fetch.FetchTarget vehicle) {
                return Thrown.always(FetchClient.class, error);
            }

            @Override
            public FetchClient client(org.mavlogd.fetch.FetchTarget vehicle, List<org.mavlogd.fetch.RemoteLog> chosen) {
                return client(vehicle);
            }
        };
        for (Method method : Thrown.methods(CardFetch.VehicleCardLogs.class)) {
            if (method.getName().equals(faulty) && method.getParameterCount() < 2) {
                return Thrown.from(CardFetch.VehicleCardLogs.class, wanted, method, error);
            }
        }
        return wanted;
    }

    @Test
    void recordsTheWholeLogWhateverIsThrownAroundIt() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            for (String faulty : List.of("delayNs", "client", "nothing but the client")) {
                assertThat(UncaughtErrors.of(() -> fly(error, faulty)))
                        .as(faulty)
                        .isEmpty();
            }
        }
    }

    private static void fly(Supplier<Throwable> error, String faulty) {
        Map<String, Integer> calls = new TreeMap<>();
        FakeDisk disk = new FakeDisk().seenThrough(real -> hostile(real, error, calls));
        WholeRecorder.Setup setup = new WholeRecorder.Setup(ConversationSettings.Mode.ALWAYS, 0, true, 1 << 20, disk)
                .amid(new WholeRecorder.Surroundings(
                        cardLogs(error, faulty),
                        Thrown.always(CrashReport.Source.class, error),
                        Thrown.always(Keeper.FinishedListener.class, error)));
        LossySettings perfect =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1).withDelayNs(MILLISECOND_NS);
        SimulatedFlight flight = new SimulatedFlight(
                setup,
                LogImage.of(SyntheticLog.make(1, 60_000)),
                Px4Settings.builder().rateBytesPerSecond(10_000).seed(1).build(),
                perfect,
                perfect);
        flight.runUntil(flight.nowNs() + 2 * SECOND_NS);
        flight.vehicle().arm(flight.nowNs());
        flight.runUntil(flight.nowNs() + 2 * SECOND_NS);
        flight.vehicle().disarm(flight.nowNs());
        flight.runUntil(flight.nowNs() + 10 * SECOND_NS);
        flight.finish(10 * SECOND_NS);
        for (int i = 0; i < RENAMES_THAT_FAIL; i++) {
            flight.recorder().close();
        }

        FlightSimulationTest.check(1, flight);
        assertThat(flight.recorder().errors("retention")).isPositive();
        assertThat(flight.recorder().errors("renaming")).isPositive();
        assertThat(flight.recorder().errors("finished.logs")).isPositive();
        assertThat(flight.recorder().errors("fetch.test")).isPositive();
        assertThat(flight.recorder().errors("resume.notes")).isPositive();
    }

    /** Advice is logged, and log handlers may be foreign code. */
    @Test
    void recordsTheWholeLogThoughAdviceCannotBeGiven() {
        Logger logger = Logger.getLogger("org.mavlogd.record.figures.RateAdvice");
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord event) {
                throw new IllegalStateException("test: a handler");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(broken);
        logger.setLevel(Level.INFO); // tests of the fuzzers, which may have run before in this process, silence all
        try {
            LossySettings perfect =
                    LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1).withDelayNs(MILLISECOND_NS);
            SimulatedFlight flight = new SimulatedFlight(
                    WholeRecorder.Setup.plain(),
                    LogImage.of(SyntheticLog.make(1, 60_000)),
                    Px4Settings.builder()
                            .rateBytesPerSecond(40_000)
                            .loops(true)
                            .seed(1)
                            .build(),
                    perfect.withLoss(30, 3),
                    perfect);
            flight.runUntil(flight.nowNs() + 30 * SECOND_NS);
            flight.finish(10 * SECOND_NS);

            FlightSimulationTest.check(1, flight);
            assertThat(flight.recorder().errors("advice.test")).isPositive();
        } finally {
            logger.removeHandler(broken);
            logger.setLevel(null);
        }
    }
}
