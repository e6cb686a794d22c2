package org.mavlogd.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/** How every command line reports wrong words and internal errors. */
public final class CommandLines {
    private CommandLines() {}

    /** Gives it the handlers that all commands have. */
    public static CommandLine furnished(CommandLine commandLine) {
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((cause, command, words) ->
                        internalError(cause, command.getCommandSpec().qualifiedName(), command.getErr()));
    }

    /** Prints all that helps to find an internal error; returns none of the exit codes that the commands promise. */
    public static int internalError(Exception cause, String command, PrintWriter err) {
        err.println(command + ": internal error, please report this: " + cause);
        cause.printStackTrace(err);
        err.flush();
        return ExitCode.SOFTWARE;
    }
}
