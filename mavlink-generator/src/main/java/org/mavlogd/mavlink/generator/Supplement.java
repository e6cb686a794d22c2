package org.mavlogd.mavlink.generator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of MAVLink's definitions that dronefleet's library lacks: messages and extension fields newer than the
 * library, and for the others the spelling of names, units and instance marks. A row that repeats a length, an offset
 * or a CRC_EXTRA of the library fails the build.
 *
 * <pre>
 * newer-messages.tsv    id  CRC_EXTRA  name  dialect  fields in the order of the payload
 * newer-extensions.tsv  id  CRC_EXTRA  name  fields after those of the library
 * field-details.tsv     id  CRC_EXTRA  name  dialect  [#]name [unit];... of fields that differ from the library's
 * </pre>
 */
final class Supplement {
    static final String MESSAGES = "newer-messages.tsv";
    static final String EXTENSIONS = "newer-extensions.tsv";
    static final String DETAILS = "field-details.tsv";

    private final List<Row> messages;
    private final List<Row> extensions;
    private final List<Row> details;

    /** A line of a file. */
    private record Row(String file, List<String> columns) {
        boolean isOf(Message message) {
            return id() == message.id() && crcExtra() == message.crcExtra();
        }

        int id() {
            return Integer.parseInt(columns.get(0));
        }

        int crcExtra() {
            return Integer.parseInt(columns.get(1));
        }

        String name() {
            return columns.get(2);
        }

        String last() {
            return columns.get(columns.size() - 1);
        }

        IllegalStateException problem(String what) {
            return new IllegalStateException(file + ": message " + id() + " " + name() + ": " + what);
        }
    }

    private Supplement(List<Row> messages, List<Row> extensions, List<Row> details) {
        this.messages = messages;
        this.extensions = extensions;
        this.details = details;
    }

    /** The supplement that is part of this program. */
    static Supplement own() {
        return of(resource(MESSAGES), resource(EXTENSIONS), resource(DETAILS));
    }

    /** A supplement of the contents of the three files. */
    static Supplement of(String messages, String extensions, String details) {
        return new Supplement(rows(MESSAGES, 5, messages), rows(EXTENSIONS, 4, extensions), rows(DETAILS, 5, details));
    }

    private static List<Row> rows(String file, int columns, String text) {
        List<Row> rows = new ArrayList<>();
        Set<List<String>> seen = new HashSet<>();
        for (String line : text.split("\n", -1)) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Row row = new Row(file, List.of(line.split("\t", -1)));
            if (row.columns().size() != columns) {
                throw new IllegalStateException(
                        file + ": a line of " + row.columns().size() + " columns, not " + columns + ": " + line);
            }
            if (!seen.add(row.columns().subList(0, 2))) {
                throw row.problem("is there twice");
            }
            rows.add(row);
        }
        return rows;
    }

    static String resource(String file) {
        try (InputStream in = Supplement.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource " + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource " + file, e);
        }
    }

    /** The messages that the library lacks, followed by those of the library with their missing parts. */
    List<Message> complete(List<Message> library) {
        for (Row row : messages) {
            if (library.stream().anyMatch(row::isOf)) {
                throw row.problem("the library has it; remove this line");
            }
        }
        requireKnown(extensions, library);
        requireKnown(details, library);
        List<Message> all = new ArrayList<>();
        messages.forEach(row -> all.add(message(row)));
        library.forEach(message -> all.add(detailed(extended(message))));
        return all;
    }

    private static void requireKnown(List<Row> rows, List<Message> library) {
        for (Row row : rows) {
            if (library.stream().noneMatch(row::isOf)) {
                throw row.problem("the library does not have it");
            }
        }
    }

    private static Message message(Row row) {
        return new Message(row.id(), row.crcExtra(), row.name(), row.columns().get(3), Message.fields(row.last()));
    }

    private Message extended(Message message) {
        Row row = find(extensions, message);
        if (row == null) {
            return message;
        }
        List<Field> fields = new ArrayList<>(message.fields());
        for (Field field : Message.fields(row.last())) {
            if (!field.isExtension()) {
                throw row.problem("field " + field.name() + " is not marked as an extension");
            }
            if (fields.stream().anyMatch(known -> isSame(known.name(), field.name()))) {
                throw row.problem("field " + field.name() + " is there already; remove it here");
            }
            fields.add(field);
        }
        return new Message(message.id(), message.crcExtra(), message.name(), message.origin(), fields);
    }

    private Message detailed(Message message) {
        Row row = find(details, message);
        if (row == null) {
            return message;
        }
        if (!isSame(row.name(), message.name())) {
            throw row.problem("the library calls it " + message.name());
        }
        List<Field> fields = new ArrayList<>(message.fields());
        if (!row.last().isEmpty()) {
            for (String detail : row.last().split(";", -1)) {
                replace(fields, detail, row);
            }
        }
        return new Message(
                message.id(), message.crcExtra(), row.name(), row.columns().get(3), fields);
    }

    private static void replace(List<Field> fields, String detail, Row row) {
        boolean isInstance = detail.startsWith("#");
        String[] words = detail.substring(isInstance ? 1 : 0).split(" ", 2);
        int index = IntStream.range(0, fields.size())
                .filter(i -> isSame(fields.get(i).name(), words[0]))
                .findFirst()
                .orElseThrow(() -> row.problem("no field " + words[0]));
        Field field = fields.get(index);
        String unit = words.length > 1 ? words[1] : "";
        fields.set(
                index, new Field(field.type(), field.arrayLength(), words[0], field.isExtension(), isInstance, unit));
    }

    private static @Nullable Row find(List<Row> rows, Message message) {
        return rows.stream().filter(row -> row.isOf(message)).findFirst().orElse(null);
    }

    /** Whether two names are equal except for underscores and case, which the library's names do not show. */
    static boolean isSame(String name, String other) {
        return plain(name).equals(plain(other));
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
