package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.mavlogd.computer.FreePorts;

/** A disk whose power is cut repeatedly while the program records to it. */
final class PowerCuts implements AutoCloseable {
    private static final int MEGABYTES = 256;

    private final LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES);
    private final Path home = Host.newDirectory();
    private final int port = FreePorts.udp();
    private final RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs(), port);
    private Duration longestLost = Duration.ZERO;

    /** The time of a cut, and the longest force until then, by the program or beside it. */
    record Cut(long timeNs, Duration longestForce) {
        /** The promise holds for disks that need at most this long to force. */
        private static final Duration FORCE = Duration.ofMillis(125);

        /** Data older than this is on disk. If a force took longer than the promise allows, the difference is added. */
        Duration durable() {
            Duration most = Host.durable();
            return longestForce.compareTo(FORCE) > 0 ? most.plus(longestForce).minus(FORCE) : most;
        }
    }

    PowerCuts() throws IOException {}

    /** The port of the program's link. */
    int port() {
        return port;
    }

    Path logs() {
        return disk.directory().resolve("logs");
    }

    /**
     * Lets the program record for this time after a stream has started, then cuts the power. The disk is mounted again
     * on return.
     */
    Cut recordAndCut(Callable<Boolean> isStreaming, int recordingMs) throws Exception {
        Cut cut;
        try (DiskProbe probe = new DiskProbe(disk.directory());
                RecorderProcess recorder = setup.start()) {
            await("a stream", isStreaming);
            recorder.continueFor(Duration.ofMillis(recordingMs));
            // The program's own figure lacks a force that has not ended.
            Duration own = Duration.ofNanos((long) (1e9 * recorder.figure("store_force_seconds_max")));
            Duration probed = probe.longest();
            cut = new Cut(System.nanoTime(), own.compareTo(probed) > 0 ? own : probed);
            disk.cutPower();
            recorder.kill();
        }
        disk.unmount();
        disk.mount();
        return cut;
    }

    /** Checks the age of the oldest lost data, which was sent at this time; {@link Long#MAX_VALUE} if none is lost. */
    void checkLost(Cut cut, long sentNs) {
        Duration lost = Duration.ofNanos(Math.max(0, cut.timeNs() - sentNs));
        assertThat(lost).as("age of the oldest that is lost").isLessThanOrEqualTo(cut.durable());
        longestLost = lost.compareTo(longestLost) > 0 ? lost : longestLost;
    }

    Duration longestLost() {
        return longestLost;
    }

    /** Starts the program once more; it must finish all unfinished files of this kind. */
    void finishWhatIsLeft(String kind) throws Exception {
        try (RecorderProcess recorder = setup.start()) {
            await(
                    "left-over files to be finished",
                    () -> LogDirectory.files(logs(), kind).stream()
                                    .filter(file -> file.toString().endsWith(".part"))
                                    .count()
                            <= 1);
            recorder.terminate();
        }
    }

    @Override
    public void close() throws IOException {
        try (disk) {
            Host.delete(home);
        }
    }
}
