package org.mavlogd.app;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.logtools.LogSurvey;
import org.mavlogd.logtools.SurveyJson;
import org.mavlogd.logtools.SurveyText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd info}: what is in a log. */
@Command(
        name = "info",
        description = "Show what is in a log: vehicle, times, topics, parameters, texts and damage.",
        exitCodeList = {
            "0:the log can be read, damaged or not (see 'mavlogd check')",
            "1:it is no log, refused, or cannot be read",
            "2:wrong usage"
        })
final class InfoCommand extends LogCommand {
    private static final int MOST_TOPICS = 20;

    @Option(names = "--json", description = "Print one JSON object instead.")
    private boolean json;

    @Option(names = "--all-topics", description = "List every topic, not only the largest " + MOST_TOPICS + ".")
    private boolean allTopics;

    @Parameters(paramLabel = "FILE", description = "The log (.ulg).")
    private Path file = Path.of("");

    @Override
    int execute() {
        LogSurvey survey;
        try {
            survey = withProgress(progress -> LogSurvey.of(file, progress));
        } catch (IOException e) {
            return fail(file, e);
        }
        if (json) {
            SurveyJson.print(survey, out());
        } else {
            SurveyText.print(file.toString(), survey, allTopics ? Integer.MAX_VALUE : MOST_TOPICS, out());
        }
        return ExitCode.OK;
    }
}
