package org.mavlogd.app;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.cli.TerminalWidth;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.link.Link;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.LogName;
import org.mavlogd.vehicle.VehicleStatus;
import org.mavlogd.wiring.DaemonStatus;

/** The status line of {@code --live}: rewritten in place on a terminal, a new line each second elsewhere. */
final class LiveLine {
    private static final long INTERVAL_MS = 1000;
    private static final double BYTES_PER_KB = 1000;
    private static final Collector<CharSequence, ?, String> SEPARATED = Collectors.joining(" | ");

    private final DaemonStatus status;
    private final PrintWriter out;
    private final boolean isTerminal;
    private final ContainedPart part;
    private final TerminalWidth width = new TerminalWidth();
    private final Map<String, Long> lastBytes = new HashMap<>();

    /**
     * The text for one vehicle, link or part, and the name of its file, which is dropped first if the line is too long.
     */
    private record Part(String text, String file) {
        Part(String text) {
            this(text, "");
        }

        String whole() {
            return file.isEmpty() ? text : text + "  " + file;
        }
    }

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
                // Back to the first column, where a log line would begin.
                out.print("\r" + text(width.columns() - 1) + "\033[K\r");
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

    /** The line; an error in making it must not end the recording. */
    String text() {
        return text(Integer.MAX_VALUE);
    }

    /** The same with a maximum length. */
    String text(int columns) {
        return part.get(() -> fit(parts(), columns), "");
    }

    private static String fit(List<Part> parts, int columns) {
        String line = parts.stream().map(Part::whole).collect(SEPARATED);
        return line.length() <= columns
                ? line
                : TerminalWidth.fit(parts.stream().map(Part::text).collect(SEPARATED), columns);
    }

    /** Rates are those since the previous call. */
    private List<Part> parts() {
        List<VehicleStatus> vehicles = status.vehicles();
        Stream<Part> parts = vehicles.isEmpty()
                ? status.links().stream().map(LiveLine::waiting)
                : vehicles.stream().map(this::line);
        Stream<Part> own = status.recordings().stream()
                .filter(recording -> recording.systemId() == LogName.NO_SYSTEM)
                .map(recording ->
                        figures("this computer", recording, recording.figures().storedBytes()));
        Stream<Part> degraded = status.partProblems().stream().map(problem -> new Part("degraded: " + problem));
        return Stream.of(parts, own, degraded).flatMap(each -> each).toList();
    }

    private static Part waiting(Link.Status link) {
        String why = link.detail().isEmpty() ? "" : " (" + link.detail() + ")";
        return new Part("no vehicle yet on " + link.name() + " " + link.kind() + " " + link.endpoint() + why);
    }

    private Part line(VehicleStatus vehicle) {
        String head = vehicle.autopilot() + " " + vehicle.systemId() + (vehicle.armed() ? " armed" : "") + "  "
                + vehicle.state();
        for (RecordingStatus recording : status.recordings()) {
            if (recording.systemId() == vehicle.systemId() && recording.feed().equals(vehicle.link())) {
                return figures(head, recording, recording.figures().vehicleBytes());
            }
        }
        return new Part(vehicle.detail().isEmpty() ? head : head + "  " + vehicle.detail());
    }

    /** @param bytes whose rate is shown */
    private Part figures(String head, RecordingStatus recording, long bytes) {
        RecordingStatus.Figures figures = recording.figures();
        String key = recording.feed() + recording.systemId() + recording.startedEpochMs();
        Long before = lastBytes.put(key, bytes);
        double rate = before == null ? 0 : (bytes - before) / BYTES_PER_KB;
        String text = String.format(
                Locale.ROOT,
                "%s  %6.1f KB/s  %8.1f KB  lost %d",
                head,
                rate,
                bytes / BYTES_PER_KB,
                figures.lostChunks());
        String problem = recording.problem().isEmpty() ? "" : "  " + recording.problem();
        return new Part(text + problem, recording.file());
    }
}
