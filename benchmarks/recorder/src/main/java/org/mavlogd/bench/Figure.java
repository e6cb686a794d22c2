package org.mavlogd.bench;

/**
 * One line of the table.
 *
 * @param goal empty where there is none
 * @param met empty where there is no goal
 */
record Figure(String name, String measured, String goal, String met, String note) {
    static Figure atMost(String name, double value, String format, double goal, String note) {
        return of(name, value, format, goal, "<= ", value <= goal, note);
    }

    static Figure atLeast(String name, double value, String format, double goal, String note) {
        return of(name, value, format, goal, ">= ", value >= goal, note);
    }

    static Figure plain(String name, double value, String format, String note) {
        return new Figure(name, text(format, value), "", "", note);
    }

    private static Figure of(
            String name, double value, String format, double goal, String sign, boolean met, String note) {
        // What is printed decides: 8.00 is not above 8.
        String limit = goal == Math.rint(goal) ? Long.toString((long) goal) : Double.toString(goal);
        return new Figure(name, text(format, value), sign + limit, met ? "yes" : "NO", note);
    }

    private static String text(String format, double value) {
        return String.format(java.util.Locale.ROOT, format, value);
    }
}
