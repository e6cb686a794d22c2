package org.mavlogd.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.cli.Terminal;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.tables.SampleStream;
import org.mavlogd.tables.SampleStream.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code mavlogd cat}: samples of a log as a stream. */
@Command(
        name = "cat",
        description = {
            "Print samples of topics in the order of the log.",
            "A JSON object has \"t_us\" (microseconds of the vehicle's clock), \"topic\" if there are several, \"instance\", "
                    + "and the fields, nested ones and arrays flattened."
        },
        exitCodeList = {
            "0:the log was read to its end, or the program that reads the output has ended",
            "3:the log is damaged: a line on standard error reports how much; the rest was read",
            "1:not a log, rejected, unreadable, or without the topic or field",
            "2:wrong usage"
        })
final class CatCommand extends LogReadCommand {
    @Option(
            names = {"--topic", "--topics"},
            required = true,
            split = ",",
            paramLabel = "TOPIC",
            description = "The topics: " + TopicChoice.FORMS + ". csv takes one topic, of all or some instances.")
    private List<String> topics = List.of();

    @Option(
            names = "--fields",
            split = ",",
            paramLabel = "FIELDS",
            description = "Only these fields, such as x,q,esc[0].esc_rpm; also with wildcards: 'cov*'.")
    private List<String> fields = List.of();

    @Mixin
    private TimeOptions period = new TimeOptions();

    @Option(
            names = "--every",
            paramLabel = "INTERVAL",
            converter = Interval.class,
            description = "Of each topic instance only the first sample in each interval: 100ms, 0.5s, 200us.")
    private long everyUs;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "csv",
            description = "csv (default) or ndjson: one JSON object per line for each sample.")
    private Format format = Format.CSV;

    @Option(names = "--follow", description = "Continue to read while the log is being written, until it is finished.")
    private boolean follow;

    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    /** A positive time in microseconds. */
    static final class Interval implements ITypeConverter<Long> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)(us|ms|s)");

        @Override
        public Long convert(String word) {
            Matcher parts = FORM.matcher(word);
            long us = parts.matches()
                    ? new BigDecimal(parts.group(1))
                            .movePointRight(zeros(parts.group(2)))
                            .longValue()
                    : 0;
            if (us <= 0) {
                throw new TypeConversionException("'" + word + "' is not an interval; allowed: 100ms, 0.5s, 200us");
            }
            return us;
        }

        private static int zeros(String unit) {
            return switch (unit) {
                case "s" -> 6;
                case "ms" -> 3;
                default -> 0;
            };
        }
    }

    @Override
    protected int execute() {
        return onLog(named, log -> printing(out -> print(log, out)));
    }

    private int print(Path log, OutputStream out) throws IOException {
        SampleStream stream = stream(out);
        if (follow) {
            stream.follow(log, remark -> warn(LogSource.nameOf(log) + ": " + remark));
        } else if (Terminal.isStandardOutput()) {
            stream.read(log, (done, total) -> {});
        } else {
            withProgress(progress -> {
                stream.read(log, progress);
                return stream;
            });
        }
        return outcome(log, stream.damage());
    }

    private SampleStream stream(OutputStream out) {
        TimeRange time = period.range();
        SampleStream.Choice choice = new SampleStream.Choice(new TopicChoice(topics), fields, time, everyUs);
        try {
            return new SampleStream(choice, format, out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
