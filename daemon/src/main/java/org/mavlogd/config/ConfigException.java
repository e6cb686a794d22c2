package org.mavlogd.config;

import java.util.List;

/** The configuration cannot be used. The message lists every problem, one a line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    // Transient, because an exception is serializable by heritage and a List need not be. Nobody serializes this one.
    private final transient List<String> problems;

    private final boolean isUnreadable;

    ConfigException(List<String> problems) {
        this(problems, false);
    }

    ConfigException(List<String> problems, boolean isUnreadable) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
        this.isUnreadable = isUnreadable;
    }

    /** Whether nothing is known to be wrong but that a file cannot be read, which may pass. */
    public boolean isUnreadable() {
        return isUnreadable;
    }

    /** Each as {@code file:line:column: key: what is wrong; what is allowed}, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
