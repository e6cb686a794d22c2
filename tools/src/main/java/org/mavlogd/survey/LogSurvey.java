package org.mavlogd.survey;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.logtools.ByMessageId;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogMessages;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;

/**
 * The contents of a log, counted in one pass. Keeps texts, infos and names up to limits; a log that exceeds a limit of
 * topics, parameters or infos is refused with {@link org.mavlogd.ulog.ULogException}.
 */
public final class LogSurvey {
    private static final int MAX_MESSAGES = 1000;
    private static final int MOST_MESSAGES = 20_000;

    private final TopicTally.Table topics = new TopicTally.Table();
    private final InfoTally infos = new InfoTally();
    private final ParameterTally parameters = new ParameterTally();
    private final TextTally texts;
    private final FlightSummary flight = new FlightSummary();
    private final LogMessages messages;
    private final Collector collector;
    private final Set<String> formats = new HashSet<>();
    private int version;
    private long startUs;
    private long sizeBytes;
    private long dropouts;
    private long dropoutMs;
    private long syncs;
    private long sections;
    private long unknownMessages;

    private LogSurvey(int maxMessages, Function<LogSurvey, TopicReader> beside) {
        texts = new TextTally(maxMessages);
        messages = new LogMessages(LogMessages.Filter.NONE, (message, log) -> texts.onMessage(message));
        collector = new Collector(messages.handler(), beside.apply(this));
    }

    /**
     * Surveys a log.
     *
     * @throws org.mavlogd.ulog.ULogException if it is not a log, or is refused
     */
    public static LogSurvey of(Path file, Progress progress) throws IOException {
        return of(file, MAX_MESSAGES, progress);
    }

    /** Surveys a log and keeps {@code maxMessages} of its messages, at most {@value #MOST_MESSAGES}. */
    public static LogSurvey of(Path file, int maxMessages, Progress progress) throws IOException {
        return of(file, maxMessages, survey -> topic -> false, progress);
    }

    /**
     * Surveys a log, and passes topics, samples, dropouts and lists of infos on to another handler after counting them.
     */
    public static LogSurvey of(Path file, int maxMessages, Function<LogSurvey, TopicReader> beside, Progress progress)
            throws IOException {
        LogSurvey survey = new LogSurvey(Math.min(maxMessages, MOST_MESSAGES), beside);
        survey.sizeBytes = LogSource.read(file, survey.collector, progress);
        survey.messages.finish();
        survey.flight.onEnd(survey.topics.lastUs());
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
        return texts.latestUs == 0 ? startUs : texts.latestUs;
    }

    /** Latest time of a sample so far; 0 before the first. */
    public long latestUs() {
        return topics.lastUs();
    }

    public int version() {
        return version;
    }

    public long startUs() {
        return startUs;
    }

    /** Time from {@link #beginUs} to the last sample; 0 without samples. */
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

    /** Number of formats, including unused ones. */
    public int formats() {
        return formats.size();
    }

    public Optional<Instant> utcAt(long timestampUs) {
        return messages.utcAt(timestampUs);
    }

    /**
     * Start of logging: from the header, or else the earliest time of a sample. Times shown to people are relative to
     * it; single samples may be older, if their topics last changed before.
     */
    public long beginUs() {
        return startUs > 0 || topics.messages() == 0 ? startUs : topics.firstUs();
    }

    /** Whether the recorder's computer added this topic to the vehicle's log. */
    boolean isLocal(TopicTally topic) {
        return topic.messageId() >= LocalMarks.LOWEST_ID && infos.localTopics().contains(topic.name());
    }

    /** The summary of the flight. */
    public FlightSummary flight() {
        return flight;
    }

    /** The reason why events cannot be decoded; empty if they can. */
    Optional<String> eventProblem() {
        return texts.events() == 0 ? Optional.empty() : messages.eventProblem();
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

    /** Passes each content to its counters. */
    private final class Collector extends LogDamage.Tally {
        private final TopicReader toMessages;
        private final TopicReader beside;
        private final ByMessageId<TopicReader[]> readers = new ByMessageId<>();

        Collector(TopicReader toMessages, TopicReader beside) {
            this.toMessages = toMessages;
            this.beside = beside;
        }

        @Override
        public void onStart(int fileVersion, long timestampUs) throws IOException {
            version = fileVersion;
            startUs = timestampUs;
            toMessages.onStart(fileVersion, timestampUs);
        }

        @Override
        public void onFormat(TopicFormat format) {
            formats.add(format.name());
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            infos.onInfo(info);
            flight.onInfo(info);
            toMessages.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            infos.onMultiInfo(info, continued);
            toMessages.onMultiInfo(info, continued);
            beside.onMultiInfo(info, continued);
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
            flight.onTopic(topic);
            toMessages.onTopic(topic);
            beside.onTopic(topic);
            readers.put(
                    topic.messageId(),
                    Stream.of(flight, toMessages, beside)
                            .filter(reader -> reader.reads(topic))
                            .toArray(TopicReader[]::new));
        }

        /** Hot path. */
        @Override
        public void onSample(SampleView sample) throws IOException {
            topics.onSample(sample);
            for (TopicReader reader :
                    Objects.requireNonNull(readers.get(sample.topic().messageId()))) {
                reader.onSample(sample);
            }
        }

        @Override
        public void onLoggedText(LoggedText text) throws IOException {
            texts.onText(text);
            toMessages.onLoggedText(text);
        }

        @Override
        public void onDropout(int durationMs) throws IOException {
            dropouts++;
            dropoutMs += durationMs;
            beside.onDropout(durationMs);
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

    /** Counts messages and keeps the first ones, truncated for a terminal. */
    static final class TextTally {
        private static final int MAX_LENGTH = 500;

        private final int maxKept;
        private final List<Message> first = new ArrayList<>();
        private final Map<LogLevel, Long> byLevel = new EnumMap<>(LogLevel.class);
        private final SortedMap<Integer, Long> byTag = new TreeMap<>();
        private long untagged;
        private long tagged;
        private long events;
        private long latestUs;

        TextTally(int maxKept) {
            this.maxKept = maxKept;
        }

        /** Takes a text in the log, even one that repeats an event. */
        void onText(LoggedText text) {
            latestUs = text.timestampUs();
            if (text.isTagged()) {
                tagged++;
                byTag.merge(text.tag(), 1L, Long::sum);
            } else {
                untagged++;
            }
        }

        /** Takes a text or an event, in chronological order. */
        void onMessage(Message message) {
            byLevel.merge(message.level(), 1L, Long::sum);
            events += message.kind() == LogMessages.Kind.EVENT ? 1 : 0;
            if (first.size() < maxKept) {
                String line = Words.line(message.text(), MAX_LENGTH);
                first.add(new Message(message.timestampUs(), message.level(), message.kind(), message.tag(), line));
            }
        }

        long untagged() {
            return untagged;
        }

        long tagged() {
            return tagged;
        }

        long events() {
            return events;
        }

        /** Number of messages without those that repeat an event. */
        long count() {
            return byLevel.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Number of messages of at least this level. */
        long atLeast(LogLevel level) {
            return byLevel.entrySet().stream()
                    .filter(entry -> entry.getKey().compareTo(level) <= 0)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        /** Number of messages by tag. */
        SortedMap<Integer, Long> byTag() {
            return byTag;
        }

        List<Message> first() {
            return first;
        }
    }
}
