package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.edit.LogCopy;
import org.mavlogd.edit.LogFilter;
import org.mavlogd.logtools.TopicChoice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mavlogd filter}: makes a log of some topics of another. */
@Command(
        name = "filter",
        description = {
            "Write some topics of a log into a new log.",
            "Everything except samples is kept: infos, parameters, logged messages, dropouts. Messages are copied byte for "
                    + "byte. The log is read twice. OUT appears when it is complete."
        },
        exitCodeList = {
            "0:all samples of the topics were copied, but perhaps a last one that the end of the log cuts off",
            "3:the log is damaged: a line on standard error reports how much; the rest was copied",
            "1:failed, and there is no OUT",
            "2:wrong usage"
        })
final class FilterCommand extends LogEditCommand {
    @Parameters(paramLabel = "LOG", description = LOG)
    private Path named = Path.of("");

    @Option(
            names = {"--topic", "--topics"},
            required = true,
            split = ",",
            paramLabel = "TOPIC",
            description = "Which topics: " + TopicChoice.FORMS + ".")
    private List<String> topics = new ArrayList<>();

    @Override
    protected int execute() {
        return onLog(named, this::filter);
    }

    private int filter(Path log) throws IOException {
        requireOther(log);
        TopicChoice choice = new TopicChoice(topics);
        LogCopy.Result result = withProgress(progress -> LogFilter.filter(log, output(), existing(), choice, progress));
        return written(log, result);
    }
}
