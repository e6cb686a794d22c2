package org.mavlogd.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * One line of the table.
 *
 * @param goal empty if the figure has none
 * @param met empty if there is no goal
 */
record Figure(String name, String measured, String goal, String met, String note) {
    private static final String ROW = "%-44s %10s %8s %4s  %s%n";

    /** Prints the table and the machine on which it was measured. */
    static void print(List<Figure> figures, String loadBefore) throws IOException {
        if (!figures.isEmpty()) {
            System.out.printf(
                    Locale.ROOT, "%n" + ROW + "%s%n", "figure", "measured", "goal", "met", "", "-".repeat(110));
        }
        for (Figure figure : figures) {
            System.out.printf(Locale.ROOT, ROW, figure.name, figure.measured, figure.goal, figure.met, figure.note);
        }
        System.out.printf(
                Locale.ROOT,
                "%nMachine: %s%nLoad average: %s before, %s after%n",
                Machine.description(),
                loadBefore,
                Machine.load());
    }

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
        // The printed value is compared with the goal: 8.00 is not above 8.
        String limit = goal == Math.rint(goal) ? Long.toString((long) goal) : Double.toString(goal);
        return new Figure(name, text(format, value), sign + limit, met ? "yes" : "NO", note);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
