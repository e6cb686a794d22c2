package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mavlogd.app.RunMain;
import picocli.CommandLine;

class MainTest {
    @Test
    void runByItselfIsTheSameCommandAsAmongTheOthers() {
        CommandLine among =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get("run"));
        CommandLine alone = RunMain.commandLine();

        assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
        assertThat(alone.getCommandSpec().qualifiedName())
                .isEqualTo(among.getCommandSpec().qualifiedName());
        assertThat(alone.getParameterExceptionHandler())
                .hasSameClassAs(Main.commandLine().getParameterExceptionHandler());
        assertThat(alone.isCaseInsensitiveEnumValuesAllowed()).isTrue();
    }
}
