package org.mavlogd.dataflash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.Definitions.FieldUnits;
import org.mavlogd.dataflash.TopicPlan.Time;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicFormat;

/** Plans a type: the format of its topic, the places of the fields in a sample, and the text of its units. */
final class TopicPlanner {
    /** Topics of the same name: each name is longer than the one before, and real logs redeclare a type rarely. */
    static final int MAX_NAMESAKES = 16;

    private final MemoryShare share;
    private final Definitions definitions;
    private final ULogMapper.Values values;
    private final TopicNames topics = new TopicNames();

    /** @param share memory for the tables of instance fields */
    TopicPlanner(Definitions definitions, ULogMapper.Values values, MemoryShare share) {
        this.share = share;
        this.definitions = definitions;
        this.values = values;
    }

    /** Whether another topic with the name of this type is possible. */
    boolean hasNameFor(RecordType type) {
        return topics.uses(type.name()) < MAX_NAMESAKES;
    }

    /** @param instance from an earlier plan of the same type, whose multi ids remain valid; null for a new one */
    TopicPlan plan(RecordType type, @Nullable InstanceField instance) {
        return new Draft(type, instance).plan(topics.unique(type.name()));
    }

    /** The plan of a topic after its units became known: keeps the format, which the log already has. */
    TopicPlan withUnits(TopicPlan before) {
        TopicPlan plan = new Draft(before.type(), null).plan(before.name());
        TopicPlan result = plan.format().equals(before.format()) ? plan : before;
        if (result == plan) {
            plan.take(before);
        }
        return result;
    }

