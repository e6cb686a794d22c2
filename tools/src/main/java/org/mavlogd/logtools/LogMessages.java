package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.events.EventDecoder;
import org.mavlogd.tags.TagMap;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * The messages of a log for people, in chronological order: logged ones, tagged ones, and PX4's events. A message that
 * PX4 logs both as event and as text is returned once, as event. Reads in one pass; {@link MessageOrder} documents the
 * memory.
 */
public final class LogMessages {
    private static final String EVENTS = "event";
    private static final int MAX_TAG = 100;
    private static final int MAX_LISTED = 10;

    /** The origin of a message in the log. */
    public enum Kind {
        LOGGED,
        TAGGED,
        EVENT;

        /** The name for other programs. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A message.
     *
     * @param tag of a tagged message, else {@link LoggedText#NO_TAG}
     * @param text as in the log, arbitrary
     */
    public record Message(long timestampUs, LogLevel level, Kind kind, int tag, String text) {}

    /** Receives the messages in order. */
    @FunctionalInterface
    public interface Output {
        /** Receives the next message; {@code log} has the facts known so far. */
        void onMessage(Message message, LogMessages log);
    }

    /** Selects messages: minimum level, tag (name or number), and time. */
    public record Filter(LogLevel level, Optional<String> tag, TimeRange time) {
        public static final Filter NONE = new Filter(LogLevel.DEBUG, Optional.empty(), TimeRange.ALL);

        private boolean accepts(Message message, LogMessages log) {
            return message.level().compareTo(level) <= 0
                    && tag.filter(wanted -> !log.isTag(wanted, message.tag())).isEmpty()
                    && time.contains(message.timestampUs(), log.startUs, log.utc);
        }
    }

    private final Filter filter;
    private final Output output;
    private final MessageOrder order = new MessageOrder(this::deliver);
    private final EventDecoder events = new EventDecoder();
    private final UtcReference utc = new UtcReference();
    private final Collector collector = new Collector();
    private TagMap tags = TagMap.NONE;
    // The tags of all messages, selected or not.
    private final BitSet used = new BitSet();
    private long startUs;
    private long latestUs;

    public LogMessages(Filter filter, Output output) {
        this.filter = filter;
        this.output = output;
    }

    /**
     * Reads a log.
     *
     * @throws ULogException if it is not a log, is refused, or lacks the tag or the UTC that the filter needs
     */
    public void read(Path log, Progress progress) throws IOException {
        LogSource.read(log, collector, progress);
        finish();
    }

    /**
     * Reads a log that may still be written, until it is finished. Messages are passed on as they are logged, with a
     * delay of one second, because earlier ones may follow.
     *
     * @param caughtUp called whenever the end of the file is reached
     * @param remark receives a tag that is still missing after the existing part was read for the first time
     */
    public void follow(Path log, Runnable caughtUp, Consumer<String> remark) throws IOException {
        boolean[] isRemarked = new boolean[1];
        LogFollower.read(log, collector, () -> {
            deliverSettled();
            caughtUp.run();
            if (!isRemarked[0]) {
                isRemarked[0] = true;
                missingTag().ifPresent(missing -> remark.accept(missing + "; waiting for it"));
            }
        });
        finish();
    }

    /** A handler for callers that read the log for other purposes, too; {@link #finish} must be called last. */
    public TopicReader handler() {
        return collector;
    }

    /** Passes on the messages whose order can no longer change: all except those of the last second. */
    public void deliverSettled() {
        order.deliverUntil(latestUs - MessageOrder.SETTLED_US);
    }

    public void finish() throws ULogException {
        requireUtc();
        order.deliverUntil(Long.MAX_VALUE);
        requireTag();
    }

    private void requireUtc() throws ULogException {
        if (filter.time.needsUtc()) {
            utc.require();
        }
    }

    private void requireTag() throws ULogException {
        Optional<String> missing = missingTag();
        if (missing.isPresent() && filter.tag.filter(this::isNamed).isEmpty()) {
            throw new ULogException(missing.get());
        }
    }

    /** Says that no message of the log has the wanted tag, and which tags they have; empty if one has it. */
    public Optional<String> missingTag() {
        return filter.tag
                .filter(wanted -> used.stream().noneMatch(tag -> isTag(wanted, tag)))
                .map(wanted -> "no message has the tag \"" + Words.line(wanted, MAX_TAG) + '"' + hint(wanted));
    }

    /** Whether the log has a name for this tag; then it may be without messages. */
    private boolean isNamed(String wanted) {
        return tags.names().keySet().stream().anyMatch(tag -> isTag(wanted, tag));
    }

