package org.mavlogd.mavlink;

import io.dronefleet.mavlink.MavlinkDialect;
import io.dronefleet.mavlink.annotations.MavlinkFieldInfo;
import io.dronefleet.mavlink.annotations.MavlinkMessageInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
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

/**
 * Writes {@code messages.tsv} from dronefleet's annotations and the definitions in {@code newer-messages.tsv}. In the
 * directory of the module:
 *
 * <pre>
 * mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java -cp target/test-classes:target/classes:$(cat target/classpath) org.mavlogd.mavlink.MessageTableGenerator
 * </pre>
 */
final class MessageTableGenerator {
    static final Path TABLE = Path.of("src/main/resources/org/mavlogd/mavlink/messages.tsv");
    private static final Path NEWER = Path.of("src/test/resources/org/mavlogd/mavlink/newer-messages.tsv");
    private static final String NEWER_ORIGIN = "newer-common";

    /** Where dialects disagree: the usual ones first. */
    private static final List<String> PREFERRED =
            List.of("minimal", "standard", "common", NEWER_ORIGIN, "ardupilotmega");

    private MessageTableGenerator() {}

    public static void main(String[] arguments) throws IOException {
        Files.writeString(TABLE, text());
    }

    static String text() {
        StringBuilder text = new StringBuilder()
                .append("# Known messages: id, CRC_EXTRA, payload length without and with extensions, name, dialect.\n")
                .append("# Written by MessageTableGenerator (test tree) from dronefleet's annotations; newer-common\n")
                .append("# comes from the definitions in newer-messages.tsv. Do not edit.\n");
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

    /** All definitions, ordered by id and preference; those with the same CRC_EXTRA for an id count once. */
    static List<Definition> definitions() {
        List<Definition> all = new ArrayList<>(dronefleet());
        all.addAll(newer());
        all.sort(Comparator.comparingInt(Definition::id)
                .thenComparingInt(MessageTableGenerator::preference)
                .thenComparing(Definition::origin));
        Map<List<Integer>, Definition> first = new LinkedHashMap<>();
        for (Definition definition : all) {
            first.putIfAbsent(List.of(definition.id(), definition.crcExtra()), definition);
        }
        return List.copyOf(first.values());
    }

    static List<Definition> dronefleet() {
        return dialects().stream()
                .flatMap(dialect -> dialect.messageTypes().stream())
                .distinct()
                .map(MessageTableGenerator::definition)
                .toList();
    }

    static List<Definition> newer() {
        try {
            return Files.readAllLines(NEWER).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .map(columns ->
                            DefinitionParser.parse(Integer.parseInt(columns[0]), columns[1], columns[2], NEWER_ORIGIN))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int preference(Definition definition) {
        int index = PREFERRED.indexOf(definition.origin());
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

    private static Definition definition(Class<?> type) {
        MavlinkMessageInfo message = type.getAnnotation(MavlinkMessageInfo.class);
        if (message == null) {
            throw new IllegalStateException(type + " is no message");
        }
        int coreLength = 0;
        int fullLength = 0;
        for (Method method : type.getMethods()) {
            MavlinkFieldInfo field = method.getAnnotation(MavlinkFieldInfo.class);
            if (field != null) {
                int length = field.unitSize() * Math.max(1, field.arraySize());
                fullLength += length;
                coreLength += field.extension() ? 0 : length;
            }
        }
        String dialect = type.getPackageName().substring(type.getPackageName().lastIndexOf('.') + 1);
        return new Definition(
                message.id(), message.crc(), coreLength, fullLength, snake(type.getSimpleName()), dialect);
    }

    private static String snake(String camel) {
        return camel.replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /** A definition's numbers from its fields. */
    static final class DefinitionParser {
        private DefinitionParser() {}

        private record Field(String type, int size, int count, String name, boolean extension) {
            static Field parse(String text) {
                boolean extension = text.startsWith("+");
                String[] words = (extension ? text.substring(1) : text).split(" ", -1);
                int bracket = words[0].indexOf('[');
                String type = bracket < 0 ? words[0] : words[0].substring(0, bracket);
                int count = bracket < 0 ? 0 : Integer.parseInt(words[0].substring(bracket + 1, words[0].length() - 1));
                return new Field(type, sizeOf(type), count, words[1], extension);
            }

            int length() {
                return size * Math.max(1, count);
            }

            private static int sizeOf(String type) {
                return switch (type) {
                    case "char", "int8_t", "uint8_t" -> 1;
                    case "int16_t", "uint16_t" -> 2;
                    case "int32_t", "uint32_t", "float" -> 4;
                    case "int64_t", "uint64_t", "double" -> 8;
                    default -> throw new IllegalArgumentException("field type " + type);
                };
            }
        }

        static Definition parse(int id, String name, String fieldList, String origin) {
            List<Field> fields =
                    Arrays.stream(fieldList.split("; ", -1)).map(Field::parse).toList();
            int full = fields.stream().mapToInt(Field::length).sum();
            int core = fields.stream()
                    .filter(field -> !field.extension())
                    .mapToInt(Field::length)
                    .sum();
            return new Definition(id, crcExtra(name, fields), core, full, name, origin);
        }

        /** MAVLink guide, "CRC_EXTRA calculation": over name and core fields, largest type first. */
        private static int crcExtra(String name, List<Field> fields) {
            int crc = update(Crc16.START, name + " ");
            List<Field> ordered = fields.stream()
                    .filter(field -> !field.extension())
                    .sorted(Comparator.comparingInt(Field::size).reversed())
                    .toList();
            for (Field field : ordered) {
                crc = update(crc, field.type() + " " + field.name() + " ");
                if (field.count() > 0) {
                    crc = Crc16.update(crc, (byte) field.count());
                }
            }
            return (crc & 0xFF) ^ (crc >>> 8);
        }

        private static int update(int crc, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            return Crc16.update(crc, bytes, 0, bytes.length);
        }
    }
}
