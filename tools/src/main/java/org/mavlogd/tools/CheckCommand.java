package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyJson;
import org.mavlogd.text.Failures;
import org.mavlogd.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd check}: whether logs are intact. */
@Command(
        name = "check",
        description = "Check logs for damage, one line for each.",
        exitCodeList = {
            "0:all logs are intact",
            "3:all can be read, and some are damaged or cut off",
            "1:some are not logs, rejected, or unreadable",
            "2:wrong usage"
        })
final class CheckCommand extends LogReadCommand {
    private static final int MAX_NAME = 300;

    @Option(names = "--json", description = "Print one JSON object in a line for each log.")
    private boolean json;

    @Parameters(paramLabel = "LOG", arity = "1..*", description = LOG)
    private List<Path> files = new ArrayList<>();

    @Override
    protected int execute() {
        boolean anyDamaged = false;
        boolean anyFailed = false;
        for (Path file : files) {
            int code = check(file);
            anyDamaged |= code == ExitCode.PARTIAL;
            anyFailed |= code == ExitCode.FAILED;
        }
        return anyFailed ? ExitCode.FAILED : anyDamaged ? ExitCode.PARTIAL : ExitCode.OK;
    }

    private int check(Path named) {
        Path file = named;
        LogSurvey survey;
        try {
            Path found = find(named);
            file = found;
            survey = withProgress(progress -> LogSurvey.of(found, progress));
        } catch (IOException e) {
            Path shown = Path.of(LogSource.nameOf(file));
            if (json) {
                SurveyJson.printRefused(file.toString(), Failures.text(shown, e), out());
            }
            return fail(shown, e);
        }
        if (json) {
            SurveyJson.printChecked(file.toString(), survey, out());
        } else {
            out().println(line(LogSource.nameOf(file), survey));
        }
        return survey.damage().isNone() ? ExitCode.OK : ExitCode.PARTIAL;
    }

    /** The result in one line. */
    private String line(String file, LogSurvey survey) {
        LogDamage damage = survey.damage();
        String contents = Words.bytes(survey.sizeBytes()) + ", " + Words.count(survey.dataMessages(), "data message")
                + ", " + Words.duration(survey.durationUs());
        return Words.line(file, MAX_NAME) + ": "
                + (damage.isNone() ? colours().good("intact") : colours().bad("damaged") + ": " + damage.text())
                + " (" + contents + ")";
    }
}
