package org.mavlogd.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.text.SimilarWord;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports wrong usage and internal errors in the same way for all commands. */
public final class CommandLines {
    private CommandLines() {}

    /** Sets the handlers that all commands have. */
    public static CommandLine furnished(CommandLine commandLine) {
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new InternalErrors());
    }

    /**
     * A class and not a lambda, because Java's class archive cannot contain lambdas of picocli's types; this saves time
     * at each start.
     */
    private static final class InternalErrors implements IExecutionExceptionHandler {
        @Override
        public int handleExecutionException(Exception cause, CommandLine command, ParseResult words) {
            return internalError(cause, command.getCommandSpec().qualifiedName(), command.getErr());
        }
    }

    /** Prints the details of an internal error; returns an exit code that no command documents for other results. */
    public static int internalError(Exception cause, String command, PrintWriter err) {
        err.println(command + ": internal error, please report this: " + cause);
        cause.printStackTrace(err);
        err.flush();
        return ExitCode.SOFTWARE;
    }

    /** Prints in one line what is wrong with a command line. */
    public static final class UsageErrors implements IParameterExceptionHandler {
        /** picocli's message for a word that is none of an enum's constants, which it lists in capitals. */
        private static final Pattern CHOICES =
                Pattern.compile("expected one of \\[([A-Z0-9_, ]+)] \\(case-insensitive\\) but was '(.*)'");

        @Override
        public int handleParseException(ParameterException wrong, String[] arguments) {
            String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
            PrintWriter err = wrong.getCommandLine().getErr();
            String what = withChoices(String.valueOf(wrong.getMessage()).replaceAll("\\R\\s*", " "));
            err.println(command + ": " + what + suggestion(wrong) + " (see '" + command + " --help')");
            err.flush();
            return ExitCode.USAGE;
        }

        /** Lists the choices as users write them. */
        private static String withChoices(String what) {
            Matcher choices = CHOICES.matcher(what);
            return choices.find()
                    ? what.substring(0, choices.start()) + '"' + choices.group(2)
                            + "\" is not one of the choices; allowed: "
                            + String.valueOf(choices.group(1)).toLowerCase(Locale.ROOT)
                            + what.substring(choices.end())
                    : what;
        }

        private static String suggestion(ParameterException wrong) {
            if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
                return "";
            }
            List<String> similar = new ArrayList<>(unmatched.getSuggestions());
            // picocli compares pairs of letters: "cvs" shares none with "csv".
            if (similar.isEmpty()) {
                similar.add(SimilarWord.nearest(
                        unmatched.getUnmatched().get(0),
                        wrong.getCommandLine().getSubcommands().keySet()));
            }
            return similar.get(0).isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
        }
    }
}
