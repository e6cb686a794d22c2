package org.mavlogd.exports;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.exports.ProtoSchema.Label;
import org.mavlogd.exports.ProtoSchema.ProtoType;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;

/**
 * Encodes the samples of one layout as protobuf messages, and describes them by a schema.
 *
 * <p>Fields are numbered in the order of the format, without padding. Integers of up to 32 bits become int32 and
 * uint32, {@code char} arrays up to their first zero become strings, other arrays repeated packed fields, nested
 * formats messages. A layout that does not match the known formats, or nests too deeply, becomes flat: one field for
 * each column. Names that protobuf does not allow are changed; equal results get a number.
 */
final class SampleEncoder {
    static final String PACKAGE = "px4";

    /** A layout with more steps than this becomes flat. */
    private static final int MAX_STEPS = 16_384;

    private static final String FILE = "px4.proto";

    /** A field of a basic type; without a column the start of a nested message; with number 0 its end. */
    private record Step(int number, @Nullable Column column) {}

    private static final Step END = new Step(0, null);

    private final Step[] steps;
    private final byte[] schema;
    private final int[] starts;

    private SampleEncoder(List<Step> steps, byte[] schema) {
        this.steps = steps.toArray(Step[]::new);
        this.schema = schema;
        starts = new int[TopicLayout.MAX_NESTING + 2];
    }

    /** @param formats all formats declared so far, by name */
    static SampleEncoder of(TopicLayout layout, Map<String, TopicFormat> formats) {
        Plan plan = new Plan(layout, formats);
        TopicFormat format = formats.get(layout.name());
        return format != null && plan.walk(format, "", 0) && !plan.columns.hasNext()
                ? new SampleEncoder(plan.steps, plan.schema(format))
                : flat(layout);
    }

    private static SampleEncoder flat(TopicLayout layout) {
        List<Step> steps = new ArrayList<>();
        ProtoSchema schema = new ProtoSchema().file(FILE, PACKAGE).message(ProtoSchema.identifier(layout.name()));
        UniqueNames names = new UniqueNames();
        int number = 0;
        for (Column column : layout.columns()) {
            steps.add(new Step(++number, column));
            schema.field(
                    names.unique(ProtoSchema.identifier(column.path())),
                    number,
                    label(column.type(), column.isArray()),
                    type(column.type()),
                    "");
        }
        return new SampleEncoder(steps, schema.toByteArray());
    }

    /** The encoded FileDescriptorSet. */
    byte[] schema() {
        return schema;
    }

    /** Hot path. */
    void encode(SampleView sample, ProtoEncoder out) {
        out.clear();
        int depth = 0;
        for (Step step : steps) {
            if (step.column() != null) {
                encode(sample, step.number(), step.column(), out);
            } else if (step.number() != 0) {
                starts[depth++] = out.begin(step.number());
            } else {
                out.end(starts[--depth]);
            }
        }
    }

    private static void encode(SampleView sample, int number, Column column, ProtoEncoder out) {
        if (column.type() == FieldType.CHAR) {
            out.string(number, sample.text(column));
        } else if (column.isArray()) {
            encodeArray(sample, number, column, out);
        } else {
            switch (column.type()) {
                case FLOAT -> out.float32(number, sample.float32(column, 0));
                case DOUBLE -> out.float64(number, sample.number(column));
                case BOOL -> out.integer(number, sample.integer(column) != 0 ? 1 : 0);
                default -> out.integer(number, sample.integer(column));
            }
        }
    }

    private static void encodeArray(SampleView sample, int number, Column column, ProtoEncoder out) {
        int start = out.begin(number);
        int count = column.count();
        for (int i = 0; i < count; i++) {
            switch (column.type()) {
                case FLOAT -> out.float32(sample.float32(column, i));
                case DOUBLE -> out.float64(sample.number(column, i));
                case BOOL -> out.varint(sample.integer(column, i) != 0 ? 1 : 0);
                default -> out.varint(sample.integer(column, i));
            }
        }
        out.end(start);
    }

