package org.mavlogd.config;

import java.util.List;

/** The configuration cannot be used. The message lists every problem, one a line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    // Transient, because an exception is serializable by heritage and a List need not be. Nobody serializes this one.
    private final transient List<String> problems;

    ConfigException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each as {@code file:line:column: key: what is wrong; what is allowed}, in the order of the file. */
    public List<String> problems() {
        return problems;
    }
}
