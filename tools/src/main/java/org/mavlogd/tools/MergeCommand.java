package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.edit.LogCopy;
import org.mavlogd.edit.LogMerge;
import org.mavlogd.edit.MergeClocks;
import org.mavlogd.logtools.LogSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd merge}: makes one log of several. */
@Command(
        name = "merge",
        description = {
            "Write several logs into a new one, in the order of their times: the parts of a flight, or logs of several computers.",
            "Logs of one clock are joined: messages that several logs have are written once, and gaps between the logs are marked by "
                    + "a dropout message. The times of another clock are shifted to that of the first LOG by UTC; topics that "
                    + "both have become further instances. Each log is read twice. OUT appears when it is complete."
        },
        exitCodeList = {
            "0:everything was merged, but perhaps a last message that the end of a log cuts off",
            "3:a log is damaged, or has messages from before the start of the first one's clock: a line on standard error "
                    + "reports how much; the rest was merged",
            "1:failed, and there is no OUT",
            "2:wrong usage"
        })
final class MergeCommand extends LogEditCommand {
    // Two parameters and not one of arity 2..*, for which picocli wants both in a row: merge A -o OUT B is as good.
    @Parameters(index = "0", paramLabel = "LOG", description = "The first log: a file, or the name of a recorded log.")
    private Path first = Path.of("");

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "LOG", description = "The other logs.")
    private List<Path> others = new ArrayList<>();

    @Option(
            names = "--align",
            paramLabel = "HOW",
            defaultValue = "auto",
            description =
                    "How times are aligned: auto (by what the logs prove), boot (all logs are of one clock) or utc.")
    private MergeClocks.Align align = MergeClocks.Align.AUTO;

    @Override
    protected int execute() {
        List<Path> named = new ArrayList<>(others);
        named.add(0, first);
        if (named.contains(LogSource.STANDARD_INPUT)) {
            throw new ParameterException(
                    spec().commandLine(), "standard input cannot be merged: each log is read twice");
        }
        return onLog(first, found -> merge(named));
    }

    private int merge(List<Path> named) throws IOException {
        List<Path> logs = new ArrayList<>();
        for (Path name : named) {
            Path log = find(name);
            requireOther(log);
            for (Path before : logs) {
                if (Files.isSameFile(before, log)) {
                    throw new ParameterException(spec().commandLine(), log + " is named twice");
                }
            }
            logs.add(log);
        }
        LogCopy.Result result = withProgress(progress -> LogMerge.merge(logs, output(), existing(), align, progress));
        return written(output(), result);
    }
}
