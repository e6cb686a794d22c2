package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.whole.LogContent;

/** Failures of a real file system: it freezes, is read-only, or dies. */
final class StorageFaults {
    private static final int MEGABYTES = 64;
    private static final Duration ALARM = Duration.ofSeconds(1);
    private static final Duration RECORDING = Duration.ofSeconds(2);

    private StorageFaults() {}

    /** Writes and forces hang for ten seconds: no data is lost. */
    static final class Frozen implements Fault {
        private static final int RATE = 1_000_000;
        private static final Duration FREEZE = Duration.ofSeconds(10);

        @Override
        public String name() {
            return "storage-frozen";
        }

        @Override
        public String obstacle() {
            return RecorderProcess.obstacleOnLoopDisk();
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int freezes = form.pick(1, 10);
            try (LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES + freezes * 16);
                    Flight flight = new Flight(disk.directory().resolve("logs"), RATE)) {
                for (int i = 0; i < freezes; i++) {
                    progress.at(i, freezes);
                    disk.freeze();
                    flight.continueFor(FREEZE);
                    disk.thaw();
                    flight.continueFor(Duration.ofSeconds(2));
                }
                Flight.Ledger ledger = flight.land();
                assertThat(ledger.lostChunks()).as("chunks lost").isZero();
                return freezes + " times " + FREEZE.toSeconds() + " s at 1 MB/s: " + ledger;
            }
        }
    }

    /** The directory is read-only when the program starts, and writable some seconds later. */
    static final class ReadOnlyAtStart implements Fault {
        @Override
        public String name() {
            return "read-only-start";
        }

        @Override
        public String obstacle() {
            return RecorderProcess.obstacleOnLoopDisk();
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int port = FreePorts.udp();
            int rounds = form.pick(1, 10);
            long slowestMs = 0;
            for (int i = 0; i < rounds; i++) {
                progress.at(i, rounds);
                Path home = Host.newDirectory();
                try (LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES)) {
                    disk.readOnly(true);
                    try (RecorderProcess recorder = new RecorderProcess.Setup(
                                            home, disk.directory().resolve("logs"), port)
                                    .start();
                            FlyingVehicle vehicle = fly(
                                    VehicleWire.udpTo(port),
                                    fastVehicle().rateBytesPerSecond(300_000).loops(true))) {
                        slowestMs = Math.max(slowestMs, recordsOnceWritable(disk, recorder, vehicle));
                    }
                } finally {
                    Host.delete(home);
                }
            }
            return rounds + " starts: reported once, recording " + slowestMs
                    + " ms after the directory could be written";
        }

        private static long recordsOnceWritable(LoopDisk disk, RecorderProcess recorder, FlyingVehicle vehicle)
                throws Exception {
            await("the alarm", () -> recorder.health().startsWith("503"));
            await("attempts", () -> recorder.metric("record_disk_failures_total") >= 3);
            await("data that is missed", () -> vehicle.sent().get(0).length() > 300_000);
            assertThat(recorder.printed("no new file")).as("lines about it").isEqualTo(1);

            long writableNs = System.nanoTime();
            disk.readOnly(false);
            Path logs = disk.directory().resolve("logs");
            await("a file that grows", PromisedTime.of(RECORDING, Host.isBusy()), () -> LogDirectory.bytes(logs) > 0);
            long recordingMs = Duration.ofNanos(System.nanoTime() - writableNs).toMillis();
            await("health", () -> recorder.health().startsWith("200"));
            recorder.terminate();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(LogDirectory.contents(logs)).singleElement().satisfies(log -> {
                assertThat(log.isComplete()).isTrue();
                assertThat(log.name()).endsWith(".ulg");
                assertThat(log.count('F'))
                        .isEqualTo(LogContent.of("sent", vehicle.sent().get(0).bytes())
                                .count('F'));
                assertThat(log.count('O')).as("marks of what was missed").isPositive();
            });
            return recordingMs;
        }
    }

    /**
     * The disk dies while the program records: each write and force fails with EIO. Then another disk takes its place.
     */
    static final class Dead implements Fault {
        @Override
        public String name() {
            return "storage-dead";
        }

        @Override
        public String obstacle() {
            return RecorderProcess.obstacleOnLoopDisk();
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int rounds = form.pick(1, 10);
            long slowestAlarmMs = 0;
            for (int i = 0; i < rounds; i++) {
                progress.at(i, rounds);
                try (LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES);
                        LoopDisk spare = LoopDisk.ofMegabytes(MEGABYTES);
                        Flight flight = new Flight(disk.directory().resolve("logs"), 500_000)) {
                    slowestAlarmMs = Math.max(slowestAlarmMs, dieAndBeReplaced(disk, spare, flight));
                }
            }
            return rounds + " disks died and were replaced: alarm after at most " + slowestAlarmMs
                    + " ms, recording continued in a new file on the new disk";
        }

        private static long dieAndBeReplaced(LoopDisk disk, LoopDisk spare, Flight flight) throws Exception {
            disk.cutPower();
            long deadNs = System.nanoTime();
            await(
                    "the alarm",
                    PromisedTime.of(ALARM, Host.isBusy()),
                    () -> flight.recorder().printed("Input/output error") > 0);
            long alarmMs = Duration.ofNanos(System.nanoTime() - deadNs).toMillis();
            await("the health page's", () -> flight.recorder().health().startsWith("503"));

            disk.replaceBy(spare);
            await(
                    "a file on the new disk",
                    PromisedTime.of(Duration.ofSeconds(35), Host.isBusy()),
                    () -> LogDirectory.bytes(flight.logs()) > 300_000);
            flight.continueFor(Duration.ofSeconds(1));
            flight.recorder().terminate();
            assertThat(LogDirectory.contents(flight.logs())).singleElement().satisfies(log -> {
                assertThat(log.name()).endsWith(".ulg");
                assertThat(log.isComplete()).isTrue();
                assertThat(log.count('A')).as("subscriptions").isPositive();
            });
            return alarmMs;
        }
    }

    /** 24 MB, first with old logs, then without: the oldest are deleted; when none is left, recording pauses. */
    static final class Full implements Fault {
        private static final int DISK_MEGABYTES = 24;
        private static final int RATE = 1_000_000;
        private static final int OLD_LOGS = 10;
        private static final int OLD_LOG_BYTES = 1_500_000;
        private static final long LEAST_LEFT_BYTES = 512 << 10;

        private long discardedBytes;

        @Override
        public String name() {
            return "disk-full";
        }

        @Override
        public String obstacle() {
            return RecorderProcess.obstacleOnLoopDisk();
        }

        @Override
        public String run(Form form, Progress progress) throws Exception {
            int rounds = form.pick(1, 10);
            int deleted = 0;
            long slowestMs = 0;
            for (int i = 0; i < rounds; i++) {
                progress.at(i, rounds);
                deleted += withOldLogs();
                slowestMs = Math.max(slowestMs, withoutOldLogs());
            }
            return rounds + " times: with old logs " + deleted
                    + " of them deleted and "
                    + (discardedBytes == 0
                            ? "nothing lost"
                            : discardedBytes + " bytes not stored, because the disk stood still")
                    + "; with none left a pause told once, recording again "
                    + slowestMs + " ms after there was space, all lost bytes counted";
        }

        private int withOldLogs() throws Exception {
            try (LoopDisk disk = LoopDisk.ofMegabytes(DISK_MEGABYTES)) {
                Path logs = Files.createDirectory(disk.directory().resolve("logs"));
                Path foreign = Files.write(logs.resolve("flight-plan.txt"), new byte[100_000]);
                List<Path> old = new ArrayList<>();
                for (int i = 1; i <= OLD_LOGS; i++) {
                    old.add(oldLog(logs, i));
                }
                try (DiskProbe probe = new DiskProbe(disk.directory());
                        Flight flight = new Flight(logs, RATE)) {
                    await("a deletion", () -> Files.notExists(old.get(2)));
                    flight.continueFor(Duration.ofSeconds(2));
                    flight.stopStream();
                    long discarded = flight.recorder().metric("record_discarded_bytes_total");
                    discardedBytes += discarded;
                    assertThat(discarded)
                            .as(
                                    "bytes discarded; the longest force took %s; the recorder said %s",
                                    probe.longest(), flight.recorder().output())
                            .isLessThanOrEqualTo(mostDiscarded(probe.standstill()));
                    List<Path> kept = old.stream().filter(Files::exists).toList();
                    assertThat(kept).as("the newest are kept").isEqualTo(old.subList(OLD_LOGS - kept.size(), OLD_LOGS));
                    assertThat(kept).as("only as many go as need to").isNotEmpty();
                    assertThat(foreign).exists();
                    for (Path log : kept) {
                        Files.deleteIfExists(log); // the recorder may have deleted it itself for space
                    }
                    assertThat(flight.land().lostChunks()).as("chunks lost").isZero();
                    return OLD_LOGS - kept.size();
                }
            }
        }

        /** Nothing, unless the disk stood still: a deletion then gives space too late, and recording pauses. */
        private static long mostDiscarded(Duration standstill) {
            return standstill.isZero()
                    ? 0
                    : RATE
                            * standstill
                                    .plus(PromisedTime.of(RECORDING, Host.isBusy()))
                                    .toSeconds();
        }

        private static Path oldLog(Path logs, int number) throws IOException {
            String name = String.format(Locale.ROOT, "2026-03-%02d_10-00-00_sys001_%06d.ulg", number, number);
            ByteBuffer log = ByteBuffer.allocate(OLD_LOG_BYTES);
            byte[] real = SystemTests.roverLog();
            while (log.hasRemaining()) {
                log.put(real, 0, Math.min(real.length, log.remaining()));
            }
            return Files.write(logs.resolve(name), log.array());
        }

        /** Returns the time from free space to the resumed recording. */
        private static long withoutOldLogs() throws Exception {
            try (LoopDisk disk = LoopDisk.ofMegabytes(DISK_MEGABYTES)) {
                Path ballast = Files.write(disk.directory().resolve("ballast"), new byte[(DISK_MEGABYTES / 2) << 20]);
                Path logs = disk.directory().resolve("logs");
                try (Flight flight = new Flight(logs, RATE)) {
                    await("the pause", () -> flight.recorder().health().startsWith("503"));
                    List<LogContent> before = LogDirectory.contents(logs);
                    assertThat(before).as("what was recorded until the pause").hasSize(1);
                    flight.continueFor(Duration.ofSeconds(3));
                    // Where the keeper waits for a processor, a second's data takes a part of the reserve.
                    assertThat(disk.directory().toFile().getUsableSpace())
                            .as("free space")
                            .isGreaterThan(Host.isBusy() ? 0 : LEAST_LEFT_BYTES);
                    assertThat(LogDirectory.contents(logs))
                            .as("files amid the pause")
                            .hasSize(1);
                    assertThat(flight.recorder().printed("pause"))
                            .as("lines about the pause")
                            .isEqualTo(1);

                    Files.delete(ballast);
                    long spaceNs = System.nanoTime();
                    await(
                            "recording",
                            PromisedTime.of(RECORDING, Host.isBusy()),
                            () -> LogDirectory.files(logs).size() == 2);
                    long resumedMs =
                            Duration.ofNanos(System.nanoTime() - spaceNs).toMillis();
                    flight.continueFor(Duration.ofSeconds(2));
                    assertThat(flight.land().lostChunks()).as("chunks lost").isZero();
                    List<LogContent> files = LogDirectory.contents(logs);
                    assertThat(files.get(0).fromVehicle())
                            .as("the file before")
                            .startsWith(before.get(0).fromVehicle());
                    assertThat(files.get(1).count('O')).as("marks of the gap").isPositive();
                    return resumedMs;
                }
            }
        }
    }
}
