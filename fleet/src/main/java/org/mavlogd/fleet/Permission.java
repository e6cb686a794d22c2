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
 * The permission to send, which is refused while a vehicle is armed. One thread asks the recorder; any may read the answer.
 *
 * <p>Without an answer it is not known whether the vehicle flies: then nothing is sent, unless no recorder runs and so
 * nothing is recorded either.
 */
final class Permission {
    /** So long a permission holds: the thread that asks also looks names up and writes files, which may take long. */
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

    /** Why nothing may be sent; empty if it may. */
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
