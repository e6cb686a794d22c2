package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code mavlogd logs rm} asks on a terminal before it deletes. */
@Timeout(120)
class RemoveLogSystemTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final String LOG = "2026-11-21_14-03-59_sys002_000008.ulg";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private record Result(int code, String text) {}

    @BeforeEach
    void makeLog() throws IOException {
        assumeTrue(Files.isExecutable(SCRIPT), "no " + SCRIPT);
        Files.write(directory.resolve(LOG), new byte[16]);
    }

    private Result remove(String more, String typed) throws IOException, InterruptedException {
        String command = Path.of(System.getProperty("java.home"), "bin", "java") + " -cp '"
                + System.getProperty("java.class.path") + "' org.mavlogd.tools.Main logs rm LAST --dir '" + directory
                + "' " + more;
        Process process = new ProcessBuilder(SCRIPT.toString(), "-qec", command, "/dev/null")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().write(typed.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), text);
    }

    @Test
    void deletesWhenTheAnswerIsYesAndElseNothing() throws Exception {
        Result refused = remove("", "\n");

        assertThat(refused.code).isEqualTo(1);
        assertThat(refused.text).contains("Delete 1 log, 16 bytes? [y/N]").contains("nothing was deleted");
        assertThat(directory.resolve(LOG)).exists();

        Result wanted = remove("", "y\n");

        assertThat(wanted.code).isZero();
        assertThat(wanted.text).contains(LOG + ": deleted");
        assertThat(directory.resolve(LOG)).doesNotExist();
    }

    @Test
    void deletesNothingIfTheQuestionCannotBeSeen() throws Exception {
        Path errors = directory.resolve("errors");

        Result result = remove("2>'" + errors + "'", "y\n");

        assertThat(result.code).isEqualTo(1);
        assertThat(directory.resolve(LOG)).exists();
        assertThat(errors).content().contains("give --yes to delete").hasLineCount(1);
    }
}
