package org.mavlogd.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.Terminal;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.status.UploadReport;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code mavlogd logs}: lists, finds, protects and deletes recorded logs. */
@Command(
        name = "logs",
        description = {
            "List the recorded and the fetched logs with their states.",
            "recording: a recorder is writing it. unfinished: its recorder crashed or lost power, and the next start completes it. "
                    + "incomplete: not completely fetched yet. remarks: 'mavlogd append' added messages."
        },
        synopsisSubcommandLabel = "[keep | unkeep | rm | path NAME...]",
        subcommands = {
            LogsCommand.Keep.class,
            LogsCommand.Unkeep.class,
            LogsCommand.Remove.class,
            LogsCommand.PathOf.class
        },
        exitCodeList = {
            "0:done",
            "1:failed: the directory cannot be read or written, or there is no such log",
            "2:wrong usage",
            "78:the configuration is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd logs",
            "  mavlogd logs keep LAST",
            "  mavlogd logs rm LAST~2",
            "  scp $(mavlogd logs path LAST) laptop:",
            "  mavlogd logs --dir /media/card --json"
        })
final class LogsCommand extends LogCommand {
    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    @Mixin
    private LogPlace place = new LogPlace();

    /** An operation on the directory. */
    @FunctionalInterface
    private interface Task {
        int run(FileDisk disk, Optional<Settings> settings) throws IOException;
    }

    @Override
    protected int execute() {
        return inDirectory(this, this::list);
    }

    private int list(FileDisk disk, Optional<Settings> settings) throws IOException {
        LogsListing listing = new LogsListing(
                disk,
                new LogDirectory(disk).logs(),
                NamedLog.fetched(disk).logs(),
                settings.map(Settings::space),
                settings.flatMap(its -> UploadReport.read(its.uploads())));
        if (json) {
            listing.printJson(out());
        } else {
            listing.print(out(), colours());
        }
        return ExitCode.OK;
    }

