package org.mavlogd.app;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
            FetchCommand.class,
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
        String problem = Architecture.problem(System.getProperty("os.arch", ""));
        if (!problem.isEmpty()) {
            System.err.println(problem);
            return ExitCode.CONFIG;
        }
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        if (arguments.length == 0 || !arguments[0].equals("run")) {
            return commandLine().execute(arguments);
        }
        HeadStart.begin();
        if (arguments.length == 3 && arguments[1].equals("--config")) {
            return service(Path.of(arguments[2]));
        }
        return recorder().execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    /** As systemd starts it: that needs no parser of command lines, which takes a tenth of the time until it is ready. */
    private static int service(Path config) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            return new RecorderRun(config, false, out, err).record();
        } catch (Exception e) {
            return brokenInvariant(e, "mavlogd run", err);
        }
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
                .setExecutionExceptionHandler((cause, command, words) ->
                        brokenInvariant(cause, command.getCommandSpec().qualifiedName(), command.getErr()));
    }

    /** A mistake of ours: none of the exit codes that the commands promise, and all that helps to find it. */
    private static int brokenInvariant(Exception cause, String command, PrintWriter err) {
        err.println(command + ": broken invariant, please report this: " + cause);
        cause.printStackTrace(err);
        err.flush();
        return ExitCode.SOFTWARE;
    }
}
