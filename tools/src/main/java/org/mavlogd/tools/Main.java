package org.mavlogd.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.app.RunCommand;
import org.mavlogd.app.RunMain;
import org.mavlogd.cli.Architecture;
import org.mavlogd.cli.CommandLines;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.HelpAndVersion;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Version;
import org.mavlogd.manual.CompletionCommand;
import org.mavlogd.manual.HelpCommand;
import org.mavlogd.manual.ManPagesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line. */
@Command(
        name = "mavlogd",
        description =
                "Record the log that a drone, rover or boat streams over MAVLink, and read, check and export logs.",
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'mavlogd help COMMAND' prints the help of a command."})
public final class Main {
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();
    /** Commands that document the others. */
    private static final List<Class<?>> MANUAL =
            List.of(HelpCommand.class, CompletionCommand.class, ManPagesCommand.class);

    static {
        COMMANDS.put("run", RunCommand.class);
        COMMANDS.put("init", InitCommand.class);
        COMMANDS.put("status", StatusCommand.class);
        COMMANDS.put("config", ConfigCommand.class);
        COMMANDS.put("logs", LogsCommand.class);
        COMMANDS.put("simulate", SimulateCommand.class);
        COMMANDS.put("publish", PublishCommand.class);
        COMMANDS.put("fetch", FetchCommand.class);
        COMMANDS.put("info", InfoCommand.class);
        COMMANDS.put("params", ParamsCommand.class);
        COMMANDS.put("messages", MessagesCommand.class);
        COMMANDS.put("cat", CatCommand.class);
        COMMANDS.put("check", CheckCommand.class);
        COMMANDS.put("recover", RecoverCommand.class);
        COMMANDS.put("convert", ConvertCommand.class);
        COMMANDS.put("cut", CutCommand.class);
        COMMANDS.put("filter", FilterCommand.class);
        COMMANDS.put("merge", MergeCommand.class);
        COMMANDS.put("append", AppendCommand.class);
        COMMANDS.put("export", ExportCommand.class);
    }

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpAndVersion helpAndVersion = new HelpAndVersion();

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        int code = run(arguments);
        StopSignal.ended();
        System.exit(code);
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
        LoggingSetup.installWhenNeeded(LoggingSetup.Level.INFO, System.getenv());
        if (isInfoOfLog(arguments)) {
            return InfoCommand.of(Path.of(arguments[1]));
        }
        return CommandLines.execute(commandLineOf(arguments), arguments);
    }

    /**
     * Whether this is {@code info LOG} without options or a file of arguments: it needs no parser of command lines,
     * which would take a third of the time for a small log.
     */
    private static boolean isInfoOfLog(String... arguments) {
        return arguments.length == 2
                && arguments[0].equals("info")
                && !arguments[1].isEmpty()
                && !arguments[1].startsWith("-")
                && !arguments[1].startsWith("@");
    }

    /** The command line with the command that the arguments name, or else with all. */
    static CommandLine commandLineOf(String... arguments) {
        Class<?> named = arguments.length > 0 ? COMMANDS.get(arguments[0]) : null;
        // Reading the descriptions of all commands takes longer than reading a small log.
        return named == null ? commandLine() : commandLine(List.of(named));
    }

    /** The command line with all commands. */
    public static CommandLine commandLine() {
        List<Class<?>> all = new ArrayList<>(COMMANDS.values());
        all.addAll(AddedCommand.all());
        all.addAll(MANUAL);
        return commandLine(all);
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine commandLine = new CommandLine(new Main());
        for (Class<?> command : commands) {
            commandLine.addSubcommand(command);
        }
        return CommandLines.furnished(commandLine, AddedCommand.NAMES);
    }
}
