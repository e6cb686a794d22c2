package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.ULogException;

/** Counts parameters by name, and keeps the first changes. */
final class ParameterTally {
    private static final int MAX_PARAMETERS = 16_384;
    private static final int MAX_CHANGES_KEPT = 50;
    private static final int SYSTEM = 1;
    private static final int SETUP = 2;

    /** A change as people read it; {@code before} is empty if the log does not say. */
    record Change(String name, String before, String after) {}

    private final Map<String, Parameter> values = new HashMap<>();
    private final Set<String> initial = new HashSet<>();
    private final Set<String> systemDefaults = new HashSet<>();
    private final Set<String> setupDefaults = new HashSet<>();
    private final List<Change> changes = new ArrayList<>();
    private long changeCount;

    void onParameter(Parameter parameter, boolean change) throws ULogException {
        Parameter before = values.put(parameter.name(), parameter);
        if (!change) {
            initial.add(parameter.name());
        } else {
            changeCount++;
            if (changes.size() < MAX_CHANGES_KEPT) {
                changes.add(new Change(parameter.name(), before == null ? "" : text(before), text(parameter)));
            }
        }
        if (values.size() > MAX_PARAMETERS) {
            throw new ULogException("more than " + MAX_PARAMETERS + " parameters");
        }
    }

    void onDefault(Parameter parameter, int types) throws ULogException {
        if ((types & SYSTEM) != 0) {
            systemDefaults.add(parameter.name());
        }
        if ((types & SETUP) != 0) {
            setupDefaults.add(parameter.name());
        }
        if (systemDefaults.size() + setupDefaults.size() > 2 * MAX_PARAMETERS) {
            throw new ULogException("more than " + MAX_PARAMETERS + " default parameters");
        }
    }

    int count() {
        return initial.size();
    }

    long changeCount() {
        return changeCount;
    }

    /** The first of them. */
    List<Change> changes() {
        return changes;
    }

    int systemDefaultCount() {
        return systemDefaults.size();
    }

    int setupDefaultCount() {
        return setupDefaults.size();
    }

    /** Parameters of which the log has a default of either kind. */
    int defaultCount() {
        Set<String> either = new HashSet<>(systemDefaults);
        either.addAll(setupDefaults);
        return either.size();
    }

    private static String text(Parameter parameter) {
        return parameter.type() == FieldType.INT32
                ? Integer.toString(parameter.bits())
                : Float.toString(Float.intBitsToFloat(parameter.bits()));
    }
}
