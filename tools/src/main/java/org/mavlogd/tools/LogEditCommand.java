package org.mavlogd.tools;

import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.edit.LogCopy;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile.Existing;
import org.mavlogd.text.Words;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command that creates a log from others. */
abstract class LogEditCommand extends LogReadCommand {
    private static final int MAX_REMARKS = 1000;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "OUT",
            description = "The log to write (.ulg), - for standard output.")
    private Path output = Path.of("");

    @Option(names = "--force", description = "Replace OUT if it exists.")
    private boolean force;

    final Path output() {
        return output;
    }

    final Existing existing() {
        return force ? Existing.REPLACE : Existing.REFUSE;
    }

    final void requireOther(Path log) {
        if (isSameFile(log, output)) {
            throw new ParameterException(spec().commandLine(), "LOG and OUT are the same file");
        }
    }

    /** Reports the new log, unless it was written to standard output; returns the exit code. */
    final int written(Path log, LogCopy.Result result) {
        String text = output + ": " + Words.line(result.text(), MAX_REMARKS);
        if (result.leftOut() > 0) {
            warn(text);
        } else if (!output.equals(LogCopy.STANDARD_OUTPUT)) {
            out().println(text);
        }
        String damaged = result.logs().isEmpty() ? LogSource.nameOf(log) : Words.line(result.logs(), MAX_REMARKS);
        int code = outcome(damaged, result.damage());
        return result.leftOut() > 0 ? ExitCode.PARTIAL : code;
    }
}
