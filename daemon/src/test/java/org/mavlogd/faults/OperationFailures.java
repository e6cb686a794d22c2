package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.mavlogd.faults.FailingDisk.Kind;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.whole.VirtualFlight;
import org.mavlogd.whole.WholeRecorder;

/**
 * Makes the n-th disk operation fail, for every n of a flight, once and permanently, in each way possible. The program
 * does not crash, writes no wrong file, logs an alarm within a second and counts missing data; after a single failure
 * recording continues.
 */
final class OperationFailures<F extends VirtualFlight> {
    private static final long ALARM_NS = SECOND_NS;
    private static final long BACK_NS = 2 * SECOND_NS;
    // A query that fails once is repeated and loses no data: it needs no alarm.
    private static final Set<String> QUESTIONS = Set.of("usableBytes", "totalBytes", "list", "peek", "open", "read");

    private final Subject<F> subject;
    private final long maxMissingBytes;
    private final int maxFiles;
    private int flights;
    private long slowestAlarmNs;
    private long mostMissingBytes;

    /** The data that was sent but not stored. */
    record Missing(long bytes, boolean isLastStored) {}

    /** The flights of one autopilot. */
    interface Subject<F> {
        F begin(int seed, WholeRecorder.Setup setup, LossySettings channel);

        /** Flies with a reboot in between, so that files are finished and started during the flight. */
        void fly(F flight);

        /** Fails if a file is wrong. */
        Missing check(F flight, Map<String, byte[]> files) throws IOException;

        /** Operations that occur once in a flight: they always fail once, even if only some operations are tried. */
        default Set<String> rareOperations() {
            return Set.of();
        }

        /** How much longer the alarm may take if all operations fail from this time of the flight on. */
        default long alarmWaitNs(long failureNs) {
            return 0;
        }

        /** How much more data may be missing after a single failure at this time of the flight. */
        default long maxWaitingBytes(long failureNs) {
            return 0;
        }

        /** The missing bytes that the recorder counted. */
        default double countedBytes(WholeRecorder recorder) {
            return recorder.metric("record_discarded_bytes");
        }
    }

    OperationFailures(Subject<F> subject, int bytesPerSecond, int maxFiles) {
        this.subject = subject;
        // A batch of maximum age, and a second until the disk is tried again.
        this.maxMissingBytes = bytesPerSecond * 3L / 2;
        this.maxFiles = maxFiles;
    }

    /**
     * Returns the measured figures as text.
     *
     * @param step every {@code step}-th operation fails, different ones for each kind of failure; rare operations
     * always
     */
    String run(int logs, int step, Fault.Progress progress) throws IOException {
        int operations = 0;
        for (int seed = 1; seed <= logs; seed++) {
            FailingDisk sound = FailingDisk.sound();
            fly(seed, sound);
            List<String> names = sound.operations();
            operations += names.size();
            for (String rare : subject.rareOperations()) {
                assertThat(names).as("operations of a sound flight").containsOnlyOnce(rare);
            }
            int from = 0;
            for (Kind kind : Kind.values()) {
                int phase = from++ % step;
                for (int n = 0; n < names.size(); n++) {
                    progress.at((seed - 1) * names.size() + n, logs * names.size());
                    boolean isDue =
                            n % step == phase || subject.rareOperations().contains(names.get(n));
                    if (isDue && kind.hits(names.get(n))) {
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

    private Flown<F> fly(int seed, FailingDisk failing) {
        FakeDisk disk = new FakeDisk().seenThrough(failing::before);
        WholeRecorder.Setup setup = new WholeRecorder.Setup(ConversationSettings.Mode.ALWAYS, 0, true, 1 << 20, disk);
        LossySettings channel =
                LossySettings.perfect(LossySettings.Medium.DATAGRAMS, seed).withDelayNs(MILLISECOND_NS);
        F flight = subject.begin(seed, setup, channel);
        failing.clock(flight::nowNs);
        try (Alarms alarms = new Alarms(flight::nowNs)) {
            long startNs = flight.nowNs();
            subject.fly(flight);
            flight.finish(10 * SECOND_NS);
            return new Flown<>(flight, disk, alarms.all(), startNs);
        }
    }

    private void fail(int seed, Kind kind, int n, String operation, boolean forEver) throws IOException {
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
            Flown<F> flown = fly(seed, failing);
            assertThat(failing.failures()).as("failures").isPositive();
            if (failing.isGrave() && (forEver || !QUESTIONS.contains(operation))) {
                checkAlarm(flown, kind, forEver, failing.firstFailureNs());
            }
            checkFiles(flown, forEver, failing.firstFailureNs());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }

    private void checkAlarm(Flown<F> flown, Kind kind, boolean forEver, long failureNs) {
        long waitNs = forEver ? subject.alarmWaitNs(failureNs - flown.startNs()) : 0;
        long delayNs = Alarms.delayNs(flown.alarms(), kind.message(), failureNs, ALARM_NS + waitNs);
        slowestAlarmNs = Math.max(slowestAlarmNs, waitNs == 0 ? delayNs : 0);
    }

    private void checkFiles(Flown<F> flown, boolean forEver, long failureNs) throws IOException {
        Map<String, byte[]> files = flown.disk().contents();
        assertThat(files.size()).as("files").isLessThanOrEqualTo(maxFiles);
        Missing missing = subject.check(flown.flight(), files);
        assertThat((double) missing.bytes())
                .as("missing bytes are counted")
                .isLessThanOrEqualTo(subject.countedBytes(flown.flight().recorder()));
        if (!forEver) {
            boolean early = flown.flight().nowNs() - failureNs > BACK_NS;
            assertThat(!early || missing.isLastStored())
                    .as("goes on: the last that was sent is stored")
                    .isTrue();
            assertThat(missing.bytes())
                    .as("missing bytes")
                    .isLessThanOrEqualTo(maxMissingBytes + subject.maxWaitingBytes(failureNs - flown.startNs()));
            mostMissingBytes = Math.max(mostMissingBytes, missing.bytes());
        }
    }

    private record Flown<F>(F flight, FakeDisk disk, List<Alarms.Alarm> alarms, long startNs) {}
}
