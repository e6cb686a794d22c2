package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.edit.LogCopy;
import org.mavlogd.edit.LogCut;
import org.mavlogd.logtools.TimeRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd cut}: makes a log of a part of another. */
@Command(
        name = "cut",
        description = {
            "Write the part of a log between two times, both included, into a new log.",
            "Messages are copied byte for byte. Parameters have the values that they had at the start of the part. OUT appears "
                    + "when it is complete."
        },
        exitCodeList = {
            "0:all of that time was copied, but perhaps a last message that the end of the log cuts off",
            "3:the log is damaged: a line on standard error reports how much; the rest was copied",
            "1:failed, and there is no OUT",
            "2:wrong usage"
        })
final class CutCommand extends LogEditCommand {
    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    @Mixin
    private TimeOptions period = new TimeOptions();

    @Override
    protected int execute() {
        if (period.areNone()) {
            throw new ParameterException(spec().commandLine(), "a time is missing: --from TIME, --to TIME or both");
        }
        return onLog(named, this::cut);
    }

    private int cut(Path log) throws IOException {
        requireOther(log);
        TimeRange range = period.range();
        LogCopy.Result result = withProgress(progress -> LogCut.cut(log, output(), existing(), range, progress));
        return written(log, result);
    }
}
