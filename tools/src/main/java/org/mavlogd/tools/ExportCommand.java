package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.HelpOption;
import org.mavlogd.cli.Version;
import org.mavlogd.flight.TrackExport;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.OutputFile.Existing;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.tables.CsvExport;
import org.mavlogd.tables.McapConversion;
import org.mavlogd.tables.ParquetExport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mavlogd export}: writes a log's contents in other formats. */
@Command(
        name = "export",
        description = "Write the contents of a log in other formats.",
        subcommands = {
            ExportCommand.Csv.class,
            ExportCommand.Mcap.class,
            ExportCommand.Parquet.class,
            ExportCommand.Gpx.class,
            ExportCommand.Kml.class
        })
final class ExportCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a format is missing: mavlogd export csv ..., mcap ..., parquet ..., gpx ... or kml ...");
    }

    /** {@code mavlogd export csv}. */
    @Command(
            name = "csv",
            description = {
                "Write the samples of each topic instance into a file of its own, such as DIR/battery_status_0.csv.",
                "The first row names the columns, nested fields and arrays flattened. The first column is "
                        + "\"timestamp\", in microseconds of the vehicle's clock, which usually starts at its boot."
            },
            exitCodeList = {
                "0:all of the log was exported, but perhaps a last message that its end cuts off",
                "3:the log is damaged: a line on standard error reports how much; the rest was exported",
                "1:failed",
                "2:wrong usage"
            })
    static final class Csv extends LogReadCommand {
        @Parameters(paramLabel = "LOG", description = LOG)
        private Path named = Path.of("");

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "DIR",
                description =
                        "The directory to write to; created if missing. - writes the table of one topic instance to standard output.")
        private Path directory = Path.of("");

        @Option(
                names = {"--topics", "--topic"},
                split = ",",
                paramLabel = "TOPICS",
                description = "Only these topics: " + TopicChoice.FORMS + ".")
        private List<String> topics = List.of();

        @Mixin
        private TimeOptions period = new TimeOptions();

        @Option(
                names = "--time",
                paramLabel = "FORM",
                defaultValue = "us",
                description = "The first column: us (\"timestamp\", microseconds of the vehicle's clock; default), s "
                        + "(\"timestamp_s\", its seconds) or utc (\"timestamp_utc\", ISO 8601).")
        private CsvExport.Times times = CsvExport.Times.US;

        @Option(names = "--force", description = "Replace files that exist.")
        private boolean force;

        @Override
        protected int execute() {
            return onLog(named, this::export);
        }

        private int export(Path log) throws IOException {
            TimeRange range = period.range();
            CsvExport.Choice choice = new CsvExport.Choice(new TopicChoice(topics), range, times);
            if (directory.equals(LogSource.STANDARD_INPUT)) {
                return printing(out -> export(log, choice, new CsvExport(out, choice)));
            }
            return export(log, choice, new CsvExport(directory, force ? Existing.REPLACE : Existing.REFUSE, choice));
        }

        private int export(Path log, CsvExport.Choice choice, CsvExport into) throws IOException {
            CsvExport.Result result;
            try (into) {
                result = withProgress(progress -> into.export(log, progress));
            }
            if (!choice.topics().isAll() && result.files() == 0) {
                return fail(LogSource.nameOf(log) + ": no samples of "
                        + choice.topics().text() + (hasRange() ? " in this time" : ""));
            }
            if (!directory.equals(LogSource.STANDARD_INPUT)) {
                out().println(directory + ": " + result.text());
            }
            return outcome(log, result.damage());
        }

        private boolean hasRange() {
            return !period.areNone();
        }
    }

    /** {@code mavlogd export mcap}. */
    @Command(
            name = "mcap",
            description = {
                "Write a log as MCAP, for Foxglove, ROS 2 and other tools.",
                "Each topic instance becomes a channel such as battery_status/0, its samples protobuf messages. Times are "
                        + "UTC if the log has it, else they count from the start of the vehicle's clock. The log is read "
                        + "twice. OUT appears when it is complete."
            },
            exitCodeList = {
                "0:all of the log was exported, but perhaps a last message that its end cuts off",
                "3:the log is damaged: a line on standard error reports how much; the rest was exported",
                "1:failed, and there is no OUT",
                "2:wrong usage"
            })
    static final class Mcap extends LogReadCommand {
        @Parameters(paramLabel = "LOG", description = LOG)
        private Path named = Path.of("");

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "OUT",
                description = "The file to write (.mcap).")
        private Path output = Path.of("");

        @Option(names = "--force", description = "Replace OUT if it exists.")
        private boolean force;

        @Override
        protected int execute() {
            return onLog(named, this::export);
        }

        private int export(Path log) throws IOException {
            if (isSameFile(log, output)) {
                throw new ParameterException(spec().commandLine(), "LOG and OUT are the same file");
            }
            McapConversion conversion;
            try (OutputFile out = OutputFile.at(output, force ? Existing.REPLACE : Existing.REFUSE)) {
                conversion = withProgress(
                        progress -> McapConversion.convert(log, "mavlogd " + Version.text(), out, progress));
            }
            out().println(output + ": " + conversion.text());
            return outcome(log, conversion.damage());
        }
    }

    /** {@code mavlogd export parquet}. */
    @Command(
            name = "parquet",
            description = {
                "Write the samples of each topic into a file of its own, such as DIR/battery_status.parquet, for DuckDB, pandas, "
                        + "Spark and other tools.",
                "Columns: \"log\" (the log's name), \"instance\", \"t_us\" (microseconds of the vehicle's clock), \"time\" (UTC; "
                        + "empty if the log has none), then the fields, nested ones and arrays flattened. Rows are in "
                        + "the order of their times. While the command runs, DIR needs room for a copy of the log."
            },
            exitCodeList = {
                "0:all of the log was exported, but perhaps a last message that its end cuts off",
                "3:the log is damaged, or has a topic of more than 10,000 columns: a line on standard error reports it; the rest was exported",
                "1:failed",
                "2:wrong usage"
            })
    static final class Parquet extends LogReadCommand {
        @Parameters(paramLabel = "LOG", description = LOG)
        private Path named = Path.of("");

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "DIR",
                description = "The directory to write to; created if missing.")
        private Path directory = Path.of("");

        @Option(
                names = {"--topics", "--topic"},
                split = ",",
                paramLabel = "TOPIC",
                description = "Only these topics: " + TopicChoice.FORMS + ".")
        private List<String> topics = List.of();

        @Option(names = "--force", description = "Replace files that exist.")
        private boolean force;

        @Override
        protected int execute() {
            return onLog(named, this::export);
        }

        private int export(Path file) throws IOException {
            TopicChoice choice = new TopicChoice(topics);
            ParquetExport.Result result;
            Set<String> leftOut;
            try (ParquetExport export = new ParquetExport(
                    directory, force ? Existing.REPLACE : Existing.REFUSE, "mavlogd " + Version.text(), choice)) {
                result = withProgress(progress -> export.export(file, progress));
                leftOut = export.leftOut();
            }
            leftOut.forEach(topic -> warn(LogSource.nameOf(file) + ": " + topic + ": left out"));
            if (!choice.isAll() && result.files() == 0) {
                return fail(LogSource.nameOf(file) + ": no samples of " + choice.text());
            }
            out().println(directory + ": " + result.text());
            int outcome = outcome(file, result.damage());
            return leftOut.isEmpty() ? outcome : ExitCode.PARTIAL;
        }
    }

    /** A command that writes the track of a log. */
    @Command(
            exitCodeList = {
                "0:all of the track was written, but perhaps a last message that the end of the log cuts off",
                "3:the log is damaged: a line on standard error reports how much; the rest was written",
                "1:failed, or the log holds no position; there is no FILE",
                "2:wrong usage"
            })
    abstract static class Track extends LogReadCommand {
        private final TrackExport.Format format;

        @Parameters(paramLabel = "LOG", description = LOG)
        private Path named = Path.of("");

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "FILE",
                description = "The file to write.")
        private Path output = Path.of("");

        @Option(names = "--force", description = "Replace FILE if it exists.")
        private boolean force;

        Track(TrackExport.Format format) {
            this.format = format;
        }

        @Override
        protected int execute() {
            return onLog(named, this::export);
        }

        private int export(Path log) throws IOException {
            if (isSameFile(log, output)) {
                throw new ParameterException(spec().commandLine(), "LOG and FILE are the same file");
            }
            TrackExport.Result result;
            try (OutputFile out = OutputFile.at(output, force ? Existing.REPLACE : Existing.REFUSE)) {
                result = withProgress(
                        progress -> TrackExport.export(log, format, "mavlogd " + Version.text(), out, progress));
            }
            out().println(output + ": " + result.text());
            return outcome(log, result.damage());
        }
    }

    /** {@code mavlogd export gpx}. */
    @Command(
            name = "gpx",
            description = {
                "Write the vehicle's track with altitudes as GPX 1.1, its modes and messages as waypoints.",
                "Positions are those that the vehicle estimates, else those of a satellite receiver, else the local position "
                        + "if its reference is known. Times are UTC; without UTC in the log there are none. The log is read "
                        + "three times."
            })
    static final class Gpx extends Track {
        Gpx() {
            super(TrackExport.Format.GPX);
        }
    }

    /** {@code mavlogd export kml}. */
    @Command(
            name = "kml",
            description = {
                "Write the vehicle's track with altitudes as KML 2.2 for Google Earth, its modes and messages as placemarks.",
                "Positions and times are those of 'export gpx'. The line is divided at gaps and at changes of mode."
            })
    static final class Kml extends Track {
        Kml() {
            super(TrackExport.Format.KML);
        }
    }
}
