package org.mavlogd.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.mavlogd.report.LineTally.Found;
import org.mavlogd.report.Problem.Severity;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.fields.FieldRouter;
import org.mavlogd.report.tally.Watch;
import org.mavlogd.report.tally.Watch.Event;
import org.mavlogd.report.tally.Watch.Settings;
import org.mavlogd.report.tally.Watch.Test;
import org.mavlogd.text.Words;

/** Checks the values of a definition against its limit, and reports violations as problems. */
final class Rule {
    private final Definition definition;
    private final Settings settings;
    private final boolean isWhileArmed;
    private final LineTally<Watch> lines;

    Rule(Definition definition, FieldRouter router, BooleanSupplier isArmed) {
        this.definition = definition;
        String[] test = definition.text("test").split(" ", 2);
        settings = new Settings(
                Test.valueOf(test[0].toUpperCase(Locale.ROOT)),
                test.length < 2 ? 0 : Double.parseDouble(test[1]),
                Math.round(Double.parseDouble(definition.textOr("for", "0")) * 1e6),
                Double.parseDouble(definition.textOr("least", "-Infinity")));
        isWhileArmed = definition.textOr("when", "").equals("armed");
        lines = new LineTally<>(definition, router, () -> new Watch(settings, isWhileArmed ? isArmed : () -> true));
    }

    /** Whether only the time while the vehicle is armed counts. */
    boolean isWhileArmed() {
        return isWhileArmed;
    }

    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        for (Found<Watch> found : lines.all()) {
            List<Event> events = found.sink().events();
            for (Event event : events) {
                problems.add(problem(found.name(), event));
            }
            if (found.sink().leftOut() > 0) {
                long latestUs = events.get(events.size() - 1).toUs();
                problems.add(Problem.of(
                        definition.text("problem"),
                        Severity.WARNING,
                        latestUs,
                        OptionalLong.empty(),
                        text(found.name(), "...") + ", "
                                + Words.count(found.sink().leftOut(), "more time")));
            }
        }
        return problems;
    }

    private Problem problem(String name, Event event) {
        String unit = definition.textOr("unit", "");
        boolean hasLimit =
                settings.test() == Test.ABOVE || settings.test() == Test.BELOW || settings.test() == Test.LOST;
        return new Problem(
                definition.text("problem"),
                severity(event.value()),
                event.fromUs(),
                event.toUs() > event.fromUs() ? OptionalLong.of(event.toUs()) : OptionalLong.empty(),
                text(name, Numbers.text(event.value(), unit)),
                OptionalDouble.of(event.value()),
                hasLimit ? OptionalDouble.of(settings.limit()) : OptionalDouble.empty(),
                unit,
                definition.text("source"));
    }

    private String text(String name, String value) {
        String text = definition.text("text").replace("{value}", value);
        return text.replace("{name}", name);
    }

    private Severity severity(double value) {
        String critical = definition.textOr("critical", "");
        if (critical.isEmpty()) {
            return definition.text("severity").equals("critical") ? Severity.CRITICAL : Severity.WARNING;
        }
        double limit = Double.parseDouble(critical);
        boolean isLow = settings.test() == Test.BELOW || settings.test() == Test.LOST;
        return (isLow ? value < limit : value > limit) ? Severity.CRITICAL : Severity.WARNING;
    }
}
