package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.survey.LogParameters;
import org.mavlogd.survey.ParameterOutput;
import org.mavlogd.survey.ParameterOutput.Format;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd params}: the parameters in a log. */
@Command(
        name = "params",
        description = {
            "Print the parameters in a log with their values at its start.",
            "The formats qgc and mavproxy are files that ground stations load: qgc for QGroundControl, mavproxy for "
                    + "MAVProxy and Mission Planner."
        },
        exitCodeList = {
            "0:the log was read to its end",
            "3:the log is damaged: a line on standard error reports how much; the rest was read",
            "1:not a log, rejected, or unreadable",
            "2:wrong usage"
        })
final class ParamsCommand extends LogReadCommand {
    @ArgGroup
    private Which which = new Which();

    /** Selects parameters, or what is shown of them; at most one is given. */
    private static final class Which {
        @Option(
                names = "--changed",
                description = "Only those that change within the log, with the times of their changes.")
        private boolean changed;

        @Option(names = "--non-default", description = "Only those whose value differs from the default in the log.")
        private boolean nonDefault;

        @Option(
                names = "--diff",
                paramLabel = "LOG2",
                description = "Only those whose value differs from that in another log, with both values.")
        private @Nullable Path other;
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv, json, qgc or mavproxy (default: table).")
    private Format format = Format.TABLE;

    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    @Override
    protected int execute() {
        return onLog(named, this::print);
    }

    private int print(Path log) throws IOException {
        LogParameters parameters = withProgress(progress -> LogParameters.of(log, progress));
        Path other = which.other;
        if (other != null) {
            return onLog(other, second -> printDifferences(log, parameters, second));
        }
        ParameterOutput output = new ParameterOutput(parameters, out());
        if (which.changed) {
            parameters.keepChanged();
            output.printChanges(format);
        } else {
            if (which.nonDefault) {
                parameters.keepNonDefault();
            }
            output.print(format);
        }
        return judge(log, parameters);
    }

    private int printDifferences(Path log, LogParameters parameters, Path second) throws IOException {
        LogParameters others = withProgress(progress -> LogParameters.of(second, progress));
        parameters.keepDifferent(others);
        new ParameterOutput(parameters, out()).printDifferences(others, format);
        return Math.max(judge(log, parameters), judge(second, others));
    }

    private int judge(Path log, LogParameters parameters) {
        if (format == Format.QGC && parameters.isArduPilot()) {
            warn(LogSource.nameOf(log)
                    + ": ArduPilot logs all parameters as float, and QGroundControl skips those that are integers; "
                    + "mavproxy files have no types");
        }
        return outcome(log, parameters.damage());
    }
}
