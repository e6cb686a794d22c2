package org.mavlogd.mavlink;

import io.dronefleet.mavlink.MavlinkDialect;
import io.dronefleet.mavlink.annotations.MavlinkFieldInfo;
import io.dronefleet.mavlink.annotations.MavlinkMessageInfo;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarFile;
import org.mavlogd.mavlink.MessageTable.Definition;
import org.mavlogd.ulog.FieldType;

/**
 * Writes {@code messages.tsv} and {@code message-fields.tsv} from MAVLink's definitions and, for messages that are no longer
 * among them, dronefleet's annotations. In the directory of the module:
 *
 * <pre>
 * mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/test-classes:target/classes:$(cat target/classpath) org.mavlogd.mavlink.MessageTableGenerator
 * </pre>
 */
final class MessageTableGenerator {
    private static final Path RESOURCES = Path.of("src/main/resources/org/mavlogd/mavlink");
    static final Path TABLE = RESOURCES.resolve("messages.tsv");
    static final Path FIELDS = RESOURCES.resolve("message-fields.tsv");

    /** Where dialects disagree: the usual ones first. */
    private static final List<String> PREFERRED = List.of("minimal", "standard", "common", "ardupilotmega");

    private MessageTableGenerator() {}

    /** A message, and the dialect that it comes from. */
    record Known(MessageLayout layout, String origin) {}

    public static void main(String[] arguments) throws IOException {
        Files.writeString(TABLE, text());
        Files.writeString(FIELDS, fieldsText());
    }

    static String text() {
        StringBuilder text = new StringBuilder()
                .append("# Known messages: id, CRC_EXTRA, payload length without and with extensions, name, dialect.\n")
                .append("# Written by MessageTableGenerator (test tree) from MAVLink's definitions and dronefleet's\n")
                .append("# annotations. Do not edit.\n");
        for (Definition definition : definitions()) {
            text.append(definition.id())
                    .append('\t')
                    .append(definition.crcExtra())
                    .append('\t')
                    .append(definition.coreLength())
                    .append('\t')
                    .append(definition.fullLength())
                    .append('\t')
                    .append(definition.name())
                    .append('\t')
                    .append(definition.origin())
                    .append('\n');
        }
        return text.toString();
    }

    static String fieldsText() {
        StringBuilder text = new StringBuilder()
                .append("# Fields of known messages: id, CRC_EXTRA, fields in the order of the payload.\n")
                .append("# Written by MessageTableGenerator (test tree) as messages.tsv. Do not edit.\n");
        for (Known known : known()) {
            text.append(known.layout().id())
                    .append('\t')
                    .append(known.layout().crcExtra())
                    .append('\t')
                    .append(FieldTable.text(known.layout().fields()))
                    .append('\n');
        }
        return text.toString();
    }

    static List<Definition> definitions() {
        return known().stream().map(MessageTableGenerator::definition).toList();
    }

    private static Definition definition(Known known) {
        MessageLayout layout = known.layout();
        return new Definition(
                layout.id(),
                layout.crcExtra(),
                layout.coreLength(),
                layout.fullLength(),
                layout.name(),
                known.origin());
    }

    /** All messages, ordered by id and preference; those with the same CRC_EXTRA for an id count once. */
    static List<Known> known() {
        List<Known> all = new ArrayList<>(StandardDefinitions.messages());
        all.addAll(dronefleet());
        all.sort(Comparator.comparingInt((Known known) -> known.layout().id())
                .thenComparingInt(MessageTableGenerator::preference));
        Map<List<Integer>, Known> first = new LinkedHashMap<>();
        for (Known known : all) {
            first.putIfAbsent(List.of(known.layout().id(), known.layout().crcExtra()), known);
        }
        return List.copyOf(first.values());
    }

    /** The library's own list, of February 2023. */
    static List<Known> dronefleet() {
        return dialects().stream()
                .flatMap(dialect -> dialect.messageTypes().stream())
                .distinct()
                .map(MessageTableGenerator::known)
                .sorted(Comparator.comparing(Known::origin))
                .toList();
    }

    private static int preference(Known known) {
        int index = PREFERRED.indexOf(known.origin());
        return index < 0 ? PREFERRED.size() : index;
    }

    /** Whatever class of the library's jar is a dialect: none can be forgotten. */
    private static List<MavlinkDialect> dialects() {
        try {
            Path jar = Path.of(MavlinkDialect.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (JarFile file = new JarFile(jar.toFile())) {
                return file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.matches("io/dronefleet/mavlink/[a-z0-9]+/[A-Za-z0-9]+Dialect\\.class"))
                        .sorted()
                        .map(MessageTableGenerator::dialect)
                        .toList();
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("cannot list dronefleet's dialects", e);
        }
    }

    private static MavlinkDialect dialect(String entry) {
        String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
        try {
            return Class.forName(name)
                    .asSubclass(MavlinkDialect.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + name, e);
        }
    }

    static Known known(Class<?> type) {
        MavlinkMessageInfo message = type.getAnnotation(MavlinkMessageInfo.class);
        if (message == null) {
            throw new IllegalStateException(type + " is no message");
        }
        List<MessageField> fields = Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(MavlinkFieldInfo.class))
                .sorted(Comparator.comparingInt(
                        method -> method.getAnnotation(MavlinkFieldInfo.class).position()))
                .map(MessageTableGenerator::field)
                .toList();
        String name = snake(type.getSimpleName()).toUpperCase(Locale.ROOT);
        MessageLayout ordered = MessageLayout.of(message.id(), name, fields);
        String dialect = type.getPackageName().substring(type.getPackageName().lastIndexOf('.') + 1);
        return new Known(new MessageLayout(message.id(), name, message.crc(), ordered.fields()), dialect);
    }

    private static MessageField field(Method method) {
        MavlinkFieldInfo info = method.getAnnotation(MavlinkFieldInfo.class);
        return new MessageField(
                type(method.getGenericReturnType(), info),
                info.arraySize(),
                snake(method.getName()),
                info.extension(),
                false,
                "");
    }

    private static FieldType type(Type type, MavlinkFieldInfo info) {
        String name = type.getTypeName();
        if (name.equals("float") || name.contains("Float")) {
            return FieldType.FLOAT;
        }
        if (name.equals("double") || name.contains("Double")) {
            return FieldType.DOUBLE;
        }
        if (name.equals("java.lang.String")) {
            return FieldType.CHAR;
        }
        String integer = (info.signed() ? "int" : "uint") + 8 * info.unitSize() + "_t";
        return FieldType.of(integer).orElseThrow();
    }

    private static String snake(String camel) {
        return camel.replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
