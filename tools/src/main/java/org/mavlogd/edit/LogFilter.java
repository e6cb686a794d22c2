package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogSink;

/**
 * Copies a log with only some of its topics, and with everything other than samples. Reads it twice: formats come
 * before topics, and only the formats of these topics are kept.
 */
public final class LogFilter extends LogCopy {
    private final TopicChoice choice;
    private final Set<String> needed;
    // By identity: an id that is subscribed again is another topic.
    private final Set<Topic> topics = new HashSet<>();

    private LogFilter(ULogSink sink, TopicChoice choice, Set<String> needed) {
        super(sink);
        this.choice = choice;
        this.needed = needed;
    }

    /**
     * Filters a log.
     *
     * @throws ULogException if it is not a log, is refused, or lacks a requested topic
     */
    public static Result filter(Path log, Path out, OutputFile.Existing existing, TopicChoice choice, Progress progress)
            throws IOException {
        return LogSource.readAgain(log, file -> {
            Survey survey = new Survey(choice);
            LogSource.read(file, survey, (done, total) -> progress.onProgress(done, 2 * total));
            Set<String> needed = survey.needed();
            Progress second = (done, total) -> progress.onProgress(total + done, 2 * total);
            return write(out, existing, sink -> {
                LogFilter filter = new LogFilter(sink, choice, needed);
                LogDamage damage = LogSource.readSound(file, filter, second);
                return filter.result("", damage, 0, Words.count(filter.topics.size(), "topic"));
            });
        });
    }

    /** Collects the topics, and the formats that the selected ones need. */
    private static final class Survey implements ULogHandler {
        private final TopicChoice choice;
        private final Map<String, TopicFormat> formats = new HashMap<>();
        private final Set<String> chosen = new HashSet<>();
        private String withoutClock = "";
        private boolean isPart;

        Survey(TopicChoice choice) {
            this.choice = choice;
        }

        @Override
        public void onFormat(TopicFormat format) {
            formats.put(format.name(), format);
        }

        @Override
        public void onTopic(Topic topic) {
            if (!choice.onTopic(topic)) {
                isPart = true;
                return;
            }
            chosen.add(topic.name());
            boolean hasShortTime = topic.layout()
                    .flatMap(TopicLayout::timestamp)
                    .map(Column::type)
                    .filter(type -> type != FieldType.UINT64)
                    .isPresent();
            withoutClock = hasShortTime ? topic.name() : withoutClock;
        }

        private Set<String> needed() throws ULogException {
            choice.requireMatches();
            if (isPart && !withoutClock.isEmpty()) {
                throw new ULogException("topic \"" + withoutClock
                        + "\" has short timestamps, which have no meaning without the times of the other topics");
            }
            Set<String> needed = new HashSet<>();
            chosen.forEach(name -> need(name, needed));
            return needed;
        }

        /** Adds nested formats down to the depth limit of layouts: deeper ones have no samples. */
        private void need(String name, Set<String> needed) {
            Set<String> level = Set.of(name);
            while (!level.isEmpty()) {
                Set<String> next = new HashSet<>();
                for (String format : level) {
                    if (formats.containsKey(format) && needed.add(format)) {
                        formats.get(format).fields().stream().map(Field::type).forEach(next::add);
                    }
                }
                level = next;
            }
        }
    }

    @Override
    public void onStart(int version, long startUs) throws IOException {
        header(version, startUs);
    }

    @Override
    public void onFormat(TopicFormat format) throws IOException {
        if (needed.contains(format.name())) {
            copy();
        }
    }

    @Override
    public void onTopic(Topic topic) throws IOException {
        if (choice.onTopic(topic)) {
            copy();
        }
    }

    @Override
    public void onTopicEnd(Topic topic) throws IOException {
        if (choice.accepts(topic)) {
            copy();
        }
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        if (choice.accepts(sample.topic())) {
            topics.add(sample.topic());
            copySample();
        }
    }

    @Override
    public void onInfo(KeyedValue info) throws IOException {
        copy();
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
        copy();
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) throws IOException {
        copy();
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
        copy();
    }

    @Override
    public void onLoggedText(LoggedText text) throws IOException {
        copy();
    }

    @Override
    public void onDropout(int durationMs) throws IOException {
        copy();
    }

    @Override
    public void onSync() throws IOException {
        copy();
    }

    @Override
    public void onUnknown(int type, byte[] buffer, int offset, int length) throws IOException {
        copy(buffer, offset, length);
    }
}