    private static ProtoType type(FieldType type) {
        return switch (type) {
            case INT8, INT16, INT32 -> ProtoType.INT32;
            case UINT8, UINT16, UINT32 -> ProtoType.UINT32;
            case INT64 -> ProtoType.INT64;
            case UINT64 -> ProtoType.UINT64;
            case FLOAT -> ProtoType.FLOAT;
            case DOUBLE -> ProtoType.DOUBLE;
            case BOOL -> ProtoType.BOOL;
            case CHAR -> ProtoType.STRING;
        };
    }

    private static Label label(FieldType type, boolean isArray) {
        return isArray && type != FieldType.CHAR ? Label.REPEATED : Label.SINGLE;
    }

    /** Traverses a format and its nested formats, in parallel with the columns of the layout. */
    private static final class Plan {
        private final Map<String, TopicFormat> formats;
        private final Iterator<Column> columns;
        private final List<Step> steps = new ArrayList<>();

        Plan(TopicLayout layout, Map<String, TopicFormat> formats) {
            this.formats = formats;
            columns = layout.columns().iterator();
        }

        /** Whether the formats match the columns. */
        boolean walk(TopicFormat format, String prefix, int depth) {
            int number = 0;
            for (Field field : format.fields()) {
                if (!field.isPadding() && !walk(field, ++number, prefix + field.name(), depth)) {
                    return false;
                }
            }
            return true;
        }

        private boolean walk(Field field, int number, String path, int depth) {
            if (field.basicType().isPresent()) {
                return field.count() == 0 || takeColumn(number, path);
            }
            TopicFormat nested = formats.get(field.type());
            if (nested == null || depth >= TopicLayout.MAX_NESTING) {
                return false;
            }
            for (int i = 0; i < field.count(); i++) {
                String element = field.isArray() ? path + "[" + i + "]." : path + ".";
                if (steps.size() > MAX_STEPS) {
                    return false;
                }
                steps.add(new Step(number, null));
                if (!walk(nested, element, depth + 1)) {
                    return false;
                }
                steps.add(END);
            }
            return true;
        }

        private boolean takeColumn(int number, String path) {
            if (!columns.hasNext()) {
                return false;
            }
            Column column = columns.next();
            steps.add(new Step(number, column));
            return column.path().equals(path);
        }

        /** The message of the format and those of its nested formats. */
        byte[] schema(TopicFormat format) {
            UniqueNames names = new UniqueNames();
            Map<String, String> messages = new LinkedHashMap<>();
            collect(format, names, messages);
            ProtoSchema schema = new ProtoSchema().file(FILE, PACKAGE);
            messages.forEach((name, message) -> {
                TopicFormat described = formats.get(name);
                if (described != null) {
                    describe(described, schema.message(message), messages);
                }
            });
            return schema.toByteArray();
        }

        private void collect(TopicFormat format, UniqueNames names, Map<String, String> messages) {
            if (messages.containsKey(format.name())) {
                return;
            }
            messages.put(format.name(), names.unique(ProtoSchema.identifier(format.name())));
            for (Field field : format.fields()) {
                TopicFormat nested = formats.get(field.type());
                if (nested != null && field.basicType().isEmpty() && !field.isPadding()) {
                    collect(nested, names, messages);
                }
            }
        }

        private static void describe(TopicFormat format, ProtoSchema schema, Map<String, String> messages) {
            UniqueNames names = new UniqueNames();
            int number = 0;
            for (Field field : format.fields()) {
                if (field.isPadding()) {
                    continue;
                }
                String name = names.unique(ProtoSchema.identifier(field.name()));
                number++;
                FieldType basic = field.basicType().orElse(null);
                if (basic != null) {
                    schema.field(name, number, label(basic, field.isArray()), type(basic), "");
                } else if (messages.containsKey(field.type())) {
                    Label label = field.isArray() ? Label.REPEATED : Label.SINGLE;
                    schema.field(
                            name, number, label, ProtoType.MESSAGE, "." + PACKAGE + "." + messages.get(field.type()));
                }
            }
        }
    }
}
