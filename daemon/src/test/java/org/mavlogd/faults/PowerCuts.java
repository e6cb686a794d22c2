package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.mavlogd.computer.FreePorts;

/** A disk whose power is cut while the program records to it, again and again. */
final class PowerCuts implements AutoCloseable {
    private static final int MEGABYTES = 256;

    private final LoopDisk disk = LoopDisk.ofMegabytes(MEGABYTES);
    private final Path home = Host.newDirectory();
    private final int port = FreePorts.udp();
    private final RecorderProcess.Setup setup = new RecorderProcess.Setup(home, logs(), port);
    private Duration longestLost = Duration.ZERO;

    /** When the power went, and how long a force had taken at most until then. */
    record Cut(long timeNs, Duration longestForce) {
        private static final Duration DURABLE = Duration.ofMillis(500);
        private static final Duration DURABLE_IF_BUSY = Duration.ofSeconds(1);

        /** The promise is made for media that take no longer to force. */
        private static final Duration FORCE = Duration.ofMillis(125);

        /** What is older is on disk. Longer by as much as a force took longer than the promise is made for. */
        Duration durable() {
            Duration most = Host.isBusy() ? DURABLE_IF_BUSY : DURABLE;
            return longestForce.compareTo(FORCE) > 0 ? most.plus(longestForce).minus(FORCE) : most;
        }
    }

    PowerCuts() throws IOException {}

    /** At which the program listens. */
    int port() {
        return port;
    }

    Path logs() {
        return disk.directory().resolve("logs");
    }

    /** Lets the program record for so long once a stream has begun, and cuts the power. Afterwards the disk is there again. */
    Cut recordAndCut(Callable<Boolean> isStreaming, int recordingMs) throws Exception {
        Cut cut;
        try (RecorderProcess recorder = setup.start()) {
            await("a stream", isStreaming);
            recorder.continueFor(Duration.ofMillis(recordingMs));
            Duration longestForce = Duration.ofNanos((long) (1e9 * recorder.figure("store_force_seconds_max")));
            cut = new Cut(System.nanoTime(), longestForce);
            disk.cutPower();
            recorder.kill();
        }
        disk.unmount();
        disk.mount();
        return cut;
    }

    /** The oldest of what is lost was sent at that time; {@link Long#MAX_VALUE} when nothing is. */
    void checkLost(Cut cut, long sentNs) {
        Duration lost = Duration.ofNanos(Math.max(0, cut.timeNs() - sentNs));
        assertThat(lost).as("age of the oldest that is lost").isLessThanOrEqualTo(cut.durable());
        longestLost = lost.compareTo(longestLost) > 0 ? lost : longestLost;
    }

    Duration longestLost() {
        return longestLost;
    }

    /** The next start finishes what the cuts left, of files of that kind. */
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
