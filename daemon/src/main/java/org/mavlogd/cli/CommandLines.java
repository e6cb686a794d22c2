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
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports wrong usage and internal errors in the same way for all commands. */
public final class CommandLines {
    /** What {@link #isOutputLost} means, for the user. */
    public static final String OUTPUT_LOST = "standard output: cannot be written";

    /** picocli's message for a word that is none of an enum's constants, which it lists in capitals. */
    private static final Pattern NOT_ONE_OF =
            Pattern.compile("expected one of \\[([A-Za-z0-9_, ]+)] \\(case-insensitive\\) but was '(.*)'");

    private CommandLines() {}

    /** Sets the handlers that all commands have. */
    public static CommandLine furnished(CommandLine commandLine) {
        return furnished(commandLine, List.of());
    }

    /**
     * The same.
     *
     * @param elsewhere names of commands that are not loaded, but may be meant
     */
    public static CommandLine furnished(CommandLine commandLine, List<String> elsewhere) {
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(new KnownCommands())
                .setParameterExceptionHandler(new UsageErrors(elsewhere))
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

    /** Reports an unknown command also if help is requested: picocli then shows that of the command above it. */
    private static final class KnownCommands extends CommandLine.RunLast {
        @Override
        public int execute(ParseResult words) {
            ParseResult last = words;
            while (last.hasSubcommand()) {
                last = last.subcommand();
            }
            CommandLine command = last.commandSpec().commandLine();
            List<String> unknown = last.unmatched();
            if (!unknown.isEmpty() && !command.getSubcommands().isEmpty()) {
                throw new UnmatchedArgumentException(command, unknown);
            }
            return super.execute(words);
        }
    }

    /** Executes a command; returns its exit code, which is not 0 if its output was lost, also that of {@code --help}. */
    public static int execute(CommandLine command, String... arguments) {
        int code = command.execute(arguments);
        if (code != ExitCode.OK || !isOutputLost(command.getOut())) {
            return code;
        }
        command.getErr().println(command.getCommandName() + ": " + OUTPUT_LOST);
        command.getErr().flush();
        return ExitCode.FAILED;
    }

    /**
     * Whether something that was printed could not be written to standard output. A program that reads it through a
     * pipe may end early: that is no error.
     */
    public static boolean isOutputLost(PrintWriter out) {
        // The writer does not see errors of the stream below it.
        boolean failed = out.checkError() || System.out.checkError();
        return failed && !Terminal.isStandardOutputPiped();
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
        private final List<String> elsewhere;

        /** @param elsewhere names of commands that are not loaded, but may be meant */
        private UsageErrors(List<String> elsewhere) {
            this.elsewhere = elsewhere;
        }

        @Override
        public int handleParseException(ParameterException reported, String[] arguments) {
            ParameterException wrong = causeOf(reported);
            String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
            PrintWriter err = wrong.getCommandLine().getErr();
            err.println(command + ": " + what(wrong) + suggestion(wrong) + " (see '" + command + " --help')");
            err.flush();
            return ExitCode.USAGE;
        }

        /** An unknown option is the cause of a missing one, and of words that would be its values. */
        private static ParameterException causeOf(ParameterException wrong) {
            CommandLine command = wrong.getCommandLine();
            List<String> options = command.getUnmatchedArguments().stream()
                    .filter(word -> word.startsWith("-"))
                    .toList();
            boolean isCause = wrong instanceof MissingParameterException
                    || (wrong instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption());
            return isCause && !options.isEmpty() ? new UnmatchedArgumentException(command, options) : wrong;
        }

        /** picocli's message, with the user's words in place of indexes and names of constants. */
        private static String what(ParameterException wrong) {
            if (wrong instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
                String word = "'" + unmatched.getUnmatched().get(0) + "'";
                return hasCommands(wrong) ? "there is no command " + word : "unexpected argument " + word;
            }
            String what = String.valueOf(wrong.getMessage())
                    .replaceFirst("^Error: ", "")
                    .replaceAll("\\R\\s*", " ");
            return NOT_ONE_OF
                    .matcher(what)
                    .replaceFirst(found -> Matcher.quoteReplacement('"' + found.group(2)
                            + "\" is not one of the choices; allowed: "
                            + found.group(1).toLowerCase(Locale.ROOT)));
        }

        private static boolean hasCommands(ParameterException wrong) {
            return !wrong.getCommandLine().getSubcommands().isEmpty();
        }

        private String suggestion(ParameterException wrong) {
            if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
                return "";
            }
            List<String> similar = new ArrayList<>();
            if (unmatched.isUnknownOption()) {
                similar.addAll(unmatched.getSuggestions());
            }
            // For commands picocli compares pairs of letters: "cvs" shares none with "csv", and "bogus" one with
            // "logs".
            if (similar.isEmpty()) {
                CommandLine command = wrong.getCommandLine();
                List<String> known = new ArrayList<>(command.getSubcommands().keySet());
                known.addAll(command.getParent() == null && hasCommands(wrong) ? elsewhere : List.of());
                similar.add(SimilarWord.nearest(unmatched.getUnmatched().get(0), known));
            }
            return similar.get(0).isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
        }
    }
}
