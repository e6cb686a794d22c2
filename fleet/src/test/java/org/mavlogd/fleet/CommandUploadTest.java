package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests uploads by a command, and that no process remains after one. */
@Timeout(120)
class CommandUploadTest {
    @TempDir
    private Path directory = Path.of(".");

    private UploadFixture fixture;

    @SuppressWarnings("NullAway.Init")
    CommandUploadTest() {}

    @BeforeEach
    void start() throws IOException {
        fixture = new UploadFixture(directory);
        fixture.log(1);
    }

    private void command(String script, String... lines) {
        fixture.target(
                "program",
                "command",
                "command = [\"/bin/sh\", \"-c\", \"" + script + "\"]",
                "manifest = false",
                String.join("\n", lines));
    }

    /** Whether a process runs whose id is in this file. The command line of a zombie is empty. */
    private static boolean isRunning(Path pid) throws IOException {
        try {
            Path commandLine = Path.of("/proc", Files.readString(pid).strip(), "cmdline");
            return Files.readAllBytes(commandLine).length > 0;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Test
    void getsFileAndKey() throws IOException, InterruptedException {
        Path copies = directory.resolve("copies");
        command("install -D {file} " + copies + "/{key}");

        assertThat(fixture.once()).isTrue();

        assertThat(copies.resolve(UploadFixture.key(1))).hasBinaryContent(fixture.content(1));
    }

    @Test
    void theOutputOfAFailedCommandIsReported() throws IOException, InterruptedException {
        command("echo the disk is on fire; exit 3");

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("the command ends with 3: the disk is on fire");
    }

    @Test
    void aCommandThatHangsIsEnded() throws IOException, InterruptedException {
        command("sleep 1000", "timeout_s = 1");

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 1 s");
    }

    @Test
    void aCommandThatPrintsWithoutEndIsEnded() throws IOException, InterruptedException {
        command("exec yes", "timeout_s = 1");

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 1 s");
    }

    @Test
    void aChildOfACommandThatIgnoresTheSignalIsEnded() throws IOException, InterruptedException {
        Path pid = directory.resolve("pid");
        command("(trap '' TERM; sh -c 'echo $PPID' >" + pid + "; while :; do sleep 1; done) & wait", "timeout_s = 2");

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status()).contains("did not end within 2 s");
        await().atMost(Duration.ofSeconds(50))
                .until(() -> !isRunning(pid)); // a signal takes effect when the process runs next
    }

    @Test
    void childrenThatACommandLeavesAreEnded() throws IOException, InterruptedException {
        Path pid = directory.resolve("pid");
        command("yes & sleep 1000 & echo $! >" + pid + "; sleep 0.5; exit 0");

        assertThat(fixture.once()).isTrue();

        await().atMost(Duration.ofSeconds(50))
                .until(() -> !isRunning(pid)); // a signal takes effect when the process runs next
    }
}
