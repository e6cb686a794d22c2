package org.mavlogd.exports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;

/**
 * A column of a Parquet file: its name, and the place of its value in a row.
 *
 * @param name letters, digits and {@code _}; unique in its file, even ignoring case
 * @param path of the field in the log, with its index; empty for columns that are not fields
 * @param role origin of the values
 * @param type of the value in the row
 * @param offset in the row, in bytes
 * @param length in the row, in bytes; for a {@code char} array that of the array
 */
record ParquetColumn(String name, String path, Role role, FieldType type, int offset, int length) {
    /** Maximum columns of a file. Each takes memory for its schema and its place in each row group. */
    static final int MAX_COLUMNS = 10_000;

    /** Number of columns that are not fields. */
    private static final int OWN_COLUMNS = 4;

    static final String LOG = "log";
    static final String INSTANCE = "instance";
    static final String BOOT_TIME = "t_us";
    static final String TIME = "time";

    /** Names that readers of a lake derive from the directories. A field of such a name would be hidden. */
    private static final List<String> OF_LAKES = List.of("vehicle", "date");

    /** The origin of a column's values. */
    enum Role {
        /** The log's name in each row. */
        LOG,
        /** Time since boot plus time of boot; null if that is unknown. */
        TIME,
        /** A value in the row. */
        VALUE
    }

    /**
     * All columns of a topic's file, in order.
     *
     * @throws ULogException if there are too many
     */
    static List<ParquetColumn> of(TopicLayout layout) throws ULogException {
        Optional<String> refusal = ParquetTable.refusal(layout);
        if (refusal.isPresent()) {
            throw new ULogException(refusal.get());
        }
        UniqueNames names = new UniqueNames(name -> name.toLowerCase(Locale.ROOT));
        List<ParquetColumn> columns = new ArrayList<>();
        columns.add(new ParquetColumn(names.unique(LOG), "", Role.LOG, FieldType.CHAR, 0, 0));
        columns.add(new ParquetColumn(
                names.unique(INSTANCE), "", Role.VALUE, FieldType.UINT8, ParquetTable.INSTANCE_OFFSET, 1));
        columns.add(new ParquetColumn(names.unique(BOOT_TIME), "", Role.VALUE, FieldType.INT64, 0, Long.BYTES));
        columns.add(new ParquetColumn(names.unique(TIME), "", Role.TIME, FieldType.INT64, 0, Long.BYTES));
        OF_LAKES.forEach(names::unique);
        for (Column column : layout.columns()) {
            if (layout.timestamp().filter(column::equals).isEmpty()) {
                add(column, names, columns);
            }
        }
        return columns;
    }

    /** Number of columns of the topic's file. */
    static int count(TopicLayout layout) {
        int count = OWN_COLUMNS;
        for (Column column : layout.columns()) {
            if (layout.timestamp().filter(column::equals).isEmpty()) {
                count += column.type() == FieldType.CHAR ? 1 : column.count();
            }
        }
        return count;
    }

    private static void add(Column column, UniqueNames names, List<ParquetColumn> columns) {
        int offset = ParquetTable.FIELDS_OFFSET + column.offset();
        if (column.type() == FieldType.CHAR) {
            columns.add(new ParquetColumn(
                    names.unique(flat(column.path())),
                    column.path(),
                    Role.VALUE,
                    column.type(),
                    offset,
                    column.count()));
            return;
        }
        int length = column.type().length();
        for (int i = 0; i < column.count(); i++) {
            String path = column.isArray() ? column.path() + "[" + i + "]" : column.path();
            columns.add(new ParquetColumn(
                    names.unique(flat(path)), path, Role.VALUE, column.type(), offset + i * length, length));
        }
    }

    /** The schema: its root and the columns. */
    static List<SchemaElement> schema(String root, List<ParquetColumn> columns) {
        List<SchemaElement> schema = new ArrayList<>(columns.size() + 1);
        schema.add(new SchemaElement(root).setNum_children(columns.size()));
        columns.forEach(column -> schema.add(column.element()));
        return schema;
    }

    /** The fields of columns that have a different name, by the column's name. */
    static Map<String, String> renamed(List<ParquetColumn> columns) {
        Map<String, String> renamed = new TreeMap<>();
        for (ParquetColumn column : columns) {
            if (!column.path().isEmpty() && !column.name().equals(flat(column.path()))) {
                renamed.put(column.name(), column.path());
            }
        }
        return renamed;
    }

    Type physicalType() {
        return switch (type) {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32 -> Type.INT32;
            case INT64, UINT64 -> Type.INT64;
            case FLOAT -> Type.FLOAT;
            case DOUBLE -> Type.DOUBLE;
            case BOOL -> Type.BOOLEAN;
            case CHAR -> Type.BYTE_ARRAY;
        };
    }

    /** Maximum length of a value in a page, in bytes. */
    int pageBytes() {
        return switch (type) {
            case INT64, UINT64, DOUBLE -> Long.BYTES;
            // An invalid byte of UTF-8 becomes a character of three bytes.
            case CHAR -> Integer.BYTES + 3 * length;
            default -> Integer.BYTES;
        };
    }

    /** Sets types in their older form as well: some readers, such as DuckDB, only read that. */
    private SchemaElement element() {
        SchemaElement element = new SchemaElement(name).setType(physicalType());
        element.setRepetition_type(role == Role.TIME ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
        if (role == Role.TIME) {
            return element.setConverted_type(ConvertedType.TIMESTAMP_MICROS)
                    .setLogicalType(
                            LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
        }
        return switch (type) {
            case CHAR ->
                element.setConverted_type(ConvertedType.UTF8).setLogicalType(LogicalType.STRING(new StringType()));
            case INT8 -> integer(element, ConvertedType.INT_8, true);
            case INT16 -> integer(element, ConvertedType.INT_16, true);
            case UINT8 -> integer(element, ConvertedType.UINT_8, false);
            case UINT16 -> integer(element, ConvertedType.UINT_16, false);
            case UINT32 -> integer(element, ConvertedType.UINT_32, false);
            case UINT64 -> integer(element, ConvertedType.UINT_64, false);
            case INT32, INT64, FLOAT, DOUBLE, BOOL -> element;
        };
    }

    private SchemaElement integer(SchemaElement element, ConvertedType converted, boolean isSigned) {
        IntType integer = new IntType((byte) (type.length() * Byte.SIZE), isSigned);
        return element.setConverted_type(converted).setLogicalType(LogicalType.INTEGER(integer));
    }

    /** Converts a path such as {@code esc[0].esc_rpm} to {@code esc_0_esc_rpm}. */
    private static String flat(String path) {
        StringBuilder name = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean isKept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (c != ']') {
                name.append(isKept ? c : '_');
            }
        }
        return name.toString();
    }
}
