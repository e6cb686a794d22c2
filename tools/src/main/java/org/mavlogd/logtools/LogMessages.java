package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.events.EventDecoder;
import org.mavlogd.tags.TagMap;
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
 * The messages of a log for people, in one order of time: logged ones, those with a tag, and PX4's events. A message that
 * PX4 logs both as event and as text is given once, as event. Read in one pass; {@link MessageOrder} says in which memory.
 */
public final class LogMessages {
    private static final String EVENTS = "event";

    /** How a message came into the log. */
    public enum Kind {
        LOGGED,
        TAGGED,
        EVENT;

        /** As other programs read it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A message.
     *
     * @param tag of a tagged one, else {@link LoggedText#NO_TAG}
     * @param text as it is in the log, which may be anything
     */
    public record Message(long timestampUs, LogLevel level, Kind kind, int tag, String text) {}

    /** Takes the messages in their order. */
    @FunctionalInterface
    public interface Output {
        /** Takes the next one; {@code log} has what is known of the log by now. */
        void onMessage(Message message, LogMessages log);
    }

    /** Which messages are wanted: at least this severe, with this tag (a name or a number), in this time. */
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
    private long startUs;
    private long latestUs;

    public LogMessages(Filter filter, Output output) {
        this.filter = filter;
        this.output = output;
    }

    /**
     * Reads a log.
     *
     * @throws ULogException if it is no log, refused, or is asked for a time in UTC that it does not have
     */
    public void read(Path log, Progress progress) throws IOException {
        LogSource.read(log, collector, progress);
        finish();
    }

    /**
     * Reads a log that may still be written, until it is finished. Messages come as they are logged, but for the last second's,
     * of which some may be missing yet.
     *
     * @param caughtUp is run whenever all that is there so far has been read
     */
    public void follow(Path log, Runnable caughtUp) throws IOException {
        LogFollower.read(log, collector, () -> {
            deliverSettled();
            caughtUp.run();
        });
        finish();
    }

    /** Takes what a reader of a log gives, where the log is read for something else as well; {@link #finish} comes last. */
    public TopicReader handler() {
        return collector;
    }

    /** Gives the messages whose order nothing that is still to come changes: all but the last second's. */
    public void deliverSettled() {
        order.deliverUntil(latestUs - MessageOrder.SETTLED_US);
    }

    public void finish() throws ULogException {
        requireUtc();
        order.deliverUntil(Long.MAX_VALUE);
    }

    private void requireUtc() throws ULogException {
        if (filter.time.needsUtc()) {
            utc.require();
        }
    }

    private void deliver(Message message) {
        if (filter.accepts(message, this)) {
            output.onMessage(message, this);
        }
    }

    /** The name that the log gives a tag. */
    public Optional<String> tagName(int tag) {
        return tags.name(tag);
    }

    private boolean isTag(String wanted, int tag) {
        return tag != LoggedText.NO_TAG
                && (wanted.equals(Integer.toString(tag))
                        || tagName(tag).filter(wanted::equalsIgnoreCase).isPresent());
    }

    public Optional<Instant> utcAt(long timestampUs) {
        return utc.at(timestampUs);
    }

    /** A time for people. */
    public String timeText(long timestampUs) {
        return utc.text(timestampUs);
    }

    /** What may have kept messages from being read, in words; empty if nothing did. The cut end of a streamed log does not. */
    public Optional<String> problem() {
        LogDamage inside = collector.damage().withoutCut();
        return inside.isNone() ? eventProblem() : Optional.of("damaged: " + inside.text());
    }

    /** Why the definitions of the log's events cannot be read; empty if they can, or if there are none. */
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

        /** For people on the ground; where that is switched off, for the log. PX4 has two levels below debug. */
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
            order.add(new Message(text.timestampUs(), text.level(), kind, text.tag(), text.text()), false);
        }
    }
}
