package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One program after the other, killed at random moments, also while it starts, and started again at once, while a vehicle
 * streams on. Together they write one file of a kind, of which nothing is lost that was written.
 */
abstract class KillSeries {
    private static final int MAX_LIFE_MS = 2500;
    private static final int AWAIT_EVERY = 4;

    private final Path logs;
    private final String kind;
    private final RecorderProcess.Setup setup;
    private final Returns returns;
    private String toldBefore = "";
    private byte[] written = new byte[0];

    /**
     * Of programs that listen at that port and have all their files in {@code home}.
     *
     * @param back how soon after a start the file is to grow again
     */
    KillSeries(Path home, int port, String kind, Duration back) {
        this.logs = home.resolve("logs");
        this.kind = kind;
        this.setup = new RecorderProcess.Setup(home, logs, port);
        this.returns = new Returns(back);
    }

    /** How long the file is at least once the next run records. */
    abstract int recordedBytes();

    /** Fails when something that was written before is no longer there; has as much of it as was whole. */
    abstract void checkKept(byte[] before, byte[] now);

    /** Whether the next run is not killed before it records. */
    boolean mustRecord() {
        return false;
    }

    /** A run was killed between these two moments. */
    void onKill(long beforeNs, long afterNs, boolean recorded) {}

    final Path logs() {
        return logs;
    }

    /** The file as the last run left it. */
    final byte[] written() {
        return written;
    }

    final Returns returns() {
        return returns;
    }

    /** So many that are killed, and one that is not. */
    final void run(int kills, Random random, Fault.Progress progress) throws Exception {
        for (int i = 0; i < kills; i++) {
            progress.at(i, kills);
            // At times it lives until it is back.
            startAndKill(i % AWAIT_EVERY == 0, random.nextInt(MAX_LIFE_MS));
        }
        long startNs = System.nanoTime();
        try (RecorderProcess recorder = setup.start()) {
            awaitRecording(recorder, startNs);
            recorder.terminate();
            account(recorder);
        }
    }

    private void startAndKill(boolean isToRecord, int lifeMs) throws Exception {
        long startNs = System.nanoTime();
        boolean awaitsRecording = isToRecord || mustRecord() || wasReading();
        try (RecorderProcess recorder = setup.launch()) {
            if (awaitsRecording) {
                awaitRecording(recorder, startNs);
            }
            recorder.continueFor(Duration.ofMillis(lifeMs));
            long beforeNs = System.nanoTime();
            recorder.kill();
            onKill(beforeNs, System.nanoTime(), awaitsRecording);
            account(recorder);
        }
    }

    /** A log whose reading two runs did not survive is set aside: the next run lives until it has read it. */
    private boolean wasReading() throws IOException {
        try (Stream<Path> files = Files.list(logs)) {
            return files.anyMatch(file -> file.toString().endsWith(".scan"));
        }
    }

    private void awaitRecording(RecorderProcess recorder, long startNs) throws IOException {
        try {
            await("the file to grow", () -> LogDirectory.bytes(logs, kind) >= recordedBytes());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("the file did not grow; the recorder said " + recorder.output(), e);
        }
        if (written.length > 0) {
            returns.back(startNs);
        }
    }

    private void account(RecorderProcess ended) throws IOException {
        List<Path> files = LogDirectory.files(logs, kind);
        String told = toldBefore + ended.output();
        toldBefore = ended.output();
        assertThat(files)
                .as("files when the last two programs had said: %s", told)
                .hasSizeLessThanOrEqualTo(1);
        byte[] now = files.isEmpty() ? new byte[0] : Files.readAllBytes(files.get(0));
        checkKept(written, now);
        written = now;
    }
}
