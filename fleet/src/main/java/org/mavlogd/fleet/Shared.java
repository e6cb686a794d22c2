package org.mavlogd.fleet;

import java.nio.file.Path;
import org.mavlogd.config.UploadSettings;

/** Objects that all targets share. */
record Shared(
        UploadSettings settings,
        FinishedLogs logs,
        FactsStore facts,
        Permission permission,
        Networks networks,
        RateLimit rate,
        Backoff backoff) {
    Path state() {
        return settings.stateDirectory();
    }
}
