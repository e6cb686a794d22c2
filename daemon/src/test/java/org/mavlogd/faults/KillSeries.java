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

/**
 * Starts programs one after another and kills each at a random moment, also while it starts, while a vehicle continues
 * to stream. Together they write one file of a kind, and no written data is lost.
 */
abstract class KillSeries {
    private static final int MAX_LIFE_MS = 2500;
    // By then a run that continued a log has given up what it waited for.
    private static final int SETTLED_MS = 1000;
    private static final int AWAIT_EVERY = 4;

    private final Path logs;
    private final String kind;
    private final RecorderProcess.Setup setup;
    private final Returns returns;
    private String outputBefore = "";
    private byte[] written = new byte[0];

    /**
     * All programs listen at this port and have all their files in {@code home}.
     *
     * @param back how soon after a start the file must grow again
     */
    KillSeries(Path home, int port, String kind, Duration back) {
        this.logs = home.resolve("logs");
        this.kind = kind;
        this.setup = new RecorderProcess.Setup(home, logs, port);
        this.returns = new Returns(back);
    }

    /** The minimum length of the file once the next run records. */
    abstract int recordedBytes();

    /** Fails if a complete part of what was written before is gone. */
    abstract void checkKept(byte[] before, byte[] now);

    /** Whether the next run must record before it is killed. */
    boolean mustRecord() {
        return false;
    }

    /** Called after a kill, which happened between these two moments, of a run that had recorded for a while or not. */
    void onKill(long beforeNs, long afterNs, boolean isSettled) {}

    final Path logs() {
        return logs;
    }

    /** The file as the last run left it. */
    final byte[] written() {
        return written;
    }

    /** What the last program said. */
    final String lastOutput() {
        return outputBefore;
    }

    final Returns returns() {
        return returns;
    }

    /** Runs this number of programs that are killed, and one that is terminated. */
    final void run(int kills, Random random, Fault.Progress progress) throws Exception {
        for (int i = 0; i < kills; i++) {
            progress.at(i, kills);
            // Some runs live until they record.
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
        // A log that two runs died reading is set aside: if one did, the next lives until it has read it.
        boolean awaitsRecording = isToRecord || mustRecord() || isThere(".scan");
        try (RecorderProcess recorder = setup.launch()) {
            if (awaitsRecording) {
                awaitRecording(recorder, startNs);
            }
            recorder.continueFor(Duration.ofMillis(lifeMs));
            long beforeNs = System.nanoTime();
            recorder.kill();
            onKill(beforeNs, System.nanoTime(), awaitsRecording && lifeMs >= SETTLED_MS);
            account(recorder);
        }
    }

    /** Whether there is such a file beside the log. */
    private boolean isThere(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(logs)) {
            return files.anyMatch(file -> file.toString().endsWith(suffix));
        }
    }

    private void awaitRecording(RecorderProcess recorder, long startNs) throws Exception {
        await("a longer file", () -> LogDirectory.bytes(logs, kind) >= recordedBytes(), recorder::output);
        if (written.length > 0) {
            returns.back(startNs);
        }
        // On a slow disk it comes later; without it no run can continue the file.
        await("the log's note", () -> isThere(".state"), recorder::output);
    }

    private void account(RecorderProcess ended) throws IOException {
        List<Path> files = LogDirectory.files(logs, kind);
        String printed = outputBefore + ended.output();
        outputBefore = ended.output();
        assertThat(files)
                .as("files when the last two programs had said: %s", printed)
                .hasSizeLessThanOrEqualTo(1);
        byte[] now = files.isEmpty() ? new byte[0] : Files.readAllBytes(files.get(0));
        checkKept(written, now);
        written = now;
    }
}
