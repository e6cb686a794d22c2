package org.mavlogd.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.fields.Definitions.Line;
import org.mavlogd.report.fields.Expression;
import org.mavlogd.report.fields.FieldRouter;
import org.mavlogd.report.fields.ValueSink;
import org.mavlogd.text.Words;

/** Collects the lines of one plot: every line, alternative and instance that the log has. */
final class LineTally<S extends ValueSink> {
    private static final int MAX_LABEL = 40;

    /** The values of one instance; its name is that of the line, with the instance if there are several. */
    record Found<S>(String name, String field, boolean isContext, S sink) {}

    /** One alternative with its instances. */
    private record Alternative<S extends ValueSink>(
            Line line, Expression expression, SortedMap<Integer, Labelled<S>> instances) {
        S open(int id, String label, S sink) {
            instances.put(id, new Labelled<>(label, sink));
            return sink;
        }
    }

    private record Labelled<S>(String label, S sink) {}

    private final Definition definition;
    private final List<List<Alternative<S>>> lines = new ArrayList<>();

    LineTally(Definition definition, FieldRouter router, Supplier<S> sinks) {
        this.definition = definition;
        for (Line line : definition.lines()) {
            List<Alternative<S>> alternatives = new ArrayList<>();
            for (Expression expression : line.alternatives()) {
                Alternative<S> alternative = new Alternative<>(line, expression, new TreeMap<>());
                alternatives.add(alternative);
                router.want(expression, (id, label) -> alternative.open(id, label, sinks.get()));
            }
            lines.add(alternatives);
        }
    }

    Definition definition() {
        return definition;
    }

    /** The first alternative of each line that the log has; none if there is only context. */
    List<Found<S>> firsts(Predicate<S> hasValues) {
        List<Found<S>> found = new ArrayList<>();
        for (List<Alternative<S>> alternatives : lines) {
            alternatives.stream()
                    .map(alternative -> found(alternative, hasValues))
                    .filter(instances -> !instances.isEmpty())
                    .findFirst()
                    .ifPresent(found::addAll);
        }
        return found.stream().allMatch(Found::isContext) ? List.of() : found;
    }

    /** All alternatives of each line. */
    List<Found<S>> all() {
        return lines.stream()
                .flatMap(List::stream)
                .flatMap(alternative -> found(alternative, sink -> true).stream())
                .toList();
    }

    private List<Found<S>> found(Alternative<S> alternative, Predicate<S> hasValues) {
        List<Found<S>> found = new ArrayList<>();
        alternative.instances.forEach((id, labelled) -> {
            if (hasValues.test(labelled.sink)) {
                found.add(new Found<>(
                        name(alternative, id, labelled.label),
                        alternative.expression.field(id),
                        alternative.line.isContext(),
                        labelled.sink));
            }
        });
        return found;
    }

    private String name(Alternative<S> alternative, int id, String label) {
        String name = alternative.line.name();
        if (!label.isEmpty()) {
            return Words.line(name.isEmpty() ? label : name + " " + label, MAX_LABEL);
        }
        return alternative.instances.size() < 2 ? name : (name + " " + (id + 1)).strip();
    }
}
