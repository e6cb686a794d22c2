package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.cli.ExitCode;

class ConfigCommandTest {
    private final Shell shell = new Shell("config");

    @TempDir
    private Path directory = Path.of(".");

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("c.toml"), text);
    }

    @Test
    void printsEachKeyWithItsOrigin() throws IOException {
        Path file = file("[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n");

        assertThat(shell.run("show", "--config", file.toString())).isZero();

        assertThat(shell.out())
                .containsPattern("(?m)^name = \"a\" +# .*c\\.toml:2:1$")
                .containsPattern("(?m)^system_id = 0 +# default$")
                .doesNotContain("baud");
    }

    @Test
    void tellsWhatIsWrong() throws IOException {
        assertThat(shell.run("show", "--config", file("[log]\nmode = 1\n").toString()))
                .isEqualTo(ExitCode.CONFIG);
        assertThat(shell.err()).contains("c.toml:2:1: log.mode: ").contains("there is no link");
        assertThat(shell.run("show", "--config", directory.resolve("none").toString()))
                .isEqualTo(ExitCode.CONFIG);
        assertThat(shell.err()).contains("no such file");
        assertThat(shell.run()).isEqualTo(ExitCode.USAGE);
    }
}