    /** Runs a task in the directory; {@code speaker} is the command whose name precedes error messages. */
    private int inDirectory(LogCommand speaker, Task task) {
        Optional<Path> directory = place.directory(speaker::spec);
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

    /** An operation on the named logs. */
    @FunctionalInterface
    private interface OnLogs {
        int run(Map<String, NamedLog> logs) throws IOException;
    }

    /** The base of commands on named logs. */
    abstract static class OnNames extends LogCommand {
        static final String NAME =
                "A name from the list of 'mavlogd logs', with or without .ulg, .bin or .tlog; LAST for the newest log, LAST~1 for the one "
                        + "before it.";

        @ParentCommand
        @SuppressWarnings("NullAway.Init") // set by picocli
        private LogsCommand parent;

        /** Finds all logs, or fails with the first missing one. */
        final int onLogs(List<String> names, OnLogs work) {
            return parent.inDirectory(this, (disk, settings) -> {
                Map<String, NamedLog> logs = new LinkedHashMap<>();
                for (String name : names) {
                    NamedLog log = find(disk, name);
                    logs.put(log.text(), log);
                }
                return work.run(logs);
            });
        }

        private NamedLog find(FileDisk disk, String name) throws IOException {
            if (!NamedLog.isName(name)) {
                throw new ParameterException(
                        spec().commandLine(),
                        "'" + name + "' is not a name of a log" + SimilarWord.hint(name, NamedLog.names(disk))
                                + ": give a name without a path, or LAST");
            }
            try {
                return NamedLog.find(disk, name);
            } catch (NoSuchFileException e) {
                throw new FileSystemException(
                        name,
                        null,
                        "no such log in " + disk.location() + SimilarWord.hint(name, NamedLog.names(disk))
                                + "; 'mavlogd logs' lists the logs");
            }
        }

        final int onDirectory(Task task) {
            return parent.inDirectory(this, task);
        }
    }

    /** {@code mavlogd logs keep}. */
    @Command(
            name = "keep",
            description =
                    "Mark a log with all its files, so that it is never deleted to make room, also one that is being recorded.",
            exitCodeList = {"0:marked", "1:failed, or there is no such log", "2:wrong usage", "78:wrong configuration"})
    static final class Keep extends OnNames {
        @Parameters(arity = "1..*", paramLabel = "NAME", description = NAME)
        private List<String> names = new ArrayList<>();

        @Override
        protected int execute() {
            return onLogs(names, logs -> {
                for (NamedLog log : logs.values()) {
                    out().println(log.text() + (log.keep() ? ": kept" : ": was kept already"));
                }
                return ExitCode.OK;
            });
        }
    }

    /** {@code mavlogd logs unkeep}. */
    @Command(
            name = "unkeep",
            description = "Remove the mark of 'keep'.",
            exitCodeList = {
                "0:no longer marked",
                "1:failed, or there is no such log",
                "2:wrong usage",
                "78:wrong configuration"
            })
    static final class Unkeep extends OnNames {
        @Parameters(arity = "1..*", paramLabel = "NAME", description = NAME)
        private List<String> names = new ArrayList<>();

        @Override
        protected int execute() {
            return onLogs(names, logs -> {
                for (NamedLog log : logs.values()) {
                    out().println(log.text() + (log.unkeep() ? ": no longer kept" : ": was not kept"));
                }
                return ExitCode.OK;
            });
        }
    }

    /** {@code mavlogd logs path}. */
    @Command(
            name = "path",
            description = "Print the path of each file of a log, one per line; without a name, the log directory.",
            exitCodeList = {"0:printed", "1:failed, or there is no such log", "2:wrong usage", "78:wrong configuration"
            })
    static final class PathOf extends OnNames {
        @Parameters(arity = "0..*", paramLabel = "NAME", description = NAME)
        private List<String> names = new ArrayList<>();

        @Override
        protected int execute() {
            if (names.isEmpty()) {
                return onDirectory((disk, settings) -> {
                    out().println(disk.location());
                    return ExitCode.OK;
                });
            }
            return onLogs(names, logs -> {
                for (NamedLog log : logs.values()) {
                    log.files().forEach(out()::println);
                }
                return ExitCode.OK;
            });
        }
    }

    /** {@code mavlogd logs rm}. */
    @Command(
            name = "rm",
            description = {
                "Delete logs with all their files. On a terminal it asks first.",
                "If one of the logs is kept or being written, nothing is deleted."
            },
            exitCodeList = {
                "0:deleted",
                "1:failed, refused, or there is no such log",
                "2:wrong usage",
                "78:wrong configuration"
            })
    static final class Remove extends OnNames {
        @Parameters(arity = "1..*", paramLabel = "NAME", description = NAME)
        private List<String> names = new ArrayList<>();

        @Option(
                names = {"-y", "--yes"},
                description = "Do not ask.")
        private boolean yes;

        @Override
        protected int execute() {
            return onLogs(names, this::remove);
        }

        private int remove(Map<String, NamedLog> logs) throws IOException {
            if (isAnyRefused(logs)) {
                return ExitCode.FAILED;
            }
            if (!yes && Terminal.isStandardInput()) {
                if (!Terminal.isStandardError()) {
                    return fail(
                            "nothing was deleted: the question cannot be shown, because standard error is not a terminal; "
                                    + "give --yes to delete");
                }
                if (!isWanted(logs)) {
                    return fail("nothing was deleted");
                }
            }
            for (NamedLog log : logs.values()) {
                log.delete();
                out().println(log.text() + ": deleted");
            }
            return ExitCode.OK;
        }

        /** Whether any of the logs may not be deleted; reports each of them. */
        private boolean isAnyRefused(Map<String, NamedLog> logs) throws IOException {
            boolean isRefused = false;
            for (NamedLog log : logs.values()) {
                String refusal = log.refusal();
                if (!refusal.isEmpty()) {
                    warn(log.text() + ": " + refusal);
                    isRefused = true;
                }
            }
            return isRefused;
        }

        private boolean isWanted(Map<String, NamedLog> logs) throws IOException {
            long bytes = logs.values().stream().mapToLong(NamedLog::bytes).sum();
            logs.keySet().forEach(err()::println);
            err().print("Delete " + Words.count(logs.size(), "log") + ", " + Words.bytes(bytes) + "? [y/N] ");
            err().flush();
            String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        }
    }
}
