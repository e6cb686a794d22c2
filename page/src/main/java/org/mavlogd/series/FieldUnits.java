package org.mavlogd.series;

/** Parses units as logs write them: {@code Alt=m,Temp=degC}. */
final class FieldUnits {
    private FieldUnits() {}

    /** The unit of a field, or for an element that of its array. Empty if unknown. */
    static String of(String units, String path) {
        if (path.equals("timestamp")) {
            return "us";
        }
        String unit = exactly(units, path);
        int bracket = path.lastIndexOf('[');
        return unit.isEmpty() && bracket > 0 ? exactly(units, path.substring(0, bracket)) : unit;
    }

    private static String exactly(String units, String path) {
        for (String part : units.split(",", -1)) {
            if (part.startsWith(path) && part.length() > path.length() && part.charAt(path.length()) == '=') {
                return part.substring(path.length() + 1);
            }
        }
        return "";
    }
}
