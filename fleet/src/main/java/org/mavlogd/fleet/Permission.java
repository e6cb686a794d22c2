package org.mavlogd.fleet;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.RecorderAddress;
import org.mavlogd.status.StatusClient;

/**
 * The permission to send, which is refused while a vehicle is armed. One thread asks the recorder; any may read the answer.
 *
 * <p>Without an answer it is not known whether the vehicle flies: then nothing is sent, unless no recorder runs and so
 * nothing is recorded either.
 */
final class Permission {
    private final boolean whileArmed;
    private final Optional<StatusClient> recorder;
    private final FinishedLogs logs;
    private volatile String problem = "not asked yet";

    Permission(boolean whileArmed, Optional<RecorderAddress> recorder, FinishedLogs logs) {
        this.whileArmed = whileArmed;
        this.recorder = recorder.map(address -> new StatusClient(address.url(), address.token()));
        this.logs = logs;
    }

    /** Why nothing may be sent; empty if it may. */
    String problem() {
        return problem;
    }

    void look() {
        problem = whileArmed ? "" : ask();
    }

    private String ask() {
        try {
            if (recorder.isEmpty()) {
                return logs.isRecording()
                        ? "a log is being recorded, and [http] is off, so it is not known whether a vehicle is armed"
                        : "";
            }
            return armed(StatusClient.parse(recorder.get().ask()));
        } catch (IOException e) {
            return isNobodyThere(e)
                    ? whenNobodyThere()
                    : "it is not known whether a vehicle is armed: " + e.getMessage();
        }
    }

    private static boolean isNobodyThere(IOException e) {
        return e instanceof ConnectException || e.getCause() instanceof ConnectException;
    }

    private String whenNobodyThere() {
        try {
            return logs.isRecording() ? "a log is being recorded by a recorder that does not answer" : "";
        } catch (IOException e) {
            return "the log directory cannot be read: " + e.getMessage();
        }
    }

    private static String armed(Map<String, @Nullable Object> status) {
        if (!(status.get("vehicles") instanceof List<?> vehicles)) {
            return "the recorder's status does not list vehicles";
        }
        for (Object vehicle : vehicles) {
            if (vehicle instanceof Map<?, ?> fields && Boolean.TRUE.equals(fields.get("armed"))) {
                return "vehicle " + fields.get("system_id") + " is armed";
            }
        }
        return "";
    }
}
