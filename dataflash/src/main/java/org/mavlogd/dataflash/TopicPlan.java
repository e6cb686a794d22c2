package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.ulog.TopicFormat;

/**
 * The precomputed conversion of one type's records to samples of a topic. {@link #give} allocates nothing. Owned by the
 * mapper's thread. Hot path.
 */
final class TopicPlan {
    /** The time of a record. */
    record Time(Kind kind, int offset) {
        private static final long US_PER_MS = 1000;

        enum Kind {
            /** 64 bits of microseconds: the topic's timestamp. */
            US,
            /** 32 bits of milliseconds, in old firmware; the topic also keeps the field. */
            MS,
            /** The record has no time: its sample gets that of the latest record with a time. */
            NONE
        }

        /** Time in microseconds since the vehicle's boot; not for {@link Kind#NONE}. Hot path. */
        long us(byte[] buffer, int record) {
            return kind == Kind.MS
                    ? (LittleEndian.int32(buffer, record + offset) & 0xFFFF_FFFFL) * US_PER_MS
                    : LittleEndian.int64(buffer, record + offset);
        }
    }

    /**
     * The units of a type's fields.
     *
     * @param text units of the fields; empty if unknown
     * @param isTold whether the log had declared the units, and with them the instance field
     */
    record Units(String text, boolean isTold) {}

    /**
     * The conversion of a record's bytes to a sample.
     *
     * @param length of a sample, in bytes
     */
    record Conversion(List<Step> steps, int length) {
        /** Whether a sample is the record without its header. */
        boolean isStraight(Time time) {
            return time.kind() == Time.Kind.US
                    && time.offset() == DataFlashLayout.HEADER_LENGTH
                    && steps.stream()
                            .allMatch(step -> step instanceof Step.Copy copy
                                    && copy.to() == copy.from() - DataFlashLayout.HEADER_LENGTH);
        }
    }

    private final RecordType type;
    private final TopicFormat format;
    private final Units units;
    private final Time time;
    private final Step[] steps;
    private final byte[] sample;
    private final boolean isStraight;
    private final @Nullable InstanceField instance;
    // By multi id; grows as needed.
    private MappedLog.@Nullable Series[] series = new MappedLog.@Nullable Series[1];
    private boolean refused;

    TopicPlan(
            RecordType type,
            TopicFormat format,
            Units units,
            Time time,
            Conversion conversion,
            @Nullable InstanceField instance) {
        this.type = type;
        this.format = format;
        this.units = units;
        this.time = time;
        this.steps = conversion.steps().toArray(Step[]::new);
        this.sample = new byte[conversion.length()];
        this.instance = instance;
        this.isStraight = conversion.isStraight(time);
    }

    RecordType type() {
        return type;
    }

    String name() {
        return format.name();
    }

    TopicFormat format() {
        return format;
    }

    String units() {
        return units.text();
    }

    @Nullable
    InstanceField instance() {
        return instance;
    }

    boolean knowsUnits() {
        return units.isTold();
    }

    /** Whether the log refused the format. */
    boolean isRefused() {
        return refused;
    }

    void refuse() {
        refused = true;
    }

    boolean hasTime() {
        return time.kind() != Time.Kind.NONE;
    }

    /** Time in microseconds since the vehicle's boot; only if {@link #hasTime}. Hot path. */
    long timeUs(byte[] buffer, int offset) {
        return time.us(buffer, offset);
    }

    /** The multi id of a record; 0 for a type without instances. Hot path. */
    int multiId(byte[] buffer, int offset) {
        return instance == null ? 0 : instance.multiId(buffer, offset);
    }

    MappedLog.@Nullable Series series(int multiId) {
        return multiId < series.length ? series[multiId] : null;
    }

    void setSeries(int multiId, MappedLog.Series begun) {
        if (multiId >= series.length) {
            series = Arrays.copyOf(series, multiId + 1);
        }
        series[multiId] = begun;
    }

    /** Takes over the instances in the log from another plan of the same topic. */
    void take(TopicPlan before) {
        series = before.series;
        refused = before.refused;
    }

    /** Writes a record as a sample. Hot path. */
    void give(MappedLog.Series target, byte[] buffer, int offset, long timeUs) throws IOException {
        if (isStraight) {
            target.sample(buffer, offset + DataFlashLayout.HEADER_LENGTH, sample.length);
            return;
        }
        LittleEndian.putInt64(sample, 0, timeUs);
        for (Step step : steps) {
            step.apply(buffer, offset, sample);
        }
        target.sample(sample, 0, sample.length);
    }

    /** One step of converting a record to a sample. Hot path. */
    interface Step {
        /**
         * Writes one part of the sample.
         *
         * @param offset of the record's header in {@code buffer}
         */
        void apply(byte[] buffer, int offset, byte[] sample);

        /** Copies adjacent fields unchanged: both formats are little endian. */
        record Copy(int from, int to, int length) implements Step {
            @Override
            public void apply(byte[] buffer, int offset, byte[] sample) {
                System.arraycopy(buffer, offset + from, sample, to, length);
            }

            boolean isFollowedBy(int nextFrom, int nextTo) {
                return from + length == nextFrom && to + length == nextTo;
            }
        }

        /** Converts a half to a float. */
        record Widen(int from, int to) implements Step {
            @Override
            public void apply(byte[] buffer, int offset, byte[] sample) {
                LittleEndian.putInt32(sample, to, Bytes.Half.toFloatBits(LittleEndian.int16(buffer, offset + from)));
            }
        }

        /** Converts numbers to their unit. */
        record Convert(RecordType.Field field, int to, double divisor, double factor) implements Step {
            static Convert of(RecordType.Field field, int to, Scale scale) {
                double divisor = scale.divisor();
                return new Convert(field, to, divisor, divisor == 1 ? scale.factor() : 1);
            }

            @Override
            public void apply(byte[] buffer, int offset, byte[] sample) {
                FieldFormat format = field.format();
                for (int i = 0; i < format.count(); i++) {
                    double value = Bytes.number(format, buffer, offset + field.offset(), i) * factor / divisor;
                    LittleEndian.putInt64(sample, to + i * Double.BYTES, Double.doubleToRawLongBits(value));
                }
            }
        }
    }
}
