package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;

/**
 * What a log contains, counted in one pass. Texts, infos and names are kept up to stated limits; a log that exceeds one
 * of topics, parameters or infos is refused with {@link org.mavlogd.ulog.ULogException}.
 */
public final class LogSurvey {
    private final TopicTally.Table topics = new TopicTally.Table();
    private final InfoTally infos = new InfoTally();
    private final ParameterTally parameters = new ParameterTally();
    private final TextTally texts = new TextTally();
    private final Collector collector = new Collector();
    private final UtcReference utc = new UtcReference();
    private final Set<String> formats = new HashSet<>();
    private int version;
    private long startUs;
    private long sizeBytes;
    private long dropouts;
    private long dropoutMs;
    private long syncs;
    private long sections;
    private long unknownMessages;

    private LogSurvey() {}

    /**
     * Surveys a log.
     *
     * @throws org.mavlogd.ulog.ULogException if it is no log, or refused
     */
    public static LogSurvey of(Path file, Progress progress) throws IOException {
        LogSurvey survey = new LogSurvey();
        survey.sizeBytes = LogSource.read(file, survey.collector, progress);
        return survey;
    }

    public LogDamage damage() {
        return collector.damage();
    }

    /** Latest time of a sample; without samples that of the last text, or the start. */
    public long endUs() {
        if (topics.messages() > 0) {
            return topics.lastUs();
        }
        List<LoggedText> first = texts.first();
        return first.isEmpty() ? startUs : first.get(first.size() - 1).timestampUs();
    }

    public int version() {
        return version;
    }

    public long startUs() {
        return startUs;
    }

    /** From {@link #beginUs} to the last sample; 0 without samples. */
    public long durationUs() {
        return topics.messages() == 0 ? 0 : Math.max(0, topics.lastUs() - beginUs());
    }

    public long sizeBytes() {
        return sizeBytes;
    }

    public long dataMessages() {
        return topics.messages();
    }

    public long dropouts() {
        return dropouts;
    }

    public long dropoutMs() {
        return dropoutMs;
    }

    public long syncs() {
        return syncs;
    }

    public long sections() {
        return sections;
    }

    public long unknownMessages() {
        return unknownMessages;
    }

    /** Formats by name, also those that no topic uses. */
    public int formats() {
        return formats.size();
    }

    Optional<Instant> utcAt(long timestampUs) {
        return utc.at(timestampUs);
    }

    /**
     * When logging began: as the header says, else the earliest time of a sample. Times shown to people are relative to
     * it; single samples may be older, as their topics last changed before.
     */
    long beginUs() {
        return startUs > 0 || topics.messages() == 0 ? startUs : topics.firstUs();
    }

    /** Whether the recorder's computer put this topic beside the vehicle's. */
    boolean isLocal(TopicTally topic) {
        return topic.messageId() >= LocalMarks.LOWEST_ID && infos.localTopics().contains(topic.name());
    }

    TopicTally.Table topics() {
        return topics;
    }

    InfoTally infos() {
        return infos;
    }

    ParameterTally parameters() {
        return parameters;
    }

    TextTally texts() {
        return texts;
    }

    /** Sends each content to who counts it. */
    private final class Collector extends LogDamage.Tally {
        @Override
        public void onStart(int fileVersion, long timestampUs) {
            version = fileVersion;
            startUs = timestampUs;
            utc.onStart(fileVersion, timestampUs);
        }

        @Override
        public void onFormat(TopicFormat format) {
            formats.add(format.name());
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            infos.onInfo(info);
            utc.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            infos.onMultiInfo(info, continued);
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) throws IOException {
            parameters.onParameter(parameter, change, Math.max(startUs, topics.lastUs()));
        }

        @Override
        public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
            parameters.onDefault(parameter, defaultTypes);
        }

        @Override
        public void onTopic(Topic topic) throws IOException {
            topics.onTopic(topic);
            utc.onTopic(topic);
        }

        @Override
        public void onSample(SampleView sample) {
            topics.onSample(sample);
            utc.onSample(sample);
        }

        @Override
        public void onLoggedText(LoggedText text) {
            texts.onText(text);
        }

        @Override
        public void onDropout(int durationMs) {
            dropouts++;
            dropoutMs += durationMs;
        }

        @Override
        public void onSync() {
            syncs++;
        }

        @Override
        public void onUnknown(int type, byte[] buffer, int offset, int length) {
            unknownMessages++;
        }

        @Override
        public void onAppendedSection(long position) {
            sections++;
        }
    }

    /** Counts logged texts and keeps the first ones, cut to a length that a terminal shows. */
    static final class TextTally {
        private static final int MAX_KEPT = 1000;
        private static final int MAX_LENGTH = 500;

        private final List<LoggedText> first = new ArrayList<>();
        private final SortedMap<Integer, Long> byTag = new TreeMap<>();
        private long untagged;
        private long tagged;

        void onText(LoggedText text) {
            if (text.isTagged()) {
                tagged++;
                byTag.merge(text.tag(), 1L, Long::sum);
            } else {
                untagged++;
            }
            if (first.size() < MAX_KEPT) {
                String line = Words.line(text.text(), MAX_LENGTH);
                first.add(new LoggedText(text.level(), text.tag(), text.timestampUs(), line));
            }
        }

        long untagged() {
            return untagged;
        }

        long tagged() {
            return tagged;
        }

        /** How many texts there are of each tag. */
        SortedMap<Integer, Long> byTag() {
            return byTag;
        }

        List<LoggedText> first() {
            return first;
        }
    }
}
