package org.mavlogd.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with the words of a command line. */
public final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = wrong.getCommandLine().getErr();
        String what = String.valueOf(wrong.getMessage()).replaceAll("\\R\\s*", " ");
        err.println(command + ": " + what + suggestion(wrong) + " (see '" + command + " --help')");
        err.flush();
        return ExitCode.USAGE;
    }

    private static String suggestion(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        List<String> similar = unmatched.getSuggestions();
        return similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
    }
}
