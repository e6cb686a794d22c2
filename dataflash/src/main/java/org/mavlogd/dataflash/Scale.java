package org.mavlogd.dataflash;

import org.mavlogd.dataflash.Definitions.FieldUnits;

/**
 * The factor that converts a field's raw value to its unit: either the format's own factor or the type's multiplier.
 *
 * <p>If the factor is below one and its inverse is an integer, values are divided by that: 12345 * 0.01 gives exactly
 * 123.45.
 *
 * @param factor 1 for none
 */
record Scale(double factor) {
    static final Scale NONE = new Scale(1);

    /** The scale of a field; {@link #isTold} returns whether the log defines one. */
    static Scale of(RecordType.Field field, int index, FieldUnits units, Definitions definitions) {
        if (field.format().divisor() != 1) {
            return new Scale(1.0 / field.format().divisor());
        }
        double multiplier = definitions.multiplier(units.multiplier(index));
        return isFactor(multiplier) ? new Scale(multiplier) : NONE;
    }

    /** Whether the log defines the scale of a field. */
    static boolean isTold(RecordType.Field field, int index, FieldUnits units, Definitions definitions) {
        if (field.format().isText()) {
            return false;
        }
        char multiplier = units.multiplier(index);
        return field.format().divisor() != 1
                || (multiplier != Definitions.StandardUnits.UNKNOWN && isFactor(definitions.multiplier(multiplier)));
    }

    /**
     * Restores multipliers that the vehicle stored as float, such as 1e-7, which is logged as 1.0000000116860974e-07:
     * returns the shortest decimal of that float. Other values are returned unchanged.
     */
    static double snapped(double told) {
        float narrow = (float) told;
        return narrow == told && !Double.isInfinite(told) ? Double.parseDouble(Float.toString(narrow)) : told;
    }

    double divisor() {
        double inverse = Math.rint(1 / factor);
        return factor < 1 && Math.abs(inverse * factor - 1) < 1e-12 ? inverse : 1;
    }

    private static boolean isFactor(double multiplier) {
        // Logs use 0 for no multiplier.
        return multiplier > 0 && multiplier < Double.POSITIVE_INFINITY;
    }
}
