package org.mavlogd.wiring;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.mavlogd.cli.Version;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.forward.ForwardStatus;
import org.mavlogd.link.Link;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.Keeper;
import org.mavlogd.time.ClockState;
import org.mavlogd.vehicle.VehicleStatus;

/** The status as one JSON document. */
final class StatusJson {
    private static final double MS_PER_S = 1000;

    private StatusJson() {}

    static String of(DaemonStatus status) {
        return JsonDocument.of(json -> {
            json.writeStringField("version", Version.text());
            json.writeNumberField("uptime_s", status.uptimeS());
            signing(json, status);
            links(json, status);
            forwarding(json, status);
            vehicles(json, status);
            recordings(json, status);
            finished(json, status);
            disk(json, status);
            status.uploads().write(json);
            memory(json, status.memory());
            parts(json, status);
        });
    }

    static void signing(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeObjectFieldStart("signing");
        json.writeStringField("policy", status.signingState());
        json.writeStringField("problem", status.signingProblem().orElse(""));
        json.writeEndObject();
    }

    static void disk(JsonGenerator json, DaemonStatus status) throws IOException {
        Keeper.SpaceStatus space = status.space();
        json.writeObjectFieldStart("disk");
        json.writeStringField("directory", status.directory());
        long usableBytes = status.usableBytes();
        if (usableBytes == Long.MAX_VALUE) {
            json.writeNullField("usable_bytes");
        } else {
            json.writeNumberField("usable_bytes", usableBytes);
        }
        json.writeStringField("state", lower(space.state().name()));
        json.writeStringField("problem", space.problem());
        json.writeNumberField("deleted_files", status.storeCounters().deletedFiles());
        json.writeNumberField("deleted_bytes", status.storeCounters().deletedBytes());
        json.writeNumberField("pauses", space.pauses());
        json.writeNumberField("unread_logs", status.unreadLogs());
        json.writeEndObject();
    }

