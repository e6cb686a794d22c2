package org.mavlogd.mavlink;

import java.io.Serial;

/** A file of message definitions is unusable. */
public final class DefinitionException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final String problem;
    private final String allowed;

    /**
     * @param problem file, line and error
     * @param allowed correct input
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

    /** File, line and error. */
    public String problem() {
        return problem;
    }

    /** The correct input. */
    public String allowed() {
        return allowed;
    }
}
