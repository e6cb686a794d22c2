package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.fetch.FetchedMarks;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.wiring.FetchAfterFlight;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code mavlogd logs}: which logs there are, and which of them are never to be deleted. */
@Command(
        name = "logs",
        description = {
            "List the recorded logs with their states.",
            "Growing: being recorded. Left over: its recorder ended badly and has not mended it yet."
        },
        synopsisSubcommandLabel = "[keep NAME | unkeep NAME]",
        subcommands = {LogsCommand.Keep.class, LogsCommand.Unkeep.class},
        exitCodeList = {
            "0:done",
            "1:failed: the directory cannot be read or written, or there is no such log",
            "2:wrong usage",
            "78:the configuration is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  mavlogd logs", "  mavlogd logs keep LAST", "  mavlogd logs --dir /media/card --json"})
final class LogsCommand extends LogCommand {
    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    @Mixin
    private LogPlace place = new LogPlace();

    /** What a command does with the directory. */
    @FunctionalInterface
    private interface Task {
        int run(FileDisk disk, Optional<Settings> settings) throws IOException;
    }

    @Override
    int execute() {
        return inDirectory(this, this::list);
    }

    private int list(FileDisk disk, Optional<Settings> settings) throws IOException {
        LogsListing listing = new LogsListing(disk, new LogDirectory(disk).logs(), settings.map(Settings::space));
        if (json) {
            listing.printJson(out());
        } else {
            listing.print(out());
        }
        return ExitCode.OK;
    }

    /** {@code speaker} is the command that was given: its name stands before what went wrong. */
    private int inDirectory(LogCommand speaker, Task task) {
        Optional<Path> directory = place.directory(speaker.spec());
        if (directory.isPresent()) {
            return in(directory.get(), Optional.empty(), speaker, task);
        }
        Settings settings;
        try {
            settings = place.settings();
        } catch (ConfigException e) {
            e.problems().forEach(speaker::warn);
            return ExitCode.CONFIG;
        }
        return in(settings.logDirectory(), Optional.of(settings), speaker, task);
    }

    private static int in(Path place, Optional<Settings> settings, LogCommand speaker, Task task) {
        if (!Files.isDirectory(place)) {
            return speaker.fail(place + (Files.exists(place) ? ": not a directory" : ": no such directory"));
        }
        try {
            return task.run(new FileDisk(place), settings);
        } catch (IOException e) {
            return speaker.fail(place, e);
        }
    }

    /** What the commands on one log have in common. */
    abstract static class OnOneLog extends LogCommand {
        @ParentCommand
        @SuppressWarnings("NullAway.Init") // set by picocli
        private LogsCommand parent;

        @Parameters(
                paramLabel = "NAME",
                description =
                        "A name as 'mavlogd logs' lists it, .ulg or .bin may be left out; LAST for the newest log, LAST~1 for the one before; or the whole "
                                + "name of a log below 'fetched'.")
        private String name = "";

        abstract int apply(LogDirectory logs, LogDirectory.Log log) throws IOException;

        /** The names of all files of the log. */
        static String files(LogDirectory logs, LogDirectory.Log log) throws IOException {
            return logs.filesOf(log).stream().map(LogDirectory.Log::name).collect(Collectors.joining(", "));
        }

        /** The same for a log that was fetched from a vehicle. */
        abstract int apply(FetchedMarks marks, String log) throws IOException;

        @Override
        final int execute() {
            if (FetchedMarks.isName(name)) {
                return parent.inDirectory(
                        this,
                        (disk, settings) -> apply(
                                new FetchedMarks(Path.of(disk.location()).resolve(FetchAfterFlight.DIRECTORY)), name));
            }
            if (!LogDirectory.isName(name)) {
                throw new ParameterException(
                        spec().commandLine(), "'" + name + "' is no log's name: a plain name or LAST is needed");
            }
            return parent.inDirectory(this, (disk, settings) -> {
                LogDirectory logs = new LogDirectory(disk);
                return apply(logs, logs.find(name));
            });
        }
    }

    /** {@code mavlogd logs keep}. */
    @Command(
            name = "keep",
            description = "Mark a log, all its files, so that it is never deleted to make room. It may still grow.",
            exitCodeList = {"0:marked", "1:failed, or there is no such log", "2:wrong usage", "78:wrong configuration"})
    static final class Keep extends OnOneLog {
        @Override
        int apply(LogDirectory logs, LogDirectory.Log log) throws IOException {
            String files = files(logs, log);
            out().println(files + (logs.keep(log) ? ": kept" : ": was kept already"));
            return ExitCode.OK;
        }

        @Override
        int apply(FetchedMarks marks, String log) throws IOException {
            out().println(log + (marks.keep(log) ? ": kept" : ": was kept already"));
            return ExitCode.OK;
        }
    }

    /** {@code mavlogd logs unkeep}. */
    @Command(
            name = "unkeep",
            description = "Take the mark of 'keep' away.",
            exitCodeList = {
                "0:not marked any more",
                "1:failed, or there is no such log",
                "2:wrong usage",
                "78:wrong configuration"
            })
    static final class Unkeep extends OnOneLog {
        @Override
        int apply(LogDirectory logs, LogDirectory.Log log) throws IOException {
            String files = files(logs, log);
            out().println(files + (logs.unkeep(log) ? ": no longer kept" : ": was not kept"));
            return ExitCode.OK;
        }

        @Override
        int apply(FetchedMarks marks, String log) throws IOException {
            out().println(log + (marks.unkeep(log) ? ": no longer kept" : ": was not kept"));
            return ExitCode.OK;
        }
    }
}
