package org.mavlogd.tools;

import java.util.Arrays;
import org.mavlogd.app.RunCommand;
import org.mavlogd.app.RunMain;
import org.mavlogd.cli.Architecture;
import org.mavlogd.cli.CommandLines;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Version;
import org.mavlogd.manual.CompletionCommand;
import org.mavlogd.manual.HelpCommand;
import org.mavlogd.manual.ManPagesCommand;
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
            ParamsCommand.class,
            MessagesCommand.class,
            CatCommand.class,
            CheckCommand.class,
            RecoverCommand.class,
            ConvertCommand.class,
            CutCommand.class,
            FilterCommand.class,
            MergeCommand.class,
            AppendCommand.class,
            ExportCommand.class,
            HelpCommand.class,
            CompletionCommand.class,
            ManPagesCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'mavlogd help COMMAND' tells more about a command."})
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    public static int run(String... arguments) {
        if (arguments.length > 0 && arguments[0].equals("run")) {
            return RunMain.run(Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        String problem = Architecture.problem(System.getProperty("os.arch", ""));
        if (!problem.isEmpty()) {
            System.err.println(problem);
            return ExitCode.CONFIG;
        }
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        return commandLine().execute(arguments);
    }

    public static CommandLine commandLine() {
        return CommandLines.furnished(new CommandLine(new Main()));
    }
}
