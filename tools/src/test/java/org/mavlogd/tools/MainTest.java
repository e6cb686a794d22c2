package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mavlogd.app.RunMain;
import org.mavlogd.cli.LoggingSetup;
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

    @Test
    void warnAndWarningAreOneLevelOfLogging() {
        for (String word : List.of("warn", "warning", "WARNING")) {
            CommandLine.ParseResult run =
                    Main.commandLine().parseArgs("run", "--log-level", word).subcommand();
            assertThat(run.<LoggingSetup.Level>matchedOptionValue("--log-level", LoggingSetup.Level.INFO))
                    .as(word)
                    .isEqualTo(LoggingSetup.Level.WARN);
        }
        Shell shell = new Shell();
        assertThat(shell.run("run", "--log-level", "warnin")).isEqualTo(2);
        assertThat(shell.err()).contains("levels are [error, warn").hasLineCount(1);
    }
}
