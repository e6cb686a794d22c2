package org.mavlogd.dataflash;

/**
 * What came of mapping a log.
 *
 * @param records sound ones, definitions included
 * @param samples of all topics
 * @param parameters values, later ones included
 * @param texts that were logged as texts, not those made of modes and events
 * @param damagedSpans places with bytes that are no records
 * @param damagedBytes in them
 * @param cutBytes of a record begun but not ended
 * @param undeclared records of types that the log does not declare
 * @param refused records whose topic the ULog did not take
 */
public record MappingCounts(
        long records,
        long samples,
        long parameters,
        long texts,
        long damagedSpans,
        long damagedBytes,
        long cutBytes,
        long undeclared,
        long refused) {
    /** Records that the ULog does not have. */
    public long unmapped() {
        return undeclared + refused;
    }
}
