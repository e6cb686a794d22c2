package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.edit.LogRecovery;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.OutputFile.Existing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd recover}: makes an intact log of a damaged one. */
@Command(
        name = "recover",
        description = {
            "Write the intact messages of a damaged or cut log into a new log that every reader can read.",
            "IN is not changed. OUT appears when it is complete. Dropout messages mark the gaps."
        },
        exitCodeList = {
            "0:nothing was lost",
            "3:something was lost: a line on standard error reports how much",
            "1:failed, and there is no OUT",
            "2:wrong usage"
        })
final class RecoverCommand extends LogReadCommand {
    @Parameters(index = "0", paramLabel = "IN", description = LOG)
    private Path named = Path.of("");

    @Parameters(index = "1", paramLabel = "OUT", description = "The log to write.")
    private Path out = Path.of("");

    @Option(names = "--force", description = "Replace OUT if it exists.")
    private boolean force;

    @Override
    protected int execute() {
        return onLog(named, this::recover);
    }

    private int recover(Path in) throws IOException {
        if (isSameFile(in, out)) {
            throw new ParameterException(spec().commandLine(), "IN and OUT are the same file");
        }
        LogRecovery recovery;
        try (OutputFile file = OutputFile.at(out, force ? Existing.REPLACE : Existing.REFUSE)) {
            recovery = withProgress(progress -> LogRecovery.recover(in, file, progress));
        }
        String text = in + ": " + recovery.text();
        if (recovery.lost().isNone()) {
            out().println(text);
            return ExitCode.OK;
        }
        warn(text);
        return ExitCode.PARTIAL;
    }
}
