package org.mavlogd.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.ULogException;

/** Keeps the parameters of a log by name, with their defaults and changes. */
final class ParameterTally {
    private static final int MAX_PARAMETERS = 16_384;
    private static final int MAX_CHANGES = 100_000;
    private static final int MAX_CHANGES_SHOWN = 50;
    private static final int SYSTEM = 1;
    private static final int SETUP = 2;

    /** A change for people; {@code before} is empty if unknown. */
    record Change(String name, String before, String after) {}

    /** A later value; its message has no time, so it gets that of the newest sample before it. */
    record TimedValue(long timestampUs, Parameter parameter) {}

    /** The values of one parameter in a log. */
    static final class Entry {
        private final List<TimedValue> changes = new ArrayList<>();
        private @Nullable Parameter initial;
        private @Nullable Parameter latest;
        private @Nullable Parameter systemDefault;
        private @Nullable Parameter setupDefault;

        /** The value at the start of the log, or else the first one in it. */
        Parameter value() {
            if (initial != null) {
                return initial;
            }
            return changes.get(0).parameter();
        }

        List<TimedValue> changes() {
            return changes;
        }

        /**
         * The default of the vehicle's configuration, or else of all systems of its kind; empty if the log has neither.
         */
        Optional<Parameter> defaultValue() {
            return Optional.ofNullable(setupDefault).or(() -> Optional.ofNullable(systemDefault));
        }

        /** Whether the log has a default that differs from the value. PX4 logs a default only then. */
        boolean isNonDefault() {
            return defaultValue().filter(other -> !isSame(other, value())).isPresent();
        }

        private boolean hasValue() {
            return initial != null || !changes.isEmpty();
        }
    }

    private final SortedMap<String, Entry> entries = new TreeMap<>();
    private final List<Change> shown = new ArrayList<>();
    private long changeCount;

    void onParameter(Parameter parameter, boolean change, long timestampUs) throws ULogException {
        Entry entry = entry(parameter);
        if (change) {
            onChange(entry, parameter, timestampUs);
        } else {
            entry.initial = parameter;
        }
        entry.latest = parameter;
    }

    private void onChange(Entry entry, Parameter parameter, long timestampUs) throws ULogException {
        changeCount++;
        if (changeCount > MAX_CHANGES) {
            throw new ULogException("more than " + MAX_CHANGES + " changes of parameters");
        }
        if (shown.size() < MAX_CHANGES_SHOWN) {
            shown.add(new Change(parameter.name(), entry.latest == null ? "" : text(entry.latest), text(parameter)));
        }
        entry.changes.add(new TimedValue(timestampUs, parameter));
    }

    void onDefault(Parameter parameter, int types) throws ULogException {
        Entry entry = entry(parameter);
        if ((types & SYSTEM) != 0) {
            entry.systemDefault = parameter;
        }
        if ((types & SETUP) != 0) {
            entry.setupDefault = parameter;
        }
    }

    private Entry entry(Parameter parameter) throws ULogException {
        Entry entry = entries.computeIfAbsent(parameter.name(), name -> new Entry());
        if (entries.size() > MAX_PARAMETERS) {
            throw new ULogException("more than " + MAX_PARAMETERS + " parameters");
        }
        return entry;
    }

    /** The parameters with a value, by name. */
    SortedMap<String, Entry> entries() {
        SortedMap<String, Entry> withValue = new TreeMap<>(entries);
        withValue.values().removeIf(entry -> !entry.hasValue());
        return withValue;
    }

    int count() {
        return count(entry -> entry.initial != null);
    }

    long changeCount() {
        return changeCount;
    }

    /** The first changes. */
    List<Change> changes() {
        return shown;
    }

    /** Number of parameters that differ from their default, if the log has it. */
    int nonDefaultCount() {
        return count(entry -> entry.hasValue() && entry.isNonDefault());
    }

    /** The first value of a parameter; empty if the log lacks it. */
    Optional<Parameter> value(String name) {
        Entry entry = entries.get(name);
        return entry == null || !entry.hasValue() ? Optional.empty() : Optional.of(entry.value());
    }

    int systemDefaultCount() {
        return count(entry -> entry.systemDefault != null);
    }

    int setupDefaultCount() {
        return count(entry -> entry.setupDefault != null);
    }

    /** Number of parameters with a default of either kind. */
    int defaultCount() {
        return count(entry -> entry.systemDefault != null || entry.setupDefault != null);
    }

    private int count(Predicate<Entry> wanted) {
        return (int) entries.values().stream().filter(wanted).count();
    }

    static boolean isSame(Parameter one, Parameter other) {
        // Not by bits: 0 and -0 are equal, and so are an integer and a float with the same value.
        return one.value() == other.value() || (Double.isNaN(one.value()) && Double.isNaN(other.value()));
    }

    static String text(Parameter parameter) {
        return parameter.type() == FieldType.INT32
                ? Integer.toString(parameter.bits())
                : Float.toString(Float.intBitsToFloat(parameter.bits()));
    }
}
