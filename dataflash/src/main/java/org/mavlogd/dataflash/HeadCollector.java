package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.LogHead.FirstValue;
import org.mavlogd.dataflash.LogHead.TypeHead;
import org.mavlogd.memory.MemoryShare;

/**
 * Collects from a log, or its start, everything that a ULog needs before its data: types, units, instances, first
 * values of parameters, software, time.
 *
 * <p>Memory is bounded: {@value #MAX_TYPES} types, {@value #MAX_PARAMETERS} parameters, 256 instances of a type. Hot
 * path. Owned by one thread.
 */
public final class HeadCollector {
    /** Real logs have about two hundred; only repeated declarations give more. */
    static final int MAX_TYPES = 1024;

    static final int MAX_PARAMETERS = 16_384;

    private final MemoryShare share;
    private final Definitions definitions;
    private final DataFlashDecoder decoder;
    private final BuildInfo build = new BuildInfo(Meanings.all());
    private final GpsClock clock = new GpsClock();
    private final List<Tally> tallies = new ArrayList<>();
    // A type may be redeclared again and again, with one record each time.
    private final Map<RecordType, Tally> byType = new HashMap<>();
    private final @Nullable Tally[] byId = new Tally[DataFlashLayout.TYPES];
    private final Map<String, FirstValue> parameters = new LinkedHashMap<>();
    private final StartTime start = new StartTime();
    private long latestUs;
    private long records;
    private int definitionRecords;
    private boolean isPast;
    private boolean hasUnknown;

    /** A collector for a file. */
    public HeadCollector() {
        share = MemoryShare.unlimited();
        definitions = new Definitions();
        decoder = new DataFlashDecoder(definitions, DataFlashDecoder.Units.DO_NOT_WAIT, new Records());
    }

    /** A collector for a stream, with memory from {@code share}; facts that do not fit remain unknown. */
    public HeadCollector(MemoryShare share) {
        this.share = share;
        definitions = new Definitions(share);
        decoder = DataFlashDecoder.ofStream(definitions, DataFlashDecoder.Units.DO_NOT_WAIT, new Records(), share);
    }

    /**
     * A collector that starts with the past of a log, which is not mapped: parameters keep their latest values. {@link
     * #dataBegins} ends the past.
     */
    public static HeadCollector ofPast() {
        return ofPast(MemoryShare.unlimited());
    }

    /** A collector of the past with memory from {@code share}. */
    public static HeadCollector ofPast(MemoryShare share) {
        HeadCollector collector = new HeadCollector(share);
        collector.isPast = true;
        return collector;
    }

