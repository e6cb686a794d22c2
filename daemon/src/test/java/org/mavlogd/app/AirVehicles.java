package org.mavlogd.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.ardupilot.ArduPilotCounters;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.VehicleCounters;
import org.mavlogd.simulate.run.VehicleRunner;

/** Simulated vehicles with logs on their SD cards, each on its own thread until the test ends. */
public final class AirVehicles implements AutoCloseable {
    public static final LossySettings PERFECT = LossySettings.perfect(Medium.DATAGRAMS, 1);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LANDING_S = 20;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> vehicles = new ArrayList<>();

    /** Starts an ArduPilot that streams nothing and stays armed or disarmed. */
    public void parkArduPilot(LinkSettings target, byte[] log, boolean isArmed, LossySettings loss, long rate) {
        ArduPilotSettings settings = SystemTests.arduPilot()
                .startsArmed(isArmed)
                .logsToMavlink(false)
                .rateBytesPerSecond(rate)
                .build();
        var unused = run(() -> VehicleRunner.run(plan(settings, loss, 0), DataFlashImage.of(log), target, stop::get));
    }

    public void parkPx4(LinkSettings target, byte[] log, boolean isArmed, long rate) {
        Px4Settings settings =
                SystemTests.px4().startsArmed(isArmed).rateBytesPerSecond(rate).build();
        var unused = run(() -> VehicleRunner.run(plan(settings, PERFECT, 0), LogImage.of(log), target, stop::get));
    }

    /**
     * Starts an ArduPilot that streams its log repeatedly when asked; half a second after each start it is armed for
     * the time of its flight.
     */
    public void streamArduPilot(LinkSettings target, byte[] log, long rate, int flightS) {
        ArduPilotSettings settings = SystemTests.arduPilot()
                .bufferKb(53)
                .rateBytesPerSecond(rate)
                .loops(true)
                .build();
        var unused = run(
                () -> VehicleRunner.run(plan(settings, PERFECT, flightS), DataFlashImage.of(log), target, stop::get));
    }

    public void streamPx4(LinkSettings target, byte[] log, long rate, int flightS) {
        Px4Settings settings = SystemTests.px4()
                .rateBytesPerSecond(rate)
                .loops(true)
                .ackedIntervalNs(0)
                .build();
        var unused =
                run(() -> VehicleRunner.run(plan(settings, PERFECT, flightS), LogImage.of(log), target, stop::get));
    }

    /** Starts a PX4 that does not fly; the result is available when all vehicles have ended. */
    public Future<PlannedVehicle.Report<VehicleCounters>> px4(LinkSettings target, Px4Settings settings, byte[] log) {
        return run(() -> VehicleRunner.run(plan(settings, PERFECT, 0), LogImage.of(log), target, stop::get));
    }

    /** The same for an ArduPilot. */
    public Future<PlannedVehicle.Report<ArduPilotCounters>> arduPilot(
            LinkSettings target, ArduPilotSettings settings, byte[] log) {
        return run(() -> VehicleRunner.run(plan(settings, PERFECT, 0), DataFlashImage.of(log), target, stop::get));
    }

    private static <V> VehicleStation.Plan<V> plan(V settings, LossySettings loss, int flightS) {
        return new VehicleStation.Plan<>(
                settings,
                loss,
                loss,
                flightS > 0 ? SECOND_NS / 2 : VehicleStation.Plan.NEVER,
                flightS > 0 ? SECOND_NS / 2 + flightS * SECOND_NS : VehicleStation.Plan.NEVER,
                VehicleStation.Plan.NEVER,
                VehicleStation.Plan.NEVER,
                VehicleStation.Plan.NEVER,
                false);
    }

    private interface Life<T> {
        T run() throws IOException;
    }

    private <T> Future<T> run(Life<T> life) {
        Future<T> flight = threads.submit(life::run);
        vehicles.add(flight);
        return flight;
    }

    @Override
    public void close() {
        stop.set(true);
        for (Future<?> vehicle : vehicles) {
            try {
                vehicle.get(LANDING_S, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError("a vehicle did not land", e);
            }
        }
        threads.shutdown();
    }
}
