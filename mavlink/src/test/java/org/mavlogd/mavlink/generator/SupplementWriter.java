package org.mavlogd.mavlink.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.mavlink.StandardDefinitions;

/**
 * Writes the generator's supplement: exactly the difference between MAVLink's own definitions and dronefleet's. Run it
 * in the module's directory, with newer definitions in {@code mavlink-definitions.zip} or a newer library:
 *
 * <pre>
 * mvn -q -f .. -pl mavlink -am test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/test-classes:target/classes:$(cat target/classpath) org.mavlogd.mavlink.generator.SupplementWriter
 * </pre>
 */
final class SupplementWriter {
    private static final Path RESOURCES =
            Path.of("../mavlink-generator/src/main/resources/org/mavlogd/mavlink/generator");

    private static final String HEAD = "# Written by SupplementWriter (tests of the module mavlink). Do not edit.\n";
    private static final String MESSAGES = """
            # Messages that MAVLink defines and the library does not have:
            # id, CRC_EXTRA, name, dialect, fields in the order of the payload.
            """;
    private static final String EXTENSIONS = """
            # Extension fields that MAVLink added to messages of the library:
            # id, CRC_EXTRA, name, fields after those of the library.
            """;
    private static final String DETAILS = """
            # What the library does not have of its messages: spelling, units, marks of instance fields.
            # id, CRC_EXTRA, name, dialect, [#]name [unit] of such fields.
            """;

    private SupplementWriter() {}

    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            Files.writeString(RESOURCES.resolve(file.getKey()), file.getValue());
        }
    }

    /** Contents of the files by their names. */
    static Map<String, String> files() {
        StringBuilder messages = new StringBuilder(MESSAGES).append(HEAD);
        StringBuilder extensions = new StringBuilder(EXTENSIONS).append(HEAD);
        StringBuilder details = new StringBuilder(DETAILS).append(HEAD);
        List<Message> library = DronefleetDefinitions.messages();
        for (Message message : standard()) {
            Message old = library.stream()
                    .filter(known -> known.id() == message.id() && known.crcExtra() == message.crcExtra())
                    .findFirst()
                    .orElse(null);
            String key = message.id() + "\t" + message.crcExtra() + '\t' + message.name() + '\t';
            if (old == null) {
                messages.append(key).append(message.origin()).append('\t');
                messages.append(message.fieldsText()).append('\n');
            } else {
                int known = old.fields().size();
                if (message.fields().size() > known) {
                    extensions.append(key).append(text(message.fields(), known)).append('\n');
                }
                String detail = detail(message, old);
                if (!detail.isEmpty()
                        || !message.name().equals(old.name())
                        || !message.origin().equals(old.origin())) {
                    details.append(key).append(message.origin()).append('\t');
                    details.append(detail).append('\n');
                }
            }
        }
        Map<String, String> files = new LinkedHashMap<>();
        files.put(Supplement.MESSAGES, messages.toString());
        files.put(Supplement.EXTENSIONS, extensions.toString());
        files.put(Supplement.DETAILS, details.toString());
        return files;
    }

    private static String text(List<Field> fields, int from) {
        return fields.subList(from, fields.size()).stream().map(Field::text).collect(Collectors.joining(";"));
    }

    private static String detail(Message message, Message old) {
        List<String> details = new ArrayList<>();
        for (int i = 0; i < old.fields().size(); i++) {
            Field field = message.fields().get(i);
            Field known = old.fields().get(i);
            if (!field.type().equals(known.type())
                    || field.arrayLength() != known.arrayLength()
                    || field.isExtension() != known.isExtension()
                    || !Supplement.isSame(field.name(), known.name())) {
                throw new IllegalStateException(
                        message.name() + ": " + field.text() + " is " + known.text() + " in the library");
            }
            if (!field.equals(known)) {
                String unit = field.unit().isEmpty() ? "" : ' ' + field.unit();
                details.add((field.isInstance() ? "#" : "") + field.name() + unit);
            }
        }
        return String.join(";", details);
    }

    /** MAVLink's own definitions. Those with the same id and CRC_EXTRA count once, as defined by the first dialect. */
    static List<Message> standard() {
        Map<List<Integer>, Message> first = new LinkedHashMap<>();
        for (StandardDefinitions.Known known : StandardDefinitions.messages()) {
            Message message = message(known);
            first.putIfAbsent(List.of(message.id(), message.crcExtra()), message);
        }
        return first.values().stream()
                .sorted(Comparator.comparingInt(Message::id).thenComparing(Message::origin))
                .toList();
    }

    private static Message message(StandardDefinitions.Known known) {
        return new Message(
                known.layout().id(),
                known.layout().crcExtra(),
                known.layout().name(),
                known.origin(),
                known.layout().fields().stream().map(SupplementWriter::field).toList());
    }

    private static Field field(MessageLayout.Field field) {
        return new Field(
                field.type().text(),
                field.arrayLength(),
                field.name(),
                field.isExtension(),
                field.isInstance(),
                field.unit());
    }
}
