package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.LogHead.TypeHead;
import org.mavlogd.memory.MemoryShare;

/**
 * Converts the records of a DataFlash log to a ULog.
 *
 * <p>{@link #begin} writes the part before the data; then the log is fed from its start, in pieces of any size. For a
 * file the {@link LogHead} is that of the complete log. For a stream it is that of the first part, which is then fed
 * again: all types declared by then become topics; types declared later are offered to the log with their first record,
 * and counted if it refuses them. Units that arrive after their topic apply from there on. Memory is bounded: {@value
 * HeadCollector#MAX_TYPES} topics, and the memory of the decoder. Records of known types allocate nothing, except
 * parameters and messages. Owned by one thread.
 */
public final class ULogMapper {
    /** The form of values in the ULog. */
    public enum Values {
        /** As logged by the vehicle; units and scales are in the info {@code field_units}. */
        RAW,
        /** Converted to their units, as double, if the log defines the scale. */
        SCALED
    }

    /** The interval of PX4. */
    private static final long SYNC_INTERVAL_US = 500_000;

    /** Maximum length of a gap: a longer one is caused by a wrong time next to the damage. */
    private static final long LONGEST_GAP_US = 3_600_000_000L;

    private static final long US_PER_MS = 1000;

    /** ULog has 65,536 message ids; some are left for others. */
    private static final int MAX_SUBSCRIPTIONS = 60_000;

    private final MemoryShare share;
    private final LogHead head;
    private final MappedLog log;
    private final boolean isStream;
    private final DataFlashDecoder decoder;
    private final TopicPlanner planner;
    private final HeadWriter headWriter;
    private final ParameterWriter parameters;
    private final TextWriter messages;
    private final EventTexts events;
    private final @Nullable Topic[] byId = new Topic[DataFlashLayout.TYPES];
    private final Map<RecordType, Topic> topics = new HashMap<>();
    private final List<Topic> inOrder = new ArrayList<>();
    private final Gaps gaps = new Gaps();

    private DataFlashDecoder.Handler flaws = (type, buffer, offset) -> {};
    private boolean begun;
    private long latestUs;
    private long syncUs = Long.MIN_VALUE;
    private long records;
    private long samples;
    private long refused;
    private int subscriptions;

    /**
     * Creates a mapper for one log.
     *
     * @param units whether records wait for late units: yes for a stream, no for a file whose head is complete
     */
    public ULogMapper(LogHead head, Values values, DataFlashDecoder.Units units, MappedLog log) {
        this(head, values, units, log, MemoryShare.unlimited());
    }

    /** A mapper for a stream, with memory from {@code share}; records of types that do not fit are refused. */
    public ULogMapper(LogHead head, Values values, MappedLog log, MemoryShare share) {
        this(head, values, DataFlashDecoder.Units.WAIT, log, share);
    }

    private ULogMapper(LogHead head, Values values, DataFlashDecoder.Units units, MappedLog log, MemoryShare share) {
        this.head = head;
        this.log = log;
        this.share = share;
        this.isStream = units == DataFlashDecoder.Units.WAIT;
        Definitions definitions = head.definitions().rewound();
        this.decoder = isStream
                ? DataFlashDecoder.ofStream(definitions, units, new Records(), share)
                : new DataFlashDecoder(definitions, units, new Records());
        this.planner = new TopicPlanner(decoder.definitions(), values, share);
        this.headWriter = new HeadWriter(log);
        this.parameters = new ParameterWriter(log, head.parameters(), share);
        this.messages = new TextWriter(log);
        this.events = new EventTexts(log, Meanings.all(), head.vehicle());
        this.latestUs = head.startUs();
    }

    /** Sets a handler for damaged, truncated and undeclared records, before {@link #begin}. */
    public void reportFlaws(DataFlashDecoder.Handler to) {
        flaws = to;
    }

    /** Writes the part before the data: infos, parameters, formats and known subscriptions. */
    public void begin() throws IOException {
        headWriter.writeInfos(head);
        parameters.writeFirst();
        for (TypeHead type : head.types()) {
            if (!Definitions.isDefinition(type.type())) {
                topic(type.type(), type.instance());
            }
        }
        if (isStream) {
            declareRest();
        }
        for (Topic topic : inOrder) {
            headWriter.describe(topic.plan);
        }
        begun = true;
        for (TypeHead type : head.types()) {
            Topic topic = topics.get(type.type());
            if (topic != null && topic.isStored()) {
                for (int multiId : type.instance() == null ? List.of(0) : type.multiIds()) {
                    series(topic.plan, multiId);
                }
            }
        }
    }

