package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.edit.DataFlashConversion;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.OutputFile.Existing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd convert}: makes a ULog of ArduPilot's own log. */
@Command(
        name = "convert",
        description = {
            "Convert an ArduPilot log (DataFlash, .bin) to ULog.",
            "IN is not changed. OUT appears when it is complete. Logs that ArduPilot streams, or that a power cut "
                    + "ends, are usually cut off in the middle of a message: that alone is no error."
        },
        exitCodeList = {
            "0:nothing was lost, but perhaps the last message, if the end of the log cuts it off",
            "3:something was lost: a line on standard error reports how much",
            "1:failed, and there is no OUT",
            "2:wrong usage"
        })
final class ConvertCommand extends LogReadCommand {
    @Parameters(
            index = "0",
            paramLabel = "IN",
            description = "The log to convert (.bin), named as for the other commands.")
    private Path named = Path.of("");

    @Parameters(index = "1", paramLabel = "OUT", description = "The log to write (.ulg).")
    private Path out = Path.of("");

    @Option(
            names = "--scaled",
            description = "Values in their units, as double, in place of those that the vehicle logged.")
    private boolean scaled;

    @Option(names = "--strict", description = "Exit code 3 also if only the last message is cut off.")
    private boolean strict;

    @Option(names = "--force", description = "Replace OUT if it exists.")
    private boolean force;

    @Override
    protected int execute() {
        return onLog(named, this::convert);
    }

    private int convert(Path in) throws IOException {
        if (isSameFile(in, out)) {
            throw new ParameterException(spec().commandLine(), "IN and OUT are the same file");
        }
        DataFlashConversion conversion;
        try (OutputFile file = OutputFile.at(out, force ? Existing.REPLACE : Existing.REFUSE)) {
            conversion = withProgress(progress -> DataFlashConversion.convert(
                    in, file, scaled ? ULogMapper.Values.SCALED : ULogMapper.Values.RAW, progress));
        }
        String text = in + ": " + conversion.text();
        boolean isDone = switch (conversion.loss()) {
            case NONE -> true;
            case LAST_MESSAGE -> !strict;
            case MORE -> false;
        };
        if (isDone) {
            out().println(text);
            return ExitCode.OK;
        }
        warn(text);
        return ExitCode.PARTIAL;
    }
}
