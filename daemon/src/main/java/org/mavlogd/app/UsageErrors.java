package org.mavlogd.app;

import java.io.PrintWriter;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Says in one line what is wrong with the words of a command line. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = wrong.getCommandLine().getErr();
        String what = String.valueOf(wrong.getMessage()).replaceAll("\\R\\s*", " ");
        err.println(command + ": " + what + " (see '" + command + " --help')");
        err.flush();
        return ExitCode.USAGE;
    }
}
