package org.mavlogd.migrate;

import java.util.List;

/** A configuration of another program that cannot be translated, with all reasons. */
public final class ForeignConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    ForeignConfigException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** The problems, one line each: place, value and allowed values. */
    public List<String> problems() {
        return problems;
    }
}
