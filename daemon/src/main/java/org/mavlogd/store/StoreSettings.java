package org.mavlogd.store;

/**
 * How files are written.
 *
 * @param batchBytes size of one write
 * @param writeIntervalNs longest time that a byte waits before it is written
 * @param forceIntervalNs longest time that a written byte waits before it is forced to the medium
 */
public record StoreSettings(int batchBytes, long writeIntervalNs, long forceIntervalNs) {
    public StoreSettings {
        if (batchBytes <= 0 || writeIntervalNs <= 0 || forceIntervalNs <= 0) {
            throw new IllegalArgumentException("batch of " + batchBytes + " bytes, write interval " + writeIntervalNs
                    + " ns, force interval " + forceIntervalNs + " ns: each must be positive");
        }
    }
}
