package org.mavlogd.wiring;

import java.util.logging.Handler;
import org.mavlogd.cli.ExitCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end after a broken invariant. Files on disk stay as they are; the next start completes them. It waits for no
 * thread, because the broken one may be among them.
 */
public final class Fatal {
    private static final Logger LOG = LoggerFactory.getLogger(Fatal.class);

    private Fatal() {}

    /** Ends the process at once. */
    public static void end(String where, Throwable cause) {
        try {
            LOG.error("{}: internal error, ending", where, cause);
            for (Handler handler : java.util.logging.Logger.getLogger("").getHandlers()) {
                handler.flush();
            }
        } finally {
            Runtime.getRuntime().halt(ExitCode.SOFTWARE);
        }
    }
}
