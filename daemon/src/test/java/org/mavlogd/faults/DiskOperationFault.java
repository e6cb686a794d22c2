package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.mavlogd.faults.FailingDisk.Kind;
import org.mavlogd.simulate.LogImage;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.Px4Settings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.vehicle.RecordingMode;
import org.mavlogd.whole.LogContent;
import org.mavlogd.whole.SimulatedFlight;
import org.mavlogd.whole.StreamTruth;
import org.mavlogd.whole.SyntheticLog;
import org.mavlogd.whole.WholeRecorder;

/**
 * The n-th operation on the disk fails, for every n of a flight, once and for ever. No crash, no wrong file, an alarm within
 * a second, what is missing is counted, and after a single failure the recording goes on in a new file.
 */
final class DiskOperationFault implements Fault {
    private static final int RATE = 40_000;
    private static final long ALARM_NS = SECOND_NS;
    private static final long BACK_NS = 2 * SECOND_NS;
    // A batch as old as it gets, and a second until the disk is tried again.
    private static final long MAX_MISSING_BYTES = RATE * 3 / 2;
    private static final int MAX_FILES = 12;
    // A question that is not answered once is asked again, and nothing is lost: that is no alarm.
    static final Set<String> QUESTIONS = Set.of("usableBytes", "totalBytes", "list", "peek", "open", "read");

    private int flights;
    private long slowestAlarmNs;
    private long mostMissingBytes;

    @Override
    public String name() {
        return "disk-operation";
    }

    @Override
    public String run(Form form, Progress progress) {
        int logs = form.pick(1, 25);
        int operations = 0;
        for (int seed = 1; seed <= logs; seed++) {
            FailingDisk sound = FailingDisk.sound();
            fly(seed, sound);
            List<String> names = sound.operations();
            operations += names.size();
            for (int n = 0; n < names.size(); n++) {
                progress.at((seed - 1) * names.size() + n, logs * names.size());
                for (Kind kind : Kind.values()) {
                    if (kind.hits(names.get(n))) {
                        fail(seed, kind, n, names.get(n), false);
                        fail(seed, kind, n, names.get(n), true);
                    }
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "%d flights of %d different, each of %d operations failing as EIO, ENOSPC, short write, failing fsync:"
                        + " 0 crashes, 0 wrong files, slowest alarm %d ms, at most %d bytes lost by a single failure",
                flights,
                logs,
                operations,
                slowestAlarmNs / MILLISECOND_NS,
                mostMissingBytes);
    }

    /** A flight with a reboot amid it, so that a file is finished and another begun meanwhile. */
    private static Flown fly(int seed, FailingDisk failing) {
        FakeDisk disk = new FakeDisk().seenThrough(failing::before);
        WholeRecorder.Setup setup = new WholeRecorder.Setup(RecordingMode.ALWAYS, 0, true, 1 << 20, disk);
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        LogImage log = LogImage.of(SyntheticLog.make(seed, 600_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(RATE)
                .rebootNs(400 * MILLISECOND_NS)
                .restartsStreamItself(true)
                .seed(seed)
                .build();
        SimulatedFlight flight = new SimulatedFlight(setup, log, vehicle, channel, channel);
        failing.clock(flight::nowNs);
        try (Alarms alarms = new Alarms(flight::nowNs)) {
            long startNs = flight.nowNs();
            flight.runUntil(startNs + 3 * SECOND_NS);
            flight.vehicle().reboot(flight.nowNs());
            flight.runUntil(startNs + 7 * SECOND_NS);
            flight.finish(10 * SECOND_NS);
            return new Flown(flight, disk, alarms.all());
        }
    }

    private void fail(int seed, Kind kind, int n, String operation, boolean forEver) {
        String what = String.format(
                Locale.ROOT,
                "log %d, operation %d (%s) fails %s as %s",
                seed,
                n,
                operation,
                forEver ? "for ever" : "once",
                kind);
        FailingDisk failing = new FailingDisk(kind, n, forEver);
        flights++;
        try {
            Flown flown = fly(seed, failing);
            assertThat(failing.failures()).as("failures").isPositive();
            if (failing.isGrave() && (forEver || !QUESTIONS.contains(operation))) {
                slowestAlarmNs = Math.max(
                        slowestAlarmNs,
                        Alarms.delayNs(flown.alarms(), kind.message(), failing.firstFailureNs(), ALARM_NS));
            }
            checkContent(flown, forEver, failing.firstFailureNs());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }

    private void checkContent(Flown flown, boolean forEver, long failureNs) {
        List<String> sent = new ArrayList<>();
        for (StreamTruth.Session session : flown.flight().truth().sessions()) {
            sent.addAll(LogContent.of("sent", session.recoverable()).texts());
        }
        Set<String> genuine = new HashSet<>(sent);
        Set<String> stored = new HashSet<>();
        Map<String, byte[]> files = flown.disk().contents();
        files.forEach((name, bytes) -> checkFile(LogContent.of(name, bytes), bytes.length, genuine, stored));
        long missingBytes = sent.stream()
                .filter(text -> !stored.contains(text))
                .mapToLong(String::length)
                .sum();
        assertThat((double) missingBytes)
                .as("missing bytes are counted")
                .isLessThanOrEqualTo(flown.flight().recorder().metric("record_discarded_bytes"));
        assertThat(files.size()).as("files").isLessThanOrEqualTo(MAX_FILES);
        if (!forEver) {
            boolean early = flown.flight().nowNs() - failureNs > BACK_NS;
            assertThat(!early || stored.contains(sent.get(sent.size() - 1)))
                    .as("goes on: the last message is stored")
                    .isTrue();
            assertThat(missingBytes).as("missing bytes").isLessThanOrEqualTo(MAX_MISSING_BYTES);
            mostMissingBytes = Math.max(mostMissingBytes, missingBytes);
        }
    }

    /** A file under its final name can be read from its definitions on, and holds nothing but what was sent, and that once. */
    private static void checkFile(LogContent file, int length, Set<String> genuine, Set<String> stored) {
        if (file.name().endsWith(".ulg")) {
            assertThat(file.count('B'))
                    .as("flag bits in %s of %d bytes", file.name(), length)
                    .isPositive();
        }
        for (String text : file.texts()) {
            char type = text.charAt(2);
            if (type == 'D') {
                assertThat(genuine.contains(text))
                        .as("a sample in %s was sent", file.name())
                        .isTrue();
                assertThat(stored.contains(text))
                        .as("a sample in %s is also elsewhere", file.name())
                        .isFalse();
            }
            stored.add(text);
        }
    }

    private record Flown(SimulatedFlight flight, FakeDisk disk, List<Alarms.Alarm> alarms) {}
}
