package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.mavlogd.config.UploadTarget;

/** Creates targets from their settings. */
public final class Targets {
    private static final long STALL_NS = TimeUnit.SECONDS.toNanos(120);
    /** Flight Review reads the complete log before it answers. */
    private static final long REVIEW_NS = TimeUnit.SECONDS.toNanos(600);

    private Targets() {}

    /** Opens a target; connects to nothing yet. */
    public static Target open(UploadTarget settings) throws IOException {
        return switch (settings.type()) {
            case S3 -> new S3Target(settings, STALL_NS);
            case PUT -> new PutTarget(settings, new HttpSender(settings, STALL_NS));
            case TUS -> new TusTarget(settings, new HttpSender(settings, STALL_NS));
            case FLIGHT_REVIEW -> new FlightReviewTarget(settings, new HttpSender(settings, REVIEW_NS));
            case COMMAND -> new CommandTarget(settings);
        };
    }
}
