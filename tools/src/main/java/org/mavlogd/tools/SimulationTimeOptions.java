package org.mavlogd.tools;

import org.mavlogd.simulate.SimulationPlan;
import picocli.CommandLine.Option;

/** Options of simulated vehicles: what happens to them, and when. */
final class SimulationTimeOptions {
    private static final double NS_PER_S = 1e9;
    private static final double MAX_SECONDS = 1e9;
    private static final double NEVER = -1;

    @Option(names = "--duration", paramLabel = "S", description = "Exit after so many seconds.")
    private double durationS = NEVER;

    @Option(names = "--reboot-at", paramLabel = "S", description = "Reboot so many seconds after the stream began.")
    private double rebootAtS = NEVER;

    @Option(
            names = "--stop-at",
            paramLabel = "S",
            description = "A ground station stops the stream so many seconds after it began.")
    private double stopAtS = NEVER;

    @Option(
            names = "--arm-at",
            paramLabel = "S",
            description = "Arm so many seconds after the stream began, or as soon after as the vehicle allows it.")
    private double armAtS = NEVER;

    @Option(names = "--disarm-at", paramLabel = "S", description = "Disarm so many seconds after the stream began.")
    private double disarmAtS = NEVER;

    /** @throws IllegalArgumentException with a text for the user */
    <V> SimulationPlan<V> plan(V vehicle, SimulationLinkOptions link, boolean endsWithLog) {
        return new SimulationPlan<>(
                vehicle,
                link.toClient(),
                link.toVehicle(),
                ns("--arm-at", armAtS),
                ns("--disarm-at", disarmAtS),
                ns("--reboot-at", rebootAtS),
                ns("--stop-at", stopAtS),
                ns("--duration", durationS),
                endsWithLog);
    }

    private static long ns(String option, double seconds) {
        if (seconds == NEVER) {
            return SimulationPlan.NEVER;
        }
        SimulationRun.check(option, seconds, 0, MAX_SECONDS);
        return Math.round(seconds * NS_PER_S);
    }
}
