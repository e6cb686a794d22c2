package org.mavlogd.dataflash;

import org.mavlogd.dataflash.Definitions.FieldUnits;

/**
 * The factor that converts a field's raw value to its unit: the format's own factor or else the type's multiplier,
 * never both.
 *
 * <p>A factor below one whose inverse is an integer is divided by: 12345 * 0.01 is then 123.45 and no neighbour of it.
 *
 * @param factor 1 for none
 */
record Scale(double factor) {
    static final Scale NONE = new Scale(1);

    /** The scale of a field; {@link #isTold} says whether there is one at all. */
    static Scale of(RecordType.Field field, int index, FieldUnits units, Definitions definitions) {
        if (field.format().divisor() != 1) {
            return new Scale(1.0 / field.format().divisor());
        }
        double multiplier = definitions.multiplier(units.multiplier(index));
        return isFactor(multiplier) ? new Scale(multiplier) : NONE;
    }

    /** Whether the log says how a field's values relate to its unit. */
    static boolean isTold(RecordType.Field field, int index, FieldUnits units, Definitions definitions) {
        if (field.format().isText()) {
            return false;
        }
        char multiplier = units.multiplier(index);
        return field.format().divisor() != 1
                || (multiplier != Definitions.StandardUnits.UNKNOWN && isFactor(definitions.multiplier(multiplier)));
    }

    /**
     * Logs hold multipliers that went through a float: 1e-7 arrives as 1.0000000116860974e-07. Such a one becomes the
     * shortest decimal that the float stands for; all others stay.
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
        // 0 is how a log says that there is none.
        return multiplier > 0 && multiplier < Double.POSITIVE_INFINITY;
    }
}
