package org.mavlogd.tools;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.dataflash.MessageDescriptions;
import org.mavlogd.dataflash.MessageDescriptions.Description;
import org.mavlogd.dataflash.MessageDescriptions.FieldDescription;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.LoggedFiles;
import org.mavlogd.survey.SurveyJson;
import org.mavlogd.survey.SurveyText;
import org.mavlogd.survey.SurveyText.Shown;
import org.mavlogd.survey.TopicFields;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd info}: shows the contents of a log. */
@Command(
        name = "info",
        description = "Show what is in a log: vehicle, flight, modes, topics, parameters, messages and damage.",
        exitCodeList = {
            "0:the log can be read, damaged or not (see 'mavlogd check')",
            "3:with --file: the log does not hold all of that file",
            "1:not a log, rejected, unreadable, or without the requested topic or file",
            "2:wrong usage"
        })
final class InfoCommand extends LogReadCommand {
    private static final int NAME_WIDTH = 40;

    @Option(names = "--all-topics", description = "List every topic, not only the 20 largest.")
    private boolean allTopics;

    @Option(
            names = "--all-messages",
            description = "List all messages, including those about gaps, not only the first 100.")
    private boolean allMessages;

    @ArgGroup
    private @Nullable Instead instead;

    /** Alternatives to the survey; at most one is given. */
    private static final class Instead {
        @Option(names = "--json", description = "Print one JSON object instead.")
        private boolean json;

        @Option(
                names = "--fields",
                paramLabel = "TOPIC",
                description = "List the fields of a topic in the log instead, with their types and known units.")
        private @Nullable String fields;

        @Option(names = "--files", description = "List the files that an ArduPilot vehicle has logged instead.")
        private boolean files;

        @Option(names = "--file", paramLabel = "NAME", description = "Print one of these files unchanged.")
        private @Nullable String file;

        @Option(
                names = "--describe",
                paramLabel = "TOPIC",
                description = "Print the meaning of an ArduPilot topic and its fields; takes no LOG.")
        private @Nullable String topic;
    }

    @Parameters(paramLabel = "LOG", arity = "0..1", description = LOG)
    private @Nullable Path log;

    /** Executes {@code mavlogd info LOG} without options; returns its exit code. */
    static int of(Path log) {
        InfoCommand command = new InfoCommand();
        command.log = log;
        return command.callAs("mavlogd info");
    }

    @Override
    protected int execute() {
        Instead what = instead == null ? new Instead() : instead;
        if (what.topic != null) {
            return describe(what.topic);
        }
        if (log == null) {
            throw new ParameterException(spec().commandLine(), "Missing required parameter: 'LOG'");
        }
        return onLog(log, file -> show(file, what));
    }

    private int show(Path file, Instead what) throws IOException {
        if (what.files) {
            return listFiles(file);
        }
        if (what.fields != null) {
            return listFields(file, what.fields);
        }
        return what.file != null ? printFile(file, what.file) : survey(file, what.json);
    }

    private int survey(Path file, boolean json) throws IOException {
        Shown shown = new Shown(
                allTopics ? Shown.ALL : Shown.DEFAULT.topics(), allMessages ? Shown.ALL : Shown.DEFAULT.messages());
        LogSurvey survey = withProgress(
                progress -> allMessages ? LogSurvey.of(file, Shown.ALL, progress) : LogSurvey.of(file, progress));
        if (json) {
            SurveyJson.print(survey, out());
        } else {
            SurveyText.print(LogSource.nameOf(file), survey, shown, out());
        }
        return ExitCode.OK;
    }

    private int listFields(Path file, String topic) throws IOException {
        TopicFields fields = withProgress(progress -> TopicFields.of(file, topic, progress));
        int count = fields.instances().size();
        out().println(Words.line(topic, NAME_WIDTH) + (count == 1 ? "" : ", " + Words.count(count, "instance")));
        out().println();
        out().printf(Locale.ROOT, "  %-40s %-14s %s%n", "Field", "Type", "Unit");
        for (TopicFields.FieldLine field : fields.fields()) {
            String line = String.format(
                    Locale.ROOT,
                    "  %-40s %-14s %s",
                    Words.line(field.name(), 120),
                    field.type(),
                    Words.line(field.unit(), NAME_WIDTH));
            out().println(line.stripTrailing());
        }
        return ExitCode.OK;
    }

    private int listFiles(Path file) throws IOException {
        LoggedFiles files = withProgress(progress -> LoggedFiles.of(file, progress));
        if (files.files().isEmpty()) {
            out().println("no files");
        } else {
            print(files, out());
        }
        return ExitCode.OK;
    }

    /** Prints a file as bytes, bypassing the text writer. */
    private int printFile(Path file, String name) throws IOException {
        LoggedFiles files = withProgress(progress -> LoggedFiles.of(file, progress));
        Optional<LoggedFiles.Copies> found = files.file(name);
        if (found.isEmpty()) {
            List<String> names = files.files().stream()
                    .map(copies -> Words.line(copies.name(), NAME_WIDTH))
                    .toList();
            return fail(LogSource.nameOf(file) + ": no file \"" + name + "\"" + SimilarWord.hint(name, names)
                    + "; --files lists the files in the log");
        }
        PrintStream bytes = System.out;
        bytes.writeBytes(found.get().bytes());
        bytes.flush();
        if (!found.get().isComplete()) {
            warn(file + ": the log does not hold all of \"" + name + "\"");
            return ExitCode.PARTIAL;
        }
        return ExitCode.OK;
    }

    private int describe(String topic) {
        if (log != null) {
            throw new ParameterException(spec().commandLine(), "--describe takes no LOG");
        }
        try {
            Optional<Description> found = MessageDescriptions.of(topic);
            if (found.isPresent()) {
                print(found.get(), out());
                return ExitCode.OK;
            }
            List<String> names =
                    MessageDescriptions.all().stream().map(Description::name).toList();
            return fail("\"" + topic + "\" is not a topic in ArduPilot's list of log messages"
                    + SimilarWord.hint(topic.toUpperCase(Locale.ROOT), names));
        } catch (IOException e) {
            throw new IllegalStateException("the descriptions that come with the program cannot be read", e);
        }
    }

    /** Prints the meaning of a topic and its fields. */
    private static void print(Description description, PrintWriter out) {
        out.println(description.name() + ": " + description.text());
        out.println();
        out.printf(Locale.ROOT, "  %-16s %-18s %s%n", "Field", "Unit", "Meaning");
        for (FieldDescription field : description.fields()) {
            out.println(String.format(Locale.ROOT, "  %-16s %-18s %s", field.label(), field.unit(), field.text())
                    .stripTrailing());
        }
    }

    /** Prints the list of the files in a log. */
    private static void print(LoggedFiles files, PrintWriter out) {
        out.printf(Locale.ROOT, "%-" + NAME_WIDTH + "s %14s %7s  %s%n", "File", "Bytes", "Copies", "State");
        for (LoggedFiles.Copies file : files.files()) {
            out.printf(
                    Locale.ROOT,
                    "%-" + NAME_WIDTH + "s %,14d %7d  %s%n",
                    Words.line(file.name(), NAME_WIDTH - 3),
                    file.bytes().length,
                    file.copies(),
                    state(file));
        }
    }

    private static String state(LoggedFiles.Copies file) {
        if (file.isComplete()) {
            return file.isEndMarked() ? "complete" : "no gap, end not marked";
        }
        return Words.bytes(file.missingBytes()) + " missing" + (file.isEndMarked() ? "" : ", and perhaps the end");
    }
}
