package org.mavlogd.simulate;

/**
 * What a simulated ArduPilot goes through; times as in {@link SimulationPlan}.
 *
 * @param vehicle how it behaves
 * @param toClient what happens to its frames on their way
 * @param toVehicle what happens to the answers on their way
 * @param armAtNs from then on it is armed as soon as it lets itself be armed
 */
public record ArduPilotPlan(
        ArduPilotSettings vehicle,
        LossySettings toClient,
        LossySettings toVehicle,
        long armAtNs,
        long disarmAtNs,
        long rebootAtNs,
        long stopAtNs,
        long durationNs,
        boolean endsWithLog) {}