    /** Takes the next bytes of the log. */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        decoder.feed(buffer, offset, length);
    }

    /** Ends the log. */
    public void finish() throws IOException {
        decoder.finish();
    }

    /** Number of records so far, including definitions. */
    public long records() {
        return records;
    }

    /** Increases with every fact learned about the log: definitions, types with records, parameters. */
    public int learned() {
        return definitionRecords + tallies.size() + parameters.size();
    }

    /** Whether there were records other than definitions. */
    public boolean hasData() {
        return !tallies.isEmpty();
    }

    /** Whether there were records other than those at the start of every log; also true if some are unknown. */
    public boolean hasMoreThanStart() {
        return hasUnknown || tallies.stream().anyMatch(tally -> !tally.type.isOfEveryStart());
    }

    /** Ends the past: the mapped log starts with the next bytes, and with the current types. */
    public void dataBegins() {
        start.beginAnew();
        isPast = false;
        definitions.beginHere();
    }

    /** Everything known now. */
    public LogHead head() {
        List<TypeHead> types = tallies.stream().map(Tally::head).toList();
        return new LogHead(
                definitions.rewound(),
                types,
                Collections.unmodifiableMap(new LinkedHashMap<>(parameters)),
                Collections.unmodifiableMap(new LinkedHashMap<>(build.texts())),
                build.release(),
                build.vehicle(),
                start.us() < 0 ? latestUs : start.us(),
                clock.bootUtcUs(),
                records);
    }

    private final class Records implements DataFlashDecoder.Handler {
        @Override
        public void onRecord(RecordType type, byte[] buffer, int offset) {
            HeadCollector.this.onRecord(type, buffer, offset);
        }

        @Override
        public void onDamage(long position, long length) {
            hasUnknown = true;
        }

        @Override
        public void onUndeclared(int type, long position, int length) {
            hasUnknown = true;
        }
    }

    private void onRecord(RecordType type, byte[] buffer, int offset) {
        records++;
        Tally tally = byId[type.id()];
        if (tally == null || !tally.type.isSame(type)) {
            if (Definitions.isDefinition(type)) {
                onDefinition(type, buffer, offset);
                return;
            }
            tally = tally(type);
            if (tally == null) {
                return;
            }
        }
        tally.onRecord(buffer, offset);
    }

    /** Units that arrive after the first records of a type may show its instance field. */
    private void onDefinition(RecordType type, byte[] buffer, int offset) {
        definitionRecords++;
        RecordType described = type.name().equals("FMTU") ? definitions.describedBy(type, buffer, offset) : null;
        Tally tally = described == null ? null : byType.get(described);
        if (tally != null) {
            tally.findInstance();
        }
    }

    private @Nullable Tally tally(RecordType type) {
        Tally tally = byType.get(type);
        if (tally == null && tallies.size() < MAX_TYPES && share.reserve(Footprint.TALLY)) {
            tally = new Tally(type);
            tallies.add(tally);
            byType.put(type, tally);
        }
        byId[type.id()] = tally != null && tally.type.isSame(type) ? tally : null;
        return tally;
    }

    private enum Role {
        PLAIN,
        PARAMETER,
        TEXT,
        VERSION,
        GPS
    }

    private static Role role(RecordType type) {
        return switch (type.name()) {
            case ParameterRecord.TYPE -> Role.PARAMETER;
            case TextRecord.TYPE -> Role.TEXT;
            case "VER" -> Role.VERSION;
            case "GPS" -> Role.GPS;
            default -> Role.PLAIN;
        };
    }

    /** The statistics of one type. */
    private final class Tally {
        private final RecordType type;
        private final TopicPlan.Time time;
        private final Role role;
        private final boolean[] multiIds = new boolean[InstanceField.MAX_MULTI_ID + 1];
        private final Optional<ParameterRecord> parameter;
        private @Nullable InstanceField instance;

        Tally(RecordType type) {
            this.type = type;
            this.time = TopicPlanner.time(type);
            this.role = role(type);
            this.parameter = ParameterRecord.of(type);
            findInstance();
        }

        void findInstance() {
            if (instance == null) {
                instance = TopicPlanner.instanceField(type, definitions.units(type))
                        .filter(field -> share.reserve(Footprint.INSTANCES))
                        .map(field -> new InstanceField(field, share))
                        .orElse(null);
            }
        }

        void onRecord(byte[] buffer, int offset) {
            if (time.kind() != TopicPlan.Time.Kind.NONE) {
                latestUs = time.us(buffer, offset);
                start.add(latestUs);
            }
            if (instance != null) {
                multiIds[instance.multiId(buffer, offset)] = true;
            }
            if (role != Role.PLAIN) {
                read(buffer, offset);
            }
        }

        private void read(byte[] buffer, int offset) {
            switch (role) {
                case PARAMETER -> parameter.ifPresent(record -> onParameter(record, buffer, offset));
                case TEXT -> TextRecord.of(type).ifPresent(record -> build.onText(record.text(buffer, offset)));
                case VERSION -> build.onVersion(type, buffer, offset);
                case GPS -> {
                    if (time.kind() != TopicPlan.Time.Kind.NONE) {
                        clock.onFix(type, buffer, offset, latestUs);
                    }
                }
                case PLAIN -> {
                    // nothing to read
                }
            }
        }

        TypeHead head() {
            List<Integer> came = new ArrayList<>();
            for (int id = 0; id < multiIds.length; id++) {
                if (multiIds[id]) {
                    came.add(id);
                }
            }
            return new TypeHead(type, instance, List.copyOf(came));
        }
    }

    /** A change at run time may be logged before the vehicle lists all parameters with their defaults. */
    private void onParameter(ParameterRecord record, byte[] buffer, int offset) {
        String name = record.name(buffer, offset);
        FirstValue known = parameters.get(name);
        boolean isFull = parameters.size() >= MAX_PARAMETERS;
        if (name.isEmpty() || (known == null && (isFull || !share.reserve(Footprint.PARAMETER)))) {
            return;
        }
        if (known != null && isPast) {
            float told = record.defaultValue(buffer, offset);
            float defaultValue = Float.isNaN(told) ? known.defaultValue() : told;
            parameters.put(name, new FirstValue(record.value(buffer, offset), defaultValue));
        } else if (known == null || Float.isNaN(known.defaultValue())) {
            float value = known == null ? record.value(buffer, offset) : known.value();
            parameters.put(name, new FirstValue(value, record.defaultValue(buffer, offset)));
        }
    }

    /**
     * The start of a log: its first time that another one confirms, because a damaged time would otherwise stay the
     * start. Until one is confirmed, the latest time.
     */
    private static final class StartTime {
        /** Times of one log that are further apart do not confirm each other. */
        private static final long MAX_LEAP_US = 3_600_000_000L;

        private long us;
        private long doubtedUs;
        private boolean isSure;

        StartTime() {
            beginAnew();
        }

        void beginAnew() {
            us = -1;
            doubtedUs = -1;
            isSure = false;
        }

        /** Negative before the first time. */
        long us() {
            return us;
        }

        void add(long timeUs) {
            if (isSure || timeUs < 0) {
                return;
            }
            if (isNear(timeUs, doubtedUs)) {
                us = doubtedUs;
                isSure = true;
            } else if (isNear(timeUs, us)) {
                isSure = true;
            } else {
                doubtedUs = us;
                us = timeUs;
            }
        }

        private static boolean isNear(long timeUs, long otherUs) {
            return otherUs >= 0 && Math.abs(timeUs - otherUs) <= MAX_LEAP_US;
        }
    }

    /**
     * Computes when the vehicle booted from the first record of a satellite receiver with a fix.
     *
     * <p>Receivers start with week 0, and may report a time before they have a fix: both are ignored.
     */
    private static final class GpsClock {
        private static final long EPOCH_S = 315_964_800L; // 1980-01-06
        private static final long S_PER_WEEK = 7 * 86_400L;
        private static final long US_PER_S = 1_000_000L;
        private static final long US_PER_MS = 1000L;
        private static final int FIX_3D = 3;
        private static final int LATEST_WEEK = 10_000; // year 2171

        /** Weeks since which GPS time has been ahead of UTC by this number of seconds. */
        private static final long[][] LEAP_SECONDS = {
            {1930, 18}, {1851, 17}, {1695, 16}, {1512, 15}, {1356, 14}, {0, 13}
        };

        private long bootUtcUs = -1;

        /** Boot time in microseconds since 1970; empty if no receiver had a fix. */
        Optional<Long> bootUtcUs() {
            return bootUtcUs < 0 ? Optional.empty() : Optional.of(bootUtcUs);
        }

        void onFix(RecordType type, byte[] buffer, int offset, long timeUs) {
            if (bootUtcUs >= 0 || timeUs < 0) {
                return;
            }
            long status = integer(type, "Status", buffer, offset);
            boolean isOld = type.integer("GWk").isEmpty(); // before ArduPilot 3.3
            long week = integer(type, isOld ? "Week" : "GWk", buffer, offset);
            long ms = integer(type, isOld ? "TimeMS" : "GMS", buffer, offset);
            if (status < FIX_3D || week <= 0 || week > LATEST_WEEK || ms < 0 || ms >= S_PER_WEEK * US_PER_MS) {
                return;
            }
            long seconds = EPOCH_S + week * S_PER_WEEK - leapSeconds(week);
            bootUtcUs = Math.max(-1, seconds * US_PER_S + ms * US_PER_MS - timeUs);
        }

        private static long leapSeconds(long week) {
            for (long[] since : LEAP_SECONDS) {
                if (week >= since[0]) {
                    return since[1];
                }
            }
            return 0;
        }

        private static long integer(RecordType type, String label, byte[] buffer, int offset) {
            return type.integer(label)
                    .map(field -> Bytes.integer(field.format(), buffer, offset + field.offset()))
                    .orElse(-1L);
        }
    }
}
