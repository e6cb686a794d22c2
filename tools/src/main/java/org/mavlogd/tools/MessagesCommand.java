package org.mavlogd.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.logtools.LogMessages;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LogLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd messages}: the messages in a log. */
@Command(
        name = "messages",
        description = {
            "Print the messages in a log in the order of their times: logged ones, tagged ones, and PX4's events.",
            "Events are decoded with the definitions in the log. A message that PX4 logs both as an event and as a logged message "
                    + "is printed once."
        },
        exitCodeList = {
            "0:the log was read to its end",
            "3:the log, or the definitions of its events, are damaged: one line on standard error; the rest was read",
            "1:not a log, rejected, unreadable, or without the tag",
            "2:wrong usage"
        })
final class MessagesCommand extends LogReadCommand {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int MAX_TEXT = 1000;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            defaultValue = "debug",
            converter = LevelWord.class,
            description =
                    "Only messages at least this severe: emergency, alert, critical, error, warning, notice, info or "
                            + "debug (default: all).")
    private LogLevel level = LogLevel.DEBUG;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "Only tagged messages with this tag, a name or a number.")
    private @Nullable String tag;

    @Mixin
    private TimeOptions period = new TimeOptions();

    @Option(names = "--json", description = "Print one JSON object per line for each message.")
    private boolean json;

    @Option(names = "--follow", description = "Continue to read while the log is being written, until it is finished.")
    private boolean follow;

    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    @Override
    protected int execute() {
        return onLog(named, this::print);
    }

    private int print(Path log) throws IOException {
        TimeRange time = period.range();
        LogMessages messages = new LogMessages(
                new LogMessages.Filter(level, Optional.ofNullable(tag), time),
                json ? this::printJson : this::printLine);
        if (follow) {
            messages.follow(log, out()::flush, remark -> warn(LogSource.nameOf(log) + ": " + remark));
        } else {
            withProgress(progress -> {
                messages.read(log, progress);
                return messages;
            });
        }
        messages.missingTag().ifPresent(remark -> warn(LogSource.nameOf(log) + ": " + remark));
        Optional<String> problem = messages.problem();
        problem.ifPresent(text -> warn(LogSource.nameOf(log) + ": " + Words.line(text, MAX_TEXT)));
        return problem.isPresent() ? ExitCode.PARTIAL : ExitCode.OK;
    }

    private void printLine(Message message, LogMessages log) {
        String source = message.kind() == Kind.TAGGED ? "[" + log.tagText(message.tag()) + "] " : "";
        out().println(String.format(
                Locale.ROOT,
                "%-24s %s %s",
                log.timeText(message.timestampUs()),
                coloured(message.level(), String.format(Locale.ROOT, "%-9s", level(message))),
                Words.line(source + message.text(), MAX_TEXT)));
    }

    private String coloured(LogLevel level, String word) {
        return switch (level) {
            case EMERGENCY, ALERT, CRITICAL, ERROR -> colours().bad(word);
            case WARNING -> colours().doubtful(word);
            case NOTICE, INFO, DEBUG -> word;
        };
    }

    private static String level(Message message) {
        return message.level().name().toLowerCase(Locale.ROOT);
    }

    private void printJson(Message message, LogMessages log) {
        StringWriter line = new StringWriter();
        try (JsonGenerator object = FACTORY.createGenerator(line)) {
            object.writeStartObject();
            object.writeFieldName("t_us");
            object.writeNumber(Long.toUnsignedString(message.timestampUs()));
            object.writeStringField(
                    "utc",
                    log.utcAt(message.timestampUs()).map(Instant::toString).orElse(null));
            object.writeStringField("level", level(message));
            object.writeStringField("kind", message.kind().text());
            if (message.kind() == Kind.TAGGED) {
                tag(object, message.tag(), log);
            }
            object.writeStringField("message", message.text().stripTrailing());
            object.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not fail
        }
        out().println(line);
    }

    /** Writes a tag, with its name if the log has one. */
    private static void tag(JsonGenerator object, int tag, LogMessages log) throws IOException {
        Optional<String> name = log.tagName(tag);
        if (name.isPresent()) {
            object.writeStringField("tag", name.get());
        } else {
            object.writeNumberField("tag", tag);
        }
    }
}
