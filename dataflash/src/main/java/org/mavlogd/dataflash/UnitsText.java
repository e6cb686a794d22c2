package org.mavlogd.dataflash;

import org.mavlogd.dataflash.Definitions.FieldUnits;

/**
 * The text that tells units and scales of a topic's fields: {@code BARO:I=instance,Alt=m,Temp=0.01 degC}. A value times the
 * scale is in the unit; either may be missing; fields with neither are left out.
 */
final class UnitsText {
    private final Definitions definitions;
    private final FieldUnits units;
    private final StringBuilder text = new StringBuilder();

    UnitsText(Definitions definitions, FieldUnits units) {
        this.definitions = definitions;
        this.units = units;
    }

    void add(String name, int index, Scale scale) {
        char unit = units.unit(index);
        String label = unit == StandardUnits.UNKNOWN ? "" : definitions.unitLabel(unit);
        boolean isScaled = scale.factor() != 1;
        if (label.isEmpty() && !isScaled) {
            return;
        }
        text.append(text.length() == 0 ? "" : ",").append(name).append('=');
        if (isScaled) {
            text.append(number(scale.factor())).append(label.isEmpty() ? "" : " ");
        }
        text.append(label);
    }

    /** Empty if no field has anything to tell. */
    String text(String topic) {
        return text.length() == 0 ? "" : topic + ":" + text;
    }

    private static String number(double factor) {
        return factor == Math.rint(factor) && factor < 1e9 ? Long.toString((long) factor) : Double.toString(factor);
    }
}
