package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Containment;
import org.mavlogd.forward.ForwardStatus;
import org.mavlogd.link.Link;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.vehicle.VehicleStatus;

/**
 * The status of the daemon for the status pages, the metrics, and the line of {@code --live}. Any thread.
 *
 * @param hanging which vital thread makes no progress, for people; empty while all do
 * @param uptimeSeconds since the start
 */
public record DaemonStatus(
        VehicleLinks vehicleLinks,
        Recorder recorder,
        Storage storage,
        Optional<Signing> signing,
        MemoryBudget memory,
        Containment containment,
        UploadProgress uploads,
        Supplier<String> hanging,
        LongSupplier uptimeSeconds) {

    void addGauges(Metrics metrics) {
        vehicleLinks.addGauges();
        memory.addGauges(metrics);
        new StatusMetrics(this, metrics).register();
    }

    /** The contained parts. */
    List<ContainedPart.Status> parts() {
        return containment.statuses();
    }

    /** One line for each part that does not run. */
    public List<String> partProblems() {
        return containment.problems();
    }

    public List<Link.Status> links() {
        return vehicleLinks.statuses();
    }

    /** Of links that forward. */
    List<ForwardStatus> forwarding() {
        return vehicleLinks.forwarding();
    }

    public List<VehicleStatus> vehicles() {
        return vehicleLinks.vehicles();
    }

    /** The problem with signing, for people; empty if signing is off or there is none. */
    Optional<String> signingProblem() {
        List<String> problems = new ArrayList<>(vehicleLinks.refusals());
        signing.map(parts -> parts.agent().problem())
                .filter(problem -> !problem.isEmpty())
                .ifPresent(problems::add);
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", problems));
    }

    /** All problems, a line each; none while everything that should be recorded is recorded. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        add(problems, "", hanging.get());
        problems.addAll(vehicleLinks.problems());
        add(problems, "disk: ", space().problem());
        for (RecordingStatus recording : recordings()) {
            add(problems, "vehicle " + recording.systemId() + ": ", recording.problem());
        }
        for (VehicleStatus vehicle : vehicles()) {
            add(problems, "vehicle " + vehicle.systemId() + " on " + vehicle.link() + ": ", vehicle.detail());
        }
        problems.addAll(vehicleLinks.crowds());
        signingProblem().ifPresent(problems::add);
        problems.addAll(partProblems());
        return problems;
    }

    private static void add(List<String> problems, String whose, String problem) {
        if (!problem.isEmpty()) {
            problems.add(whose + problem);
        }
    }

    /** The policy, or "off". */
    String signingState() {
        return signing.map(parts -> parts.policy().name().toLowerCase(Locale.ROOT))
                .orElse("off");
    }

    public List<RecordingStatus> recordings() {
        return recorder.statuses();
    }

    /**
     * The logs that are being written, each with the recordings of its files: for an ArduPilot first that of the
     * {@code .bin}, last that of the {@code .tlog}.
     */
    List<List<RecordingStatus>> growingLogs() {
        List<List<RecordingStatus>> logs = new ArrayList<>();
        for (RecordingStatus recording : recordings()) {
            List<RecordingStatus> last = logs.isEmpty() ? List.of() : logs.get(logs.size() - 1);
            boolean isULogOfBlocks =
                    last.size() == 1 && last.get(0).kind() == LogKind.BIN && recording.kind() == LogKind.ULG;
            boolean isBeside = !last.isEmpty()
                    && (isULogOfBlocks || recording.kind() == LogKind.TLOG)
                    && last.get(0).source().equals(recording.source());
            if (isBeside) {
                last.add(recording);
            } else {
                logs.add(new ArrayList<>(List.of(recording)));
            }
        }
        return logs;
    }

    public List<FinishedLogs.Log> finishedLogs() {
        return storage.finished().newest();
    }

    String directory() {
        return storage.disk().location();
    }

    /** The last measurement of the keeper; {@link Long#MAX_VALUE} if the disk does not report it. */
    long usableBytes() {
        return space().usableBytes();
    }

    /** The disk as the keeper last saw it. */
    Keeper.SpaceStatus space() {
        return storage.keeper().spaceStatus();
    }

    StoreCounters storeCounters() {
        return storage.counters();
    }

    /** Unfinished logs of earlier runs that this run set aside without reading. */
    long unreadLogs() {
        return storage.recovery().unreadLogs();
    }

    long uptimeS() {
        return uptimeSeconds.getAsLong();
    }
}
