package org.mavlogd.fleet;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.RecorderAddress;
import org.mavlogd.status.StatusClient;

/**
 * The permission to send, which is refused while a vehicle is armed. One thread queries the recorder; any thread may
 * read the result.
 *
 * <p>Without an answer it is unknown whether the vehicle flies: then nothing is sent, unless no recorder runs, so that
 * nothing is being recorded.
 */
final class Permission {
    /** Validity of a permission: the querying thread also looks up names and writes files, which may take long. */
    private static final int FRESH_S = 30;

    private final boolean whileArmed;
    private final Optional<StatusClient> recorder;
    private final FinishedLogs logs;
    private final LongSupplier clockNs;
    private volatile String problem = "not asked yet";
    private volatile long askedNs;

    Permission(boolean whileArmed, Optional<RecorderAddress> recorder, FinishedLogs logs, LongSupplier clockNs) {
        this.whileArmed = whileArmed;
        this.clockNs = clockNs;
        this.recorder = recorder.map(address -> new StatusClient(address.url(), address.token()));
        this.logs = logs;
    }

    /** The reason why nothing may be sent; empty if sending is permitted. */
    String problem() {
        String latest = problem;
        return latest.isEmpty() && !whileArmed && clockNs.getAsLong() - askedNs > TimeUnit.SECONDS.toNanos(FRESH_S)
                ? "it is not known whether a vehicle is armed: the recorder was not asked for " + FRESH_S + " s"
                : latest;
    }

    void look() {
        long nowNs = clockNs.getAsLong();
        String latest = whileArmed ? "" : ask();
        askedNs = nowNs;
        problem = latest;
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