    private String hint(String wanted) {
        List<String> present = used.stream().mapToObj(this::tagText).toList();
        String similar = isNamed(wanted)
                ? ""
                : SimilarWord.hint(
                        wanted,
                        Stream.concat(present.stream(), tags.names().values().stream())
                                .toList());
        String listed = present.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        String more = present.size() > MAX_LISTED ? " and " + (present.size() - MAX_LISTED) + " more" : "";
        return similar + (present.isEmpty() ? "; no message is tagged" : "; their tags: " + listed + more);
    }

    private void deliver(Message message) {
        if (filter.accepts(message, this)) {
            output.onMessage(message, this);
        }
    }

    /** The name of a tag in the log. */
    public Optional<String> tagName(int tag) {
        return tags.name(tag);
    }

    /** The name of a tag in the log, or else its number. */
    public String tagText(int tag) {
        return tagName(tag).orElse(Integer.toString(tag));
    }

    private boolean isTag(String wanted, int tag) {
        return tag != LoggedText.NO_TAG
                && (wanted.equals(Integer.toString(tag))
                        || tagName(tag).filter(wanted::equalsIgnoreCase).isPresent());
    }

    public Optional<Instant> utcAt(long timestampUs) {
        return utc.at(timestampUs);
    }

    /** Formats a time for people. */
    public String timeText(long timestampUs) {
        return utc.text(timestampUs);
    }

    /** The reason why messages may be missing; empty if none are. A truncated end does not count. */
    public Optional<String> problem() {
        LogDamage inside = collector.damage().withoutCut();
        return inside.isNone() ? eventProblem() : Optional.of("damaged: " + inside.text());
    }

    /** The reason why the definitions of events cannot be read; empty if they can, or if there are none. */
    public Optional<String> eventProblem() {
        return Optional.of(events.problem()).filter(text -> !text.isEmpty());
    }

    private final class Collector extends LogDamage.Tally implements TopicReader {
        private @Nullable Topic eventTopic;
        private @Nullable Column id;
        private @Nullable Column arguments;
        private @Nullable Column levels;

        @Override
        public void onStart(int version, long timestampUs) {
            startUs = timestampUs;
            utc.onStart(version, timestampUs);
        }

        @Override
        public void onInfo(KeyedValue info) {
            utc.onInfo(info);
            events.onInfo(info);
            if (info.name().equals(TagMap.INFO) && info.isText()) {
                tags = TagMap.read(info.text());
            }
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) {
            events.onMultiInfo(info, continued);
        }

        @Override
        public void onTopic(Topic topic) {
            utc.onTopic(topic);
            if (topic.name().equals(EVENTS)) {
                topic.layout().ifPresent(layout -> setColumns(topic, layout));
            }
        }

        private void setColumns(Topic topic, TopicLayout layout) {
            id = layout.column("id")
                    .filter(column -> column.type() == FieldType.UINT32)
                    .orElse(null);
            arguments = layout.column("arguments")
                    .filter(column -> column.type() == FieldType.UINT8)
                    .orElse(null);
            levels = layout.column("log_levels")
                    .filter(column -> column.type() == FieldType.UINT8)
                    .orElse(null);
            eventTopic = topic;
        }

        @Override
        public boolean reads(Topic topic) {
            return topic == eventTopic || utc.reads(topic);
        }

        @Override
        public void onSample(SampleView sample) {
            latestUs = Math.max(latestUs, sample.timestampUs());
            utc.onSample(sample);
            if (sample.topic() == eventTopic && id != null && arguments != null && levels != null) {
                onEvent(sample, sample.integer(id), arguments, (int) sample.integer(levels));
            }
        }

        private void onEvent(SampleView sample, long eventId, Column bytes, int logLevels) {
            byte[] values = new byte[bytes.count()];
            for (int i = 0; i < values.length; i++) {
                values[i] = (byte) sample.integer(bytes, i);
            }
            EventDecoder.Message event = events.message(eventId, values);
            Message message =
                    new Message(sample.timestampUs(), level(logLevels), Kind.EVENT, LoggedText.NO_TAG, event.text());
            order.add(message, event.isDefined() && !event.isSummary());
        }

        /** The level for the ground station, or if that is disabled, for the log. PX4 has two levels below debug. */
        private static LogLevel level(int logLevels) {
            int external = logLevels & 0xF;
            int internal = (logLevels >> 4) & 0xF;
            int disabled = 9;
            LogLevel[] all = LogLevel.values();
            return all[Math.min(all.length - 1, external < disabled ? external : internal)];
        }

        @Override
        public void onLoggedText(LoggedText text) {
            latestUs = Math.max(latestUs, text.timestampUs());
            Kind kind = text.isTagged() ? Kind.TAGGED : Kind.LOGGED;
            if (text.isTagged()) {
                used.set(text.tag());
            }
            order.add(new Message(text.timestampUs(), text.level(), kind, text.tag(), text.text()), false);
        }
    }
}
