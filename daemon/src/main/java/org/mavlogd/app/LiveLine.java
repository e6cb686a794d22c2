package org.mavlogd.app;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.link.Link;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.LogName;
import org.mavlogd.vehicle.VehicleStatus;
import org.mavlogd.wiring.DaemonStatus;

/** One line that tells how recording goes: rewritten in place on a terminal, a new line each second elsewhere. */
final class LiveLine {
    private static final long INTERVAL_MS = 1000;
    private static final double BYTES_PER_KB = 1000;

    private final DaemonStatus status;
    private final PrintWriter out;
    private final boolean isTerminal;
    private final ContainedPart part;
    private final Map<String, Long> lastBytes = new HashMap<>();

    LiveLine(DaemonStatus status, PrintWriter out, boolean isTerminal, ContainedPart part) {
        this.part = part;
        this.status = status;
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Shows the line each second until the latch opens. */
    void showUntil(CountDownLatch end) throws InterruptedException {
        while (!end.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
            if (isTerminal) {
                // Back to the first column, so that a log line begins there.
                out.print("\r" + text() + "\033[K\r");
            } else {
                out.println(text());
            }
            out.flush();
        }
        if (isTerminal) {
            out.print("\033[K");
            out.flush();
        }
    }

    /** A line that cannot be made must not end the recording. */
    String text() {
        return part.get(this::whole, "");
    }

    /** The rates are those since the call before. */
    private String whole() {
        List<VehicleStatus> vehicles = status.vehicles();
        Stream<String> parts = vehicles.isEmpty()
                ? status.links().stream().map(LiveLine::waiting)
                : vehicles.stream().map(this::line);
        Stream<String> own = status.recordings().stream()
                .filter(recording -> recording.systemId() == LogName.NO_SYSTEM)
                .map(recording ->
                        "this computer" + figures(recording, recording.figures().storedBytes()));
        Stream<String> degraded = status.partProblems().stream().map(problem -> "degraded: " + problem);
        return Stream.of(parts, own, degraded).flatMap(each -> each).collect(Collectors.joining(" | "));
    }

    private static String waiting(Link.Status link) {
        String why = link.detail().isEmpty() ? "" : " (" + link.detail() + ")";
        return "no vehicle yet on " + link.name() + " " + link.kind() + " " + link.endpoint() + why;
    }

    private String line(VehicleStatus vehicle) {
        String head = vehicle.autopilot() + " " + vehicle.systemId() + (vehicle.armed() ? " armed" : "") + "  "
                + vehicle.state();
        for (RecordingStatus recording : status.recordings()) {
            if (recording.systemId() == vehicle.systemId() && recording.feed().equals(vehicle.link())) {
                return head + figures(recording, recording.figures().vehicleBytes());
            }
        }
        return vehicle.detail().isEmpty() ? head : head + "  " + vehicle.detail();
    }

    /** @param bytes those of which the rate is shown */
    private String figures(RecordingStatus recording, long bytes) {
        RecordingStatus.Figures figures = recording.figures();
        String key = recording.feed() + recording.systemId() + recording.startedEpochMs();
        Long before = lastBytes.put(key, bytes);
        double rate = before == null ? 0 : (bytes - before) / BYTES_PER_KB;
        return String.format(
                Locale.ROOT,
                "  %6.1f KB/s  %8.1f KB  lost %d  %s%s",
                rate,
                bytes / BYTES_PER_KB,
                figures.lostChunks(),
                recording.file(),
                recording.problem().isEmpty() ? "" : "  " + recording.problem());
    }
}
