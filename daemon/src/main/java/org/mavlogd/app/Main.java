package org.mavlogd.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
        name = "mavlogd",
        description = "Records the log that a drone, rover or boat streams over MAVLink.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            SimulateCommand.class,
            InfoCommand.class,
            CheckCommand.class,
            RecoverCommand.class,
            AppendCommand.class,
            ExportCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'mavlogd COMMAND --help' tells more about a command."})
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors());
    }
}
