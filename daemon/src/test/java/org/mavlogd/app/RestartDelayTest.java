package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartDelayTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private long nowNs = 1000 * SECOND_NS;

    /** A start of the program; each call makes a new process. */
    private RestartDelay start() {
        return new RestartDelay(Optional.of(directory), () -> nowNs);
    }

    private int startAfter(long livedNs) {
        nowNs += livedNs;
        return start().note();
    }

    @Test
    void firstRestartIsPromptAndLaterOnesWaitLongerAndLonger() {
        assertThat(RestartDelay.delayMs(0)).isZero();
        assertThat(RestartDelay.delayMs(1)).isZero();
        assertThat(RestartDelay.delayMs(2)).isEqualTo(500);
        assertThat(RestartDelay.delayMs(3)).isEqualTo(1000);
        assertThat(RestartDelay.delayMs(6)).isEqualTo(8000);
        assertThat(RestartDelay.delayMs(7)).isEqualTo(RestartDelay.MAX_DELAY_MS);
        assertThat(RestartDelay.delayMs(99)).isEqualTo(RestartDelay.MAX_DELAY_MS);
    }

    @Test
    void deathsInASeriesAreCountedFromProcessToProcess() {
        assertThat(start().note()).isZero();
        for (int deaths = 1; deaths < 120; deaths++) {
            assertThat(startAfter(RestartDelay.MAX_DELAY_MS * 1_000_000 + SECOND_NS))
                    .isEqualTo(Math.min(deaths, 99));
        }
    }

    @Test
    void recorderThatRanWellStartsAtZeroAgain() {
        start().note();
        startAfter(SECOND_NS);
        assertThat(startAfter(SECOND_NS)).isEqualTo(2);

        long waitedNs = RestartDelay.delayMs(2) * 1_000_000;
        assertThat(startAfter(waitedNs + RestartDelay.WELL_NS)).isEqualTo(1);
        assertThat(startAfter(RestartDelay.WELL_NS - 1)).isEqualTo(2);
    }

    @Test
    void deathWhileItWaitsIsOfTheSeries() {
        start().note();
        for (int i = 0; i < 8; i++) {
            startAfter(SECOND_NS / 100);
        }

        assertThat(startAfter(1)).isEqualTo(9);
    }

    @Test
    void orderlyEndStartsAtZero() {
        start().note();
        startAfter(SECOND_NS);
        startAfter(SECOND_NS);

        start().end();

        assertThat(startAfter(SECOND_NS)).isZero();
        start().end();
        start().end();
    }

    @Test
    void whateverIsInTheWayDelaysNothing() throws IOException {
        Path note = directory.resolve(RestartDelay.FILE);
        for (String text :
                new String[] {"", "x", "-1 5\n", "999 5\n", "5 99999999999999999999\n", "5 1", "9 9\n".repeat(99)}) {
            Files.writeString(note, text);
            assertThat(start().note()).describedAs(text).isZero();
            assertThat(Files.readString(note)).describedAs(text).isEqualTo("0 " + nowNs + "\n");
        }
        // of another boot, whose clock ran longer
        Files.writeString(note, "7 " + (nowNs + 3600 * SECOND_NS) + "\n");
        assertThat(RestartDelay.delayMs(start().note())).isZero();

        Files.delete(note);
        Files.createDirectory(note);
        assertThat(start().note()).isZero();
        Files.delete(note);
        Path target = Files.writeString(directory.resolve("target"), "kept");
        Files.createSymbolicLink(note, target);
        assertThat(start().note()).isZero();
        assertThat(target).hasContent("kept");
    }

    @Test
    void withoutADirectoryOfTheServiceNothingIsCounted() throws InterruptedException {
        RestartDelay delay = RestartDelay.of(Map.of(), () -> nowNs);

        delay.await();
        assertThat(delay.note()).isZero();
        assertThat(delay.note()).isZero();
        delay.end();

        Map<String, String> service = Map.of("RUNTIME_DIRECTORY", directory + ":" + directory.resolve("other"));
        RestartDelay.of(service, () -> nowNs).await();
        assertThat(directory.resolve(RestartDelay.FILE)).exists();
    }
}
