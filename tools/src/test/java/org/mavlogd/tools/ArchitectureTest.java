package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.cli.Architecture;
import org.mavlogd.cli.ExitCode;

class ArchitectureTest {
    @Test
    void thisComputerIsSupported() {
        assertThat(Architecture.problem(System.getProperty("os.arch"))).isEmpty();
        assertThat(Architecture.problem("aarch64")).isEmpty();
        assertThat(Architecture.problem("amd64")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arm", "i386", "riscv64", "ppc64le", ""})
    void othersAreRefusedInOneSentence(String name) {
        assertThat(Architecture.problem(name))
                .contains("\"" + name + "\"", "amd64", "arm64")
                .doesNotContain("\n");
    }

    @Test
    void noCommandRunsOnAnotherProcessor() {
        String real = System.getProperty("os.arch");
        System.setProperty("os.arch", "arm");
        try {
            assertThat(Main.run("run", "--config", "/nonexistent/mavlogd.toml")).isEqualTo(ExitCode.CONFIG);
            assertThat(Main.run("--version")).isEqualTo(ExitCode.CONFIG);
        } finally {
            System.setProperty("os.arch", real);
        }
    }
}
