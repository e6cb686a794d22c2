package org.mavlogd.app;

import java.io.PrintWriter;
import java.util.Arrays;
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
            LogsCommand.class,
            SimulateCommand.class,
            PublishCommand.class,
            InfoCommand.class,
            CheckCommand.class,
            RecoverCommand.class,
            ConvertCommand.class,
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
        if (arguments.length > 0 && arguments[0].equals("run")) {
            return recorder().execute(Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        return commandLine().execute(arguments);
    }

    /** {@code mavlogd run} by itself: to learn of the other commands first would take a fifth of the time to start. */
    static CommandLine recorder() {
        return furnished(new CommandLine(new RunCommand()).setCommandName("mavlogd run"));
    }

    static CommandLine commandLine() {
        return furnished(new CommandLine(new Main()));
    }

    private static CommandLine furnished(CommandLine commandLine) {
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(Main::brokenInvariant);
    }

    /** A mistake of ours: none of the exit codes that the commands promise, and all that helps to find it. */
    private static int brokenInvariant(Exception cause, CommandLine command, CommandLine.ParseResult words) {
        PrintWriter err = command.getErr();
        err.println(command.getCommandSpec().qualifiedName() + ": broken invariant, please report this: " + cause);
        cause.printStackTrace(err);
        err.flush();
        return ExitCode.SOFTWARE;
    }
}
