package org.mavlogd.setup;

import java.util.List;

/**
 * A problem, or a possible one.
 *
 * @param isFatal whether it prevents recording of the vehicle's log
 * @param problem in one line
 * @param remedies fixes, one line each; a command starts with "sudo"
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