    /** Declares all remaining known types: their records may come at any time, when formats are no longer accepted. */
    private void declareRest() throws IOException {
        for (RecordType type : decoder.definitions().types()) {
            if (!Definitions.isDefinition(type)) {
                topic(type, null);
            }
        }
    }

    /** Takes the next bytes of the DataFlash log. */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        decoder.feed(buffer, offset, length);
    }

    /** Adds facts from before the mapped part of the log that were unknown when the mapping started. */
    public void catchUp(LogHead past) throws IOException {
        decoder.learn(past.definitions());
        parameters.catchUp(past.parameters());
    }

    /** Ends the DataFlash log. */
    public void finish() throws IOException {
        decoder.finish();
        messages.finish();
    }

    /** Whether there were records other than those at the start of every log; also true if some are unknown. */
    public boolean hasMoreThanStart() {
        return gaps.bytes > 0
                || gaps.undeclared > 0
                || refused > 0
                || topics.values().stream()
                        .anyMatch(
                                topic -> topic.hasRecords && !topic.plan.type().isOfEveryStart());
    }

    public Counts counts() {
        return new Counts(
                records,
                samples,
                parameters.count(),
                messages.count(),
                gaps.spans,
                gaps.bytes,
                gaps.cutBytes,
                gaps.undeclared,
                refused);
    }

    /** A plan, and the meaning of its records. */
    private static final class Topic {
        private TopicPlan plan;
        private final @Nullable RecordMeaning meaning;
        private final boolean isOnlyMeaning;
        private boolean hasRecords;

        Topic(TopicPlan plan, @Nullable RecordMeaning meaning, boolean isOnlyMeaning) {
            this.plan = plan;
            this.meaning = meaning;
            this.isOnlyMeaning = isOnlyMeaning;
        }

        boolean isStored() {
            return !isOnlyMeaning && !plan.isRefused();
        }
    }

    private final class Records implements DataFlashDecoder.Handler {
        @Override
        public void onRecord(RecordType type, byte[] buffer, int offset) throws IOException {
            records++;
            Topic topic = byId[type.id()];
            if (topic == null || !topic.plan.type().isSame(type)) {
                if (Definitions.isDefinition(type)) {
                    onDefinition(type, buffer, offset);
                    return;
                }
                topic = topic(type, null);
            }
            if (topic == null) {
                refused++;
            } else {
                give(topic, buffer, offset);
            }
        }

        @Override
        public void onDamage(long position, long length) throws IOException {
            gaps.isOpen = true;
            gaps.spans++;
            gaps.bytes += length;
            flaws.onDamage(position, length);
        }

        @Override
        public void onCut(long position, long length) throws IOException {
            gaps.cutBytes += length;
            flaws.onCut(position, length);
        }

        @Override
        public void onUndeclared(int type, long position, int length) throws IOException {
            gaps.undeclared++;
            flaws.onUndeclared(type, position, length);
        }
    }

    /** Hot path. */
    private void give(Topic topic, byte[] buffer, int offset) throws IOException {
        topic.hasRecords = true;
        TopicPlan plan = topic.plan;
        if (plan.hasTime()) {
            onTime(plan.timeUs(buffer, offset));
        }
        if (topic.meaning != null) {
            topic.meaning.tell(buffer, offset, latestUs);
        }
        if (topic.isOnlyMeaning) {
            return;
        }
        if (plan.isRefused()) {
            refused++;
            return;
        }
        int multiId = plan.multiId(buffer, offset);
        MappedLog.Series known = plan.series(multiId);
        MappedLog.Series series = known == null ? series(plan, multiId) : known;
        if (series == null) {
            refused++;
        } else {
            plan.give(series, buffer, offset, latestUs);
            samples++;
        }
    }

    private void onTime(long timeUs) throws IOException {
        if (gaps.isOpen) {
            closeGap(timeUs);
        }
        latestUs = timeUs;
        if (timeUs >= syncUs || timeUs < syncUs - 2 * SYNC_INTERVAL_US) {
            if (syncUs != Long.MIN_VALUE) {
                log.sync();
            }
            messages.onTime(timeUs);
            syncUs = timeUs + SYNC_INTERVAL_US;
        }
    }

    private void closeGap(long timeUs) throws IOException {
        gaps.isOpen = false;
        long gapUs = Math.max(0, timeUs - latestUs);
        log.dropout(Math.min(gapUs, LONGEST_GAP_US) / US_PER_MS);
    }

    /** The topic of a type, created if needed; null if there are too many, or too many with its name. */
    private @Nullable Topic topic(RecordType type, @Nullable InstanceField instance) throws IOException {
        Topic topic = topics.get(type);
        if (topic == null) {
            boolean hasRoom = topics.size() < HeadCollector.MAX_TYPES && planner.hasNameFor(type);
            if (!hasRoom || !share.reserve(Footprint.plan(type))) {
                return null;
            }
            topic = newTopic(type, instance);
            topics.put(type, topic);
            inOrder.add(topic);
        }
        if (topic.plan.type().isSame(type)) {
            byId[type.id()] = topic;
        }
        return topic;
    }

    private Topic newTopic(RecordType type, @Nullable InstanceField instance) throws IOException {
        TopicPlan plan = planner.plan(type, instance);
        Topic topic = TextRecord.of(type)
                .map(text -> new Topic(plan, messages.meaning(text), text.isAll()))
                .orElseGet(() -> new Topic(plan, meaning(type), false));
        if (!topic.isOnlyMeaning && !log.format(plan.format())) {
            plan.refuse();
        } else if (begun) {
            headWriter.describe(plan);
        }
        return topic;
    }

    /** Definitions after the start of a stream may supply a topic's missing instance field and units. */
    private void onDefinition(RecordType type, byte[] buffer, int offset) throws IOException {
        if (!isStream || !type.name().equals("FMTU")) {
            return;
        }
        RecordType described = decoder.definitions().describedBy(type, buffer, offset);
        Topic topic = described == null ? null : topics.get(described);
        if (topic != null && !topic.plan.knowsUnits() && decoder.definitions().hasUnits(topic.plan.type())) {
            topic.plan = planner.withUnits(topic.plan);
            headWriter.describeUnits(topic.plan);
        }
    }

    private @Nullable RecordMeaning meaning(RecordType type) {
        return ParameterRecord.of(type)
                .map(parameters::meaning)
                .or(() -> DroppedRecords.of(type, log, () -> records))
                .orElseGet(() -> events.of(type));
    }

    /** An instance in the log, the first of a topic always 0; null if the log accepts no more. */
    private MappedLog.@Nullable Series series(TopicPlan plan, int multiId) throws IOException {
        if (multiId != 0 && plan.series(0) == null && series(plan, 0) == null) {
            return null;
        }
        MappedLog.Series known = plan.series(multiId);
        if (known != null) {
            return known;
        }
        long footprint = Footprint.SERIES + (long) multiId * Integer.BYTES;
        if (subscriptions >= MAX_SUBSCRIPTIONS || !share.reserve(footprint)) {
            return null;
        }
        MappedLog.Series begun = log.subscribe(plan.name(), multiId);
        if (begun == null) {
            share.release(footprint);
            return null;
        }
        subscriptions++;
        plan.setSeries(multiId, begun);
        headWriter.nameInstance(plan, multiId);
        return begun;
    }

    /** The missing parts of the log. */
    private static final class Gaps {
        private boolean isOpen;
        private long spans;
        private long bytes;
        private long cutBytes;
        private long undeclared;
    }

    /**
     * The counts of a mapped log.
     *
     * @param records intact records, including definitions
     * @param samples of all topics
     * @param parameters values, including changes
     * @param texts logged messages, without those made from modes and events
     * @param damagedSpans places with bytes that are not records
     * @param damagedBytes bytes in these places
     * @param cutBytes bytes of an incomplete last record
     * @param undeclared records of types that the log does not declare
     * @param refused records whose topic the ULog refused
     */
    public record Counts(
            long records,
            long samples,
            long parameters,
            long texts,
            long damagedSpans,
            long damagedBytes,
            long cutBytes,
            long undeclared,
            long refused) {
        /** Number of records that the ULog lacks. */
        public long unmapped() {
            return undeclared + refused;
        }
    }
}
