package org.mavlogd.store;

/**
 * How files are written.
 *
 * @param batchBytes size of one write
 * @param durability how long data may take to the medium
 * @param rotation when a log goes on in its next file
 */
public record StoreSettings(int batchBytes, Durability durability, RotationPolicy rotation) {
    public StoreSettings {
        if (batchBytes <= 0) {
            throw new IllegalArgumentException("batch of " + batchBytes + " bytes: must be positive");
        }
    }

    /** One file for each log. */
    public StoreSettings(int batchBytes, Durability durability) {
        this(batchBytes, durability, RotationPolicy.NEVER);
    }
}
