package org.mavlogd.dataflash;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.bytes.LittleEndian;

/**
 * A record type as declared by FMT: id, length, name and fields.
 *
 * <p>Immutable; two types are equal if their declarations are. Names are kept byte by byte, as ISO 8859-1. A type with
 * an unknown format character has no fields, only bytes: its length still shows where the next record starts.
 */
public final class RecordType implements Comparable<RecordType> {
    // A hash map uses the order to find keys with equal hash codes.
    private static final Comparator<RecordType> ORDER = Comparator.comparingInt(RecordType::id)
            .thenComparingInt(RecordType::length)
            .thenComparing(RecordType::name)
            .thenComparing(RecordType::format)
            .thenComparing(RecordType::labels);

    /** The only type that needs no declaration. */
    static final RecordType FMT = new RecordType(
            DataFlashLayout.FMT_TYPE, DataFlashLayout.FMT_LENGTH, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");

    private static final Set<String> START_TYPES =
            Set.of("PARM", "VER", "MSG", "CMD", "FNCE", "RALY", "ORGN", "MODE", "FILE");

    private final int id;
    private final int length;
    private final String name;
    private final String format;
    private final String labels;
    private final List<Field> fields;
    private final int restOffset;

    private RecordType(int id, int length, String name, String format, String labels) {
        this.id = id;
        this.length = length;
        this.name = name;
        this.format = format;
        this.labels = labels;
        this.fields = fields(format, labels);
        this.restOffset = fields.isEmpty() ? DataFlashLayout.HEADER_LENGTH : end(fields.get(fields.size() - 1));
    }

    /** Reads a complete FMT record; empty if its declaration is invalid. */
    static Optional<RecordType> declared(byte[] buffer, int offset) {
        int id = LittleEndian.uint8(buffer, offset + DataFlashLayout.FMT_TYPE_OFFSET);
        int length = LittleEndian.uint8(buffer, offset + DataFlashLayout.FMT_LENGTH_OFFSET);
        String name = Bytes.latin(buffer, offset + DataFlashLayout.FMT_NAME_OFFSET, DataFlashLayout.FMT_NAME_LENGTH);
        String format =
                Bytes.latin(buffer, offset + DataFlashLayout.FMT_FORMAT_OFFSET, DataFlashLayout.FMT_FORMAT_LENGTH);
        String labels =
                Bytes.latin(buffer, offset + DataFlashLayout.FMT_LABELS_OFFSET, DataFlashLayout.FMT_LABELS_LENGTH);
        if (id == DataFlashLayout.FMT_TYPE || length < DataFlashLayout.HEADER_LENGTH || name.isEmpty()) {
            return Optional.empty();
        }
        if (!isPrintable(name) || !isPrintable(format) || !isPrintable(labels)) {
            return Optional.empty();
        }
        RecordType type = new RecordType(id, length, name, format, labels);
        return type.restOffset <= length ? Optional.of(type) : Optional.empty();
    }

    /**
     * Whether ArduPilot writes such records at the start of every log, even of a log without data: definitions,
     * parameters, versions, texts, mission, fence, rally points, mode, its own files.
     *
     * @see <a href="https://github.com/ArduPilot/ardupilot/blob/master/libraries/AP_Logger/LoggerMessageWriter.cpp">its
     *     order</a>
     */
    boolean isOfEveryStart() {
        return Definitions.isDefinition(this) || START_TYPES.contains(name);
    }

    /** Type number, 0 to 255. */
    public int id() {
        return id;
    }

    /** Length of a complete record with its header, 3 to 255 bytes. */
    public int length() {
        return length;
    }

    public String name() {
        return name;
    }

    /** The format characters. */
    public String format() {
        return format;
    }

    /** The labels as declared, separated by commas. */
    public String labels() {
        return labels;
    }

    public List<Field> fields() {
        return fields;
    }

    /** Offset of the bytes that no field covers; {@link #length()} if there are none. */
    public int restOffset() {
        return restOffset;
    }

    /** The first field with this label. */
    public Optional<Field> field(String label) {
        for (Field field : fields) {
            if (field.label().equals(label)) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** The first field with this label, if it is an integer. */
    Optional<Field> integer(String label) {
        return field(label).filter(field -> field.format().isInteger());
    }

    /** The first field with this label, if it is a text. */
    Optional<Field> text(String label) {
        return field(label).filter(field -> field.format().isText());
    }

    /** Whether this is the same object: faster than comparing, and a decoder passes the same object for each record. */
    @SuppressWarnings("ReferenceEquality")
    boolean isSame(RecordType other) {
        return this == other;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordType that
                && id == that.id
                && length == that.length
                && name.equals(that.name)
                && format.equals(that.format)
                && labels.equals(that.labels);
    }

    @Override
    public int hashCode() {
        return (((31 * id + length) * 31 + name.hashCode()) * 31 + format.hashCode()) * 31 + labels.hashCode();
    }

    @Override
    public int compareTo(RecordType other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return name + " (type " + id + ", " + length + " bytes)";
    }

    private static List<Field> fields(String format, String labels) {
        String[] names = labels.split(",", -1);
        List<Field> fields = new ArrayList<>(format.length());
        int offset = DataFlashLayout.HEADER_LENGTH;
        for (int i = 0; i < format.length(); i++) {
            Optional<FieldFormat> known = FieldFormat.of(format.charAt(i));
            if (known.isEmpty()) {
                return List.of();
            }
            fields.add(new Field(i < names.length ? names[i] : "", known.get(), offset));
            offset += known.get().length();
        }
        return List.copyOf(fields);
    }

    private static int end(Field field) {
        return field.offset() + field.format().length();
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /**
     * A field of a record.
     *
     * @param label as in the log; may be empty
     * @param offset from the record's first byte, in bytes
     */
    public record Field(String label, FieldFormat format, int offset) {}
}
