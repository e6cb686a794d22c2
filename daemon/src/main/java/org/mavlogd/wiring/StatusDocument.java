package org.mavlogd.wiring;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;
import org.mavlogd.cli.Version;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.LogName;
import org.mavlogd.vehicle.VehicleStatus;

/**
 * The status for programs, with a schema that is documented in {@code docs/monitoring.md}: fields are added, never
 * renamed or removed, while {@link #SCHEMA} stays the same. States are words of closed lists; times are given as ISO
 * 8601 in UTC and as milliseconds since 1970.
 */
final class StatusDocument {
    static final int SCHEMA = 1;

    private StatusDocument() {}

    static String of(DaemonStatus status) {
        return of(status, SystemEpochClock.INSTANCE);
    }

    static String of(DaemonStatus status, EpochClock clock) {
        return JsonDocument.of(json -> {
            long nowMs = clock.time();
            json.writeNumberField("schema", SCHEMA);
            json.writeStringField("version", Version.text());
            time(json, "time", nowMs);
            time(json, "started", nowMs - status.uptimeS() * 1000);
            json.writeNumberField("uptime_s", status.uptimeS());
            problems(json, status.problems());
            StatusJson.signing(json, status);
            StatusJson.links(json, status);
            StatusJson.forwarding(json, status);
            vehicles(json, status, nowMs);
            recordings(json, status);
            StatusJson.finished(json, status);
            StatusJson.disk(json, status);
            status.uploads().write(json);
            StatusJson.memory(json, status.memory());
            StatusJson.parts(json, status);
        });
    }

    private static void problems(JsonGenerator json, List<String> problems) throws IOException {
        json.writeStringField("health", problems.isEmpty() ? "ok" : "problem");
        json.writeArrayFieldStart("problems");
        for (String problem : problems) {
            json.writeString(problem);
        }
        json.writeEndArray();
    }

    private static void time(JsonGenerator json, String field, long epochMs) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("iso", Instant.ofEpochMilli(epochMs).toString());
        json.writeNumberField("epoch_ms", epochMs);
        json.writeEndObject();
    }

    private static void vehicles(JsonGenerator json, DaemonStatus status, long nowMs) throws IOException {
        json.writeArrayFieldStart("vehicles");
        for (VehicleStatus vehicle : status.vehicles()) {
            json.writeStartObject();
            json.writeStringField("link", vehicle.link());
            json.writeStringField("peer", vehicle.peer());
            json.writeNumberField("system_id", vehicle.systemId());
            json.writeNumberField("component_id", vehicle.componentId());
            json.writeStringField("autopilot", vehicle.autopilot());
            json.writeBooleanField("armed", vehicle.armed());
            json.writeStringField("state", vehicle.phase().name().toLowerCase(Locale.ROOT));
            json.writeStringField("state_text", vehicle.state());
            json.writeStringField("detail", vehicle.detail());
            time(json, "last_heard", nowMs - vehicle.heardMs());
            json.writeNumberField("last_heard_age_ms", vehicle.heardMs());
            json.writeBooleanField("signed", vehicle.signed());
            json.writeNumberField("foreign_frames", vehicle.foreignFrames());
            StatusJson.clock(json, vehicle.clock());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void recordings(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("recordings");
        for (List<RecordingStatus> log : status.growingLogs()) {
            RecordingStatus first = log.get(0);
            boolean isVehicle = first.systemId() != LogName.NO_SYSTEM;
            json.writeStartObject();
            json.writeStringField("source", isVehicle ? "vehicle" : "computer");
            json.writeStringField("link", first.feed());
            if (isVehicle) {
                json.writeNumberField("system_id", first.systemId());
                json.writeNumberField("component_id", first.componentId());
            }
            time(json, "started", first.startedEpochMs());
            json.writeNumberField("duration_ms", first.durationMs());
            json.writeArrayFieldStart("files");
            for (RecordingStatus file : log) {
                json.writeStartObject();
                json.writeStringField("kind", file.kind().name().toLowerCase(Locale.ROOT));
                StatusJson.file(json, file);
                json.writeNumberField("duration_ms", file.durationMs());
                json.writeNumberField("vehicle_bytes", file.figures().vehicleBytes());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
