package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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

    /** Running a command by name does not load the descriptions of the others. */
    @Test
    void eachCommandRunsByItselfAsAmongTheOthers() {
        Map<String, CommandLine> all = Main.commandLine().getSubcommands();

        assertThat(all).hasSizeGreaterThan(15);
        all.forEach((name, command) -> assertThat(printed(name, "--help"))
                .as(name)
                .isEqualTo(command.getUsageMessage(CommandLine.Help.Ansi.OFF))
                .contains("mavlogd " + name));
    }

    /** Runs {@link Main#run}, which other tests do not use. */
    private static String printed(String... words) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.run(words)).isZero();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
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
