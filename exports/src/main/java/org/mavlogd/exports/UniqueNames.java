package org.mavlogd.exports;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Makes the names of fields unique: a name that is taken gets a number. A log may declare any number of fields of one
 * name, so the next number of each name is remembered, and the time is proportional to the number of fields.
 */
final class UniqueNames {
    private final UnaryOperator<String> compared;
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> nextNumbers = new HashMap<>();

    /** Names that differ in case are different. */
    UniqueNames() {
        this(UnaryOperator.identity());
    }

    /** @param compared returns the same text for names that count as equal */
    UniqueNames(UnaryOperator<String> compared) {
        this.compared = compared;
    }

    /** The name, or if it is taken, {@code name_2}, {@code name_3} and so on. */
    String unique(String name) {
        if (taken.add(compared.apply(name))) {
            return name;
        }
        int number = nextNumbers.getOrDefault(compared.apply(name), 2);
        while (!taken.add(compared.apply(name + "_" + number))) {
            number++;
        }
        nextNumbers.put(compared.apply(name), number + 1);
        return name + "_" + number;
    }
}
