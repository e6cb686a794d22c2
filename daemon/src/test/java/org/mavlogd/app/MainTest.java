package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    @Test
    void runByItselfIsTheSameCommandAsAmongTheOthers() {
        CommandLine among = Objects.requireNonNull(Main.commandLine().getSubcommands().get("run"));
        CommandLine alone = Main.recorder();

        assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
        assertThat(alone.getCommandSpec().qualifiedName())
                .isEqualTo(among.getCommandSpec().qualifiedName());
        assertThat(alone.getParameterExceptionHandler())
                .hasSameClassAs(Main.commandLine().getParameterExceptionHandler());
        assertThat(alone.isCaseInsensitiveEnumValuesAllowed()).isTrue();
    }
}
