package org.mavlogd.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.tools.AddedCommand;
import org.mavlogd.tools.LogReadCommand;
import org.mavlogd.ulog.ULogException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd report}: writes a report of a flight as a page that needs no network. */
@Command(
        name = "report",
        description =
                "Write a report of a log: problems, figures, plots and spectra, as one HTML file that needs no network.",
        exitCodeList = {
            "0:the report was written",
            "3:the log is damaged; the report covers the intact part",
            "1:not a log, rejected, or unreadable; or the report cannot be written",
            "2:wrong usage"
        })
public final class ReportCommand extends LogReadCommand implements AddedCommand {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to this file, - for standard output; by default the log's name with .html or .json.")
    private @Nullable Path output;

    @Option(names = "--json", description = "Write the report as JSON instead.")
    private boolean json;

    @Option(names = "--force", description = "Replace a file that exists.")
    private boolean force;

    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    /** Called by picocli. */
    public ReportCommand() {}

    @Override
    protected int execute() {
        return onLog(named, this::write);
    }

    private int write(Path log) throws IOException {
        Path target = output == null ? defaultOutput(log) : output;
        if (target.equals(STANDARD_OUTPUT)) {
            Report report = read(log);
            return printing(out -> {
                write(report, out);
                return outcome(log, report.damage());
            });
        }
        if (isSameFile(log, target)) {
            return fail(target + ": is the log itself");
        }
        try (OutputFile file =
                OutputFile.at(target, force ? OutputFile.Existing.REPLACE : OutputFile.Existing.REFUSE)) {
            Report report = read(log);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.temporary()))) {
                write(report, out);
            } catch (IOException e) {
                throw file.failed(e);
            }
            file.commit();
            out().println(target + ": " + report.summary());
            return outcome(log, report.damage());
        }
    }

    private Report read(Path log) throws IOException {
        Path name = log.getFileName();
        return withProgress(progress -> Report.of(
                log,
                name == null || log.equals(LogSource.STANDARD_INPUT) ? LogSource.nameOf(log) : name.toString(),
                progress));
    }

    private void write(Report report, OutputStream out) throws IOException {
        if (json) {
            ReportJson.write(report, out);
        } else {
            ReportHtml.write(report, out);
        }
    }

    private Path defaultOutput(Path log) throws IOException {
        Path name = log.getFileName();
        if (name == null || name.toString().equals("-")) {
            throw new ULogException("its report needs -o FILE");
        }
        String plain = name.toString().replaceFirst("(\\.(ulg|bin))?(\\.part)?(\\.gz)?$", "");
        return Path.of(plain + (json ? ".json" : ".html"));
    }
}
