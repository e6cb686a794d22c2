package org.mavlogd.simulate.run;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.SimulationPlan;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.ardupilot.ArduPilotReport;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.ardupilot.PlannedArduPilot;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.PlannedPx4;
import org.mavlogd.simulate.px4.Px4Report;
import org.mavlogd.simulate.px4.Px4Settings;

/** Puts a simulated vehicle behind a real link, until its plan is done or somebody says stop. */
public final class VehicleRunner {
    /** How long nothing happens at most: smooth enough for acked chunks every 4 ms. */
    static final long TICK_NS = 1_000_000;

    private VehicleRunner() {}

    /**
     * Runs on the caller's thread until the plan is done.
     *
     * @param target where the recorder is
     * @param stop asked all the time; true ends the run early
     * @throws IOException when the target cannot be reached for a reason that will not pass
     */
    public static Px4Report run(
            SimulationPlan<Px4Settings> plan, LogImage log, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        return run(
                plan,
                (output, onStream, nowNs) -> new PlannedPx4(plan.vehicle(), log, output, onStream, nowNs),
                target,
                stop);
    }

    /** The same with an ArduPilot. */
    public static ArduPilotReport run(
            SimulationPlan<ArduPilotSettings> plan, DataFlashImage log, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        return run(
                plan,
                (output, onStream, nowNs) -> new PlannedArduPilot(plan.vehicle(), log, output, onStream, nowNs),
                target,
                stop);
    }

    private static <R> R run(
            SimulationPlan<?> plan, PlannedVehicle.Maker<R> vehicle, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        VehicleStation.Maker<R> station =
                (wire, datagrams, nowNs) -> new VehicleStation<>(plan, vehicle, wire, datagrams, nowNs);
        if (target instanceof LinkSettings.UdpConnect udp) {
            return new UdpVehicleLoop(udp).run(station, stop);
        }
        return new LinkVehicleLoop<>(target, station).run(stop);
    }
}
