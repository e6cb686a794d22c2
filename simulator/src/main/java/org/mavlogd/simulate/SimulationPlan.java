package org.mavlogd.simulate;

/**
 * What a simulated vehicle goes through.
 *
 * @param <V> the settings of its make
 * @param vehicle how it behaves
 * @param toClient what happens to its frames on their way
 * @param toVehicle what happens to the answers on their way
 * @param armAtNs from then on it is armed as soon as it lets itself be armed; counted, as the next three, from the begin of
 *     the first stream; {@link #NEVER} for never
 * @param disarmAtNs see above
 * @param rebootAtNs see above
 * @param stopAtNs when somebody on another of the vehicle's links stops the stream; see above
 * @param durationNs of the whole run, counted from its begin; {@link #NEVER} for no end
 * @param endsWithLog whether the stream is stopped, and the run ends, when the log has been played
 */
public record SimulationPlan<V>(
        V vehicle,
        LossySettings toClient,
        LossySettings toVehicle,
        long armAtNs,
        long disarmAtNs,
        long rebootAtNs,
        long stopAtNs,
        long durationNs,
        boolean endsWithLog) {
    /** A time that does not come. */
    public static final long NEVER = -1;
}
