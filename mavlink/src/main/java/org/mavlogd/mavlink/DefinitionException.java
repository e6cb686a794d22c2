package org.mavlogd.mavlink;

import java.io.Serial;

/** A file of message definitions that cannot be used. */
public final class DefinitionException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final String problem;
    private final String allowed;

    /**
     * @param problem file, line and what is wrong
     * @param allowed what would be right
     */
    DefinitionException(String problem, String allowed) {
        super(problem + "; allowed: " + allowed);
        this.problem = problem;
        this.allowed = allowed;
    }

    DefinitionException(String problem, String allowed, Throwable cause) {
        this(problem, allowed);
        initCause(cause);
    }

    /** File, line and what is wrong. */
    public String problem() {
        return problem;
    }

    /** What would be right. */
    public String allowed() {
        return allowed;
    }
}