    /** The field with the instance; empty if there is none of a usable format. */
    static Optional<RecordType.Field> instanceField(RecordType type, FieldUnits units) {
        for (int i = 0; i < type.fields().size(); i++) {
            RecordType.Field field = type.fields().get(i);
            if (units.unit(i) == Definitions.StandardUnits.INSTANCE
                    && (field.format().isInteger() || field.format().isText())) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    static Time time(RecordType type) {
        for (RecordType.Field field : type.fields()) {
            boolean is64 = field.format() == FieldFormat.UINT64 || field.format() == FieldFormat.INT64;
            if (is64 && (field.label().equals("TimeUS") || field.label().equals("US"))) {
                return new Time(Time.Kind.US, field.offset());
            }
        }
        // Before ArduPilot 3.3, TimeMS of a receiver counts from the start of the GPS week, and T from boot.
        boolean isOfWeek =
                type.field("TimeMS").isPresent() && type.integer("Week").isPresent();
        return type.field(isOfWeek ? "T" : "TimeMS")
                .filter(field -> field.format() == FieldFormat.UINT32)
                .map(field -> new Time(Time.Kind.MS, field.offset()))
                .orElse(new Time(Time.Kind.NONE, 0));
    }

    private final class Draft {
        private final RecordType type;
        private final FieldUnits units;
        private final Time time;
        private final @Nullable InstanceField instance;
        private final TopicNames names = new TopicNames();
        private final List<Field> fields = new ArrayList<>();
        private final List<TopicPlan.Step> steps = new ArrayList<>();
        private final UnitsText unitsText;
        private int length = Long.BYTES;

        Draft(RecordType type, @Nullable InstanceField earlier) {
            this.type = type;
            this.units = definitions.units(type);
            this.time = time(type);
            this.instance = earlier != null
                    ? earlier
                    : instanceField(type, units)
                            .filter(field -> share.reserve(Footprint.INSTANCES))
                            .map(field -> new InstanceField(field, share))
                            .orElse(null);
            this.unitsText = new UnitsText(definitions, units);
        }

        TopicPlan plan(String topic) {
            fields.add(Field.of(FieldType.UINT64, TopicNames.TIMESTAMP));
            for (int i = 0; i < type.fields().size(); i++) {
                RecordType.Field field = type.fields().get(i);
                if (time.kind() != Time.Kind.US || field.offset() != time.offset()) {
                    add(field, i);
                }
            }
            addRest();
            return new TopicPlan(
                    type,
                    new TopicFormat(topic, fields),
                    new TopicPlan.Units(unitsText.text(topic), definitions.hasUnits(type)),
                    time,
                    new TopicPlan.Conversion(steps, length),
                    instance);
        }

        private void add(RecordType.Field field, int index) {
            String name = names.unique(field.label());
            FieldFormat format = field.format();
            if (values == ULogMapper.Values.SCALED
                    && units.unit(index) != Definitions.StandardUnits.INSTANCE
                    && Scale.isTold(field, index, units, definitions)) {
                steps.add(TopicPlan.Step.Convert.of(field, length, Scale.of(field, index, units, definitions)));
                declare(FieldType.DOUBLE, format.isArray(), format.count(), name);
                unitsText.add(name, index, Scale.NONE);
            } else {
                unitsText.add(name, index, Scale.of(field, index, units, definitions));
                addRaw(field, name);
            }
        }

        private void addRaw(RecordType.Field field, String name) {
            FieldFormat format = field.format();
            if (format == FieldFormat.HALF) {
                steps.add(new TopicPlan.Step.Widen(field.offset(), length));
            } else {
                copy(field.offset(), format.length());
            }
            boolean isBinary =
                    type.name().equals(LoggedFile.TYPE) && field.label().equals(LoggedFile.DATA);
            declare(isBinary ? FieldType.UINT8 : format.type(), format.isArray(), format.count(), name);
        }

        /** Keeps the bytes that the declaration does not cover. */
        private void addRest() {
            int rest = type.length() - type.restOffset();
            if (rest > 0) {
                copy(type.restOffset(), rest);
                declare(FieldType.UINT8, true, rest, names.unique(""));
            }
        }

        private void declare(FieldType fieldType, boolean isArray, int count, String name) {
            fields.add(isArray ? Field.array(fieldType, count, name) : Field.of(fieldType, name));
            length += fieldType.length() * count;
        }

        private void copy(int from, int bytes) {
            int lastIndex = steps.size() - 1;
            if (lastIndex >= 0
                    && steps.get(lastIndex) instanceof TopicPlan.Step.Copy before
                    && before.isFollowedBy(from, length)) {
                steps.set(lastIndex, new TopicPlan.Step.Copy(before.from(), before.to(), before.length() + bytes));
            } else {
                steps.add(new TopicPlan.Step.Copy(from, length, bytes));
            }
        }
    }

    /**
     * Builds the text with units and scales of a topic's fields: {@code BARO:I=instance,Alt=m,Temp=0.01 degC}. A value
     * times the scale is in the unit. Scale or unit may be missing; fields without both are omitted.
     */
    static final class UnitsText {
        private final Definitions definitions;
        private final FieldUnits units;
        private final StringBuilder text = new StringBuilder();

        UnitsText(Definitions definitions, FieldUnits units) {
            this.definitions = definitions;
            this.units = units;
        }

        void add(String name, int index, Scale scale) {
            char unit = units.unit(index);
            String label = unit == Definitions.StandardUnits.UNKNOWN ? "" : definitions.unitLabel(unit);
            boolean isScaled = scale.factor() != 1;
            if (label.isEmpty() && !isScaled) {
                return;
            }
            text.append(text.length() == 0 ? "" : ",").append(name).append('=');
            if (isScaled) {
                text.append(number(scale.factor())).append(label.isEmpty() ? "" : " ");
            }
            text.append(label);
        }

        /** Empty if no field has a unit or a scale. */
        String text(String topic) {
            return text.length() == 0 ? "" : topic + ":" + text;
        }

        private static String number(double factor) {
            return factor == Math.rint(factor) && factor < 1e9 ? Long.toString((long) factor) : Double.toString(factor);
        }
    }
}