    static void memory(JsonGenerator json, MemoryBudget memory) throws IOException {
        json.writeObjectFieldStart("memory");
        json.writeNumberField("budget_bytes", memory.bytes());
        json.writeNumberField("used_bytes", memory.used());
        json.writeObjectFieldStart("requesters");
        for (MemoryBudget.Part part : memory.parts()) {
            json.writeObjectFieldStart(part.requester().tag());
            json.writeNumberField("limit_bytes", part.limit());
            json.writeNumberField("used_bytes", part.used());
            json.writeNumberField("refused", part.refused());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    static void links(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("links");
        for (Link.Status link : status.links()) {
            json.writeStartObject();
            json.writeStringField("name", link.name());
            json.writeStringField("type", link.kind());
            json.writeStringField("endpoint", link.endpoint());
            json.writeStringField("state", lower(link.state().name()));
            json.writeStringField("detail", link.detail());
            json.writeNumberField("peers", link.peers());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** One object for each link that forwards, with one for each of its far ends. */
    static void forwarding(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("forwarding");
        for (ForwardStatus link : status.forwarding()) {
            json.writeStartObject();
            json.writeStringField("link", link.link());
            frames(json, link.frames());
            json.writeArrayFieldStart("endpoints");
            for (ForwardStatus.Endpoint endpoint : link.endpoints()) {
                json.writeStartObject();
                json.writeStringField("address", endpoint.address());
                frames(json, endpoint.frames());
                json.writeArrayFieldStart("systems");
                for (int system : endpoint.systems()) {
                    json.writeNumber(system);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void frames(JsonGenerator json, ForwardStatus.Frames frames) throws IOException {
        json.writeNumberField("received_frames", frames.received());
        json.writeNumberField("queued_frames", frames.queued());
        json.writeNumberField("sent_frames", frames.sent());
        json.writeObjectFieldStart("dropped_frames");
        for (Map.Entry<String, Long> cause : frames.dropped().entrySet()) {
            json.writeNumberField(cause.getKey(), cause.getValue());
        }
        json.writeEndObject();
    }

    private static void vehicles(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("vehicles");
        for (VehicleStatus vehicle : status.vehicles()) {
            json.writeStartObject();
            json.writeStringField("link", vehicle.link());
            json.writeStringField("peer", vehicle.peer());
            json.writeNumberField("system_id", vehicle.systemId());
            json.writeNumberField("component_id", vehicle.componentId());
            json.writeStringField("autopilot", vehicle.autopilot());
            json.writeBooleanField("armed", vehicle.armed());
            json.writeNumberField("heard_ms_ago", vehicle.heardMs());
            json.writeStringField("state", vehicle.state());
            json.writeStringField("detail", vehicle.detail());
            json.writeBooleanField("signed", vehicle.signed());
            json.writeNumberField("foreign_frames", vehicle.foreignFrames());
            clock(json, vehicle.clock());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void clock(JsonGenerator json, ClockState clock) throws IOException {
        json.writeObjectFieldStart("clock");
        json.writeStringField("source", clock.source().text());
        json.writeNumberField("offset_us", clock.offsetUs());
        milliseconds(json, "error_bound_ms", clock.errorBoundS());
        milliseconds(json, "round_trip_ms", clock.roundTripS());
        json.writeNumberField("drift_ppm", clock.driftPpm());
        json.writeNumberField("samples", clock.samples());
        json.writeNumberField("jumps", clock.jumps());
        json.writeNumberField("reboots", clock.reboots());
        json.writeEndObject();
    }

    /** An unknown number is null, because JSON has neither NaN nor infinity. */
    private static void milliseconds(JsonGenerator json, String field, double seconds) throws IOException {
        if (Double.isFinite(seconds)) {
            json.writeNumberField(field, seconds * MS_PER_S);
        } else {
            json.writeNullField(field);
        }
    }

    /** A flight is one element, also if it is recorded in a {@code .bin} and a {@code .ulg}. */
    private static void recordings(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("recordings");
        for (List<RecordingStatus> log : status.growingLogs()) {
            RecordingStatus first = log.get(0);
            json.writeStartObject();
            json.writeStringField("link", first.feed());
            json.writeNumberField("system_id", first.systemId());
            json.writeNumberField("component_id", first.componentId());
            json.writeNumberField("started_epoch_ms", first.startedEpochMs());
            json.writeNumberField("duration_ms", first.durationMs());
            file(json, first);
            json.writeArrayFieldStart("beside");
            for (RecordingStatus other : log.subList(1, log.size())) {
                json.writeStartObject();
                file(json, other);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void file(JsonGenerator json, RecordingStatus recording) throws IOException {
        RecordingStatus.Figures figures = recording.figures();
        json.writeStringField("file", recording.file());
        json.writeStringField("growing_file", recording.growingFile());
        json.writeNumberField("part", recording.part());
        json.writeNumberField("unforced_ms", recording.unforcedMs());
        json.writeNumberField("longest_unforced_ms", recording.longestUnforcedMs());
        json.writeNumberField("stored_bytes", figures.storedBytes());
        json.writeNumberField("stored_messages", figures.storedMessages());
        json.writeNumberField("chunks", figures.chunks());
        json.writeObjectFieldStart("lost_chunks");
        json.writeNumberField("link", figures.linkLostChunks());
        json.writeNumberField("vehicle", figures.vehicleLostChunks());
        json.writeNumberField("ring", figures.ringLostChunks());
        json.writeNumberField("restart", figures.restartLostChunks());
        json.writeEndObject();
        json.writeNumberField("vehicle_dropped_messages", figures.droppedMessages());
        json.writeNumberField("late_chunks", figures.lateChunks());
        json.writeNumberField("discarded_bytes", figures.discardedBytes());
        json.writeNumberField("disk_lost_bytes", figures.diskLostBytes());
        json.writeNumberField("space_lost_bytes", figures.spaceLostBytes());
        json.writeNumberField("limit_lost_bytes", figures.limitLostBytes());
        json.writeNumberField("dropouts", figures.dropouts());
        json.writeNumberField("dropout_ms", figures.dropoutMs());
        json.writeBooleanField("lacks_memory", recording.lacksMemory());
        json.writeStringField("problem", recording.problem());
    }

    static void finished(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("finished");
        for (FinishedLogs.Log log : status.finishedLogs()) {
            json.writeStartObject();
            json.writeStringField("file", log.file());
            json.writeNumberField("bytes", log.bytes());
            json.writeNumberField("files", log.files());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Parts that run and never had an error are left out. */
    static void parts(JsonGenerator json, DaemonStatus status) throws IOException {
        json.writeArrayFieldStart("parts");
        for (ContainedPart.Status part : status.parts()) {
            if (part.errors() > 0 || part.state() != ContainedPart.Status.State.RUNNING) {
                json.writeStartObject();
                json.writeStringField("part", part.part());
                json.writeStringField("state", lower(part.state().name()));
                json.writeNumberField("errors", part.errors());
                json.writeStringField("last_error", part.lastError());
                json.writeNumberField("pause_ms", part.pauseMs());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static String lower(String name) {
        return name.toLowerCase(java.util.Locale.ROOT);
    }
}
