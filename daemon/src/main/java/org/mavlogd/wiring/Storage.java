package org.mavlogd.wiring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.EpochClock;
import org.mavlogd.config.Settings;
import org.mavlogd.metrics.Durations;
import org.mavlogd.metrics.Peak;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.recovery.HostClock;
import org.mavlogd.recovery.LogRecovery;
import org.mavlogd.recovery.RecoveryCounters;
import org.mavlogd.recovery.Restart;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreCounters;

/**
 * The first stage: the log directory and the parts that manage its files.
 *
 * @param resumable logs of an earlier run that may continue
 * @param writeNs duration of the longest recent write
 */
record Storage(
        Disk disk,
        Keeper keeper,
        LogStore store,
        StoreCounters counters,
        RecoveryCounters recovery,
        ResumableLogs resumable,
        FinishedLogs finished,
        Peak writeNs) {
    /** @param crashes reports on the end of earlier runs */
    static Storage of(Settings settings, SharedParts shared, EpochClock wall, CrashReport.Source crashes) {
        Peak writeNs = new Peak();
        Durations writes = shared.metrics().durations("store.write", "Time to write a batch of data to a file");
        Disk disk = new FileDisk(settings.logDirectory(), ns -> {
            writeNs.record(ns);
            writes.record(ns);
        });
        StoreCounters counters = StoreCounters.register(shared.metrics());
        RecoveryCounters recovery = RecoveryCounters.register(shared.metrics());
        ResumableLogs resumable = new ResumableLogs();
        FinishedLogs finished = new FinishedLogs();
        HostClock clock = new HostClock(
                shared.clock(), wall, BootId.read(), ProcessHandle.current().pid());
        Keeper keeper = new Keeper(
                disk,
                shared.clock(),
                finished::add,
                settings.space(),
                counters,
                LogRecovery.of(disk, new Restart(clock, resumable, shared.memory(), crashes), recovery));
        LogStore store = new LogStore(disk, wall, settings.store(), keeper);
        return new Storage(disk, keeper, store, counters, recovery, resumable, finished, writeNs);
    }

    /** Identifies the boot of this computer. */
    static final class BootId {
        private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

        private BootId() {}

        /** The kernel's boot id, with dashes; empty if it does not report one. */
        static String read() {
            try {
                return Files.readString(FILE, StandardCharsets.US_ASCII).strip();
            } catch (IOException e) {
                return "";
            }
        }
    }
}
