package org.mavlogd.wiring;

import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process after an internal error. Files on disk stay as they are; the next start completes them. It waits for
 * no thread, because the failed one may be among them.
 */
public final class Fatal {
    private static final Logger LOG = LoggerFactory.getLogger(Fatal.class);

    private Fatal() {}

    /** Ends the process at once. */
    public static void end(String where, Throwable cause) {
        try {
            LOG.error("{}: internal error, ending", where, cause);
            LoggingSetup.flush();
        } finally {
            Runtime.getRuntime().halt(ExitCode.SOFTWARE);
        }
    }
}
