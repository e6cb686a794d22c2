package org.mavlogd.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.logtools.LogEnd;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.store.FileDisk;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.ULogAppender;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd append}: adds a crash report or a remark to a finished log. */
@Command(
        name = "append",
        customSynopsis = {
            "mavlogd append [-h] [--config FILE | --dir DIR] LOG --crash-text F",
            "       mavlogd append [-h] [--config FILE | --dir DIR] LOG --message LEVEL[:TAG]",
            "                      TEXT"
        },
        description = {
            "Add a crash report or a message to a log, as a section at its end.",
            "The contents of the log stay unchanged, also if this is interrupted. A log takes three sections."
        },
        exitCodeList = {
            "0:appended",
            "1:failed: not a log, no room for a section, a log that is being written, or the file cannot be written",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd append flight.ulg --crash-text fault.txt",
            "  mavlogd append LAST --message warning \"propeller 3 was chipped\"",
            "  mavlogd append flight.ulg --message error:7 \"restarted by the watchdog\""
        })
final class AppendCommand extends LogReadCommand {
    private static final int MAX_CRASH_TEXT_BYTES = 1 << 20;
    private static final String PART = ".part";

    @Parameters(
            paramLabel = "LOG",
            description =
                    "The log: a file (.ulg, not compressed), the name of a recorded log, or LAST, LAST~1 and so on for the newest.")
    private Path named = Path.of("");

    @ArgGroup(multiplicity = "1")
    private Addition addition = new Addition();

    /** Exactly one of these options is given. */
    static final class Addition {
        @Option(
                names = "--crash-text",
                paramLabel = "F",
                description = "A file with a crash report: UTF-8, at most 1 MiB.")
        private @Nullable Path crashText;

        @Option(
                names = "--message",
                arity = "2",
                paramLabel = "LEVEL[:TAG] TEXT",
                hideParamSyntax = true,
                description =
                        "A message with a level (emergency, alert, critical, error, warning, notice, info, debug) "
                                + "and an optional tag (0 to 65535). Its time is the log's end.")
        private String[] message = {};
    }

    @Override
    protected int execute() {
        if (named.equals(LogSource.STANDARD_INPUT)) {
            throw new ParameterException(spec().commandLine(), "standard input cannot be appended to; give a file");
        }
        return onLog(named, this::add);
    }

    private int add(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // Opening a pipe would wait forever.
            return fail(file + (Files.isDirectory(file) ? ": is a directory" : ": is not a regular file"));
        }
        if (isBeingWritten(file)) {
            return fail(file + ": mavlogd is writing this log; append when it is finished, or stop mavlogd first");
        }
        ULogAppender section = new ULogAppender();
        Path source = addition.crashText;
        if (source == null) {
            addMessage(file, section);
        } else {
            try {
                section.crashText(read(source));
            } catch (IOException e) {
                return fail(source, e);
            }
        }
        section.appendTo(file);
        out().println(file + ": appended");
        return ExitCode.OK;
    }

    /**
     * Whether a recorder writes the log now or will soon: a running one continues or finishes unfinished logs of an
     * earlier run.
     */
    private static boolean isBeingWritten(Path file) {
        try {
            Path log = file.toRealPath();
            Path directory = Objects.requireNonNull(log.getParent());
            String name = String.valueOf(log.getFileName());
            return new FileDisk(directory).isGrowing(name) || (name.endsWith(PART) && DirectoryLock.isHeld(directory));
        } catch (IOException e) {
            return false; // a missing file is reported when it is opened
        }
    }

    private void addMessage(Path file, ULogAppender section) throws IOException {
        String text = addition.message[addition.message.length - 1];
        try {
            if (addition.message.length != 2) {
                throw new IllegalArgumentException("--message can be given once");
            }
            MessageSource source = MessageSource.parse(addition.message[0]);
            if (text.isBlank()) {
                throw new IllegalArgumentException("the text of --message is empty");
            }
            source.add(section, withProgress(progress -> LogEnd.latestUs(file, progress)), text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static String read(Path source) throws IOException {
        try (InputStream in = Files.newInputStream(source)) {
            byte[] bytes = in.readNBytes(MAX_CRASH_TEXT_BYTES + 1);
            if (bytes.length == 0) {
                throw new IOException("is empty");
            }
            if (bytes.length > MAX_CRASH_TEXT_BYTES) {
                throw new IOException("more than 1 MiB of text");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The form {@code LEVEL[:TAG]} of a message on the command line. */
    private record MessageSource(LogLevel level, int tag) {
        private static final int MAX_TAG = 65_535;

        static MessageSource parse(String text) {
            int colon = text.indexOf(':');
            return colon < 0
                    ? new MessageSource(LevelWord.level(text), LoggedText.NO_TAG)
                    : new MessageSource(LevelWord.level(text.substring(0, colon)), tag(text.substring(colon + 1)));
        }

        void add(ULogAppender section, long timestampUs, String text) {
            if (tag == LoggedText.NO_TAG) {
                section.loggedString(level, timestampUs, text);
            } else {
                section.taggedString(level, tag, timestampUs, text);
            }
        }

        private static int tag(String digits) {
            try {
                int tag = Integer.parseInt(digits);
                if (tag >= 0 && tag <= MAX_TAG) {
                    return tag;
                }
            } catch (NumberFormatException notANumber) {
                // reported below
            }
            throw new IllegalArgumentException("tag \"" + digits + "\" is not 0 to " + MAX_TAG);
        }
    }
}
