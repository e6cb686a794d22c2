package org.mavlogd.setup;

import java.util.List;

/**
 * Something that is wrong, or may be.
 *
 * @param isFatal whether the vehicle's log cannot be recorded like this
 * @param problem in one line
 * @param remedies what to do, one line each; a command begins with "sudo"
 */
public record Finding(boolean isFatal, String problem, List<String> remedies) {
    public Finding {
        remedies = List.copyOf(remedies);
    }

    static Finding fatal(String problem, String... remedies) {
        return new Finding(true, problem, List.of(remedies));
    }

    static Finding warning(String problem, String... remedies) {
        return new Finding(false, problem, List.of(remedies));
    }
}
