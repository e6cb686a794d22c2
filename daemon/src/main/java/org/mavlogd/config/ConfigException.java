package org.mavlogd.config;

import java.util.List;

/** The configuration is invalid. The message lists every problem, one a line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    // Transient, because an exception is serializable and a List need not be. It is never serialized.
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

    /** Whether the only problem is a file that cannot be read, which may be temporary. */
    public boolean isUnreadable() {
        return isUnreadable;
    }

    /** Each in the form {@code file:line:column: key: what is wrong; what is allowed}, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
