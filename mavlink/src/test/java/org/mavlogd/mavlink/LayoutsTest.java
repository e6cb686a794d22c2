package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.ulog.FieldType;

/** Fields of the generated layouts and of those written by hand are at the offsets of the field table. */
final class LayoutsTest {
    static List<Class<?>> generated() {
        return List.of(
                HeartbeatLayout.class,
                SystemTimeLayout.class,
                AttitudeLayout.class,
                CommandLongLayout.class,
                CommandAckLayout.class,
                FileTransferProtocolLayout.class,
                TimesyncLayout.class,
                LogRequestListLayout.class,
                LogEntryLayout.class,
                LogRequestDataLayout.class,
                LogDataLayout.class,
                LogRequestEndLayout.class,
                RemoteLogBlockStatusLayout.class,
                StatustextLayout.class,
                LoggingAckLayout.class);
    }

    @ParameterizedTest
    @MethodSource("generated")
    void numbersOfAGeneratedLayoutAreThoseOfTheTable(Class<?> type) {
        MessageLayout layout = layout(type);
        Map<String, Integer> expected = new HashMap<>(Map.of(
                "MESSAGE_ID", layout.id(),
                "CRC_EXTRA", layout.crcExtra(),
                "CORE_LENGTH", layout.coreLength(),
                "FULL_LENGTH", layout.fullLength()));
        int offset = 0;
        for (MessageLayout.Field field : layout.fields()) {
            expected.put(upper(field) + "_OFFSET", offset);
            if (field.arrayLength() != MessageLayout.Field.SCALAR) {
                expected.put(upper(field) + "_LENGTH", field.length());
            }
            offset += field.length();
        }

        assertThat(constants(type)).isEqualTo(expected);
        assertThat(type.getSimpleName()).isEqualToIgnoringCase(layout.name().replace("_", "") + "Layout");
    }

    @ParameterizedTest
    @MethodSource("generated")
    void whatAGeneratedLayoutWritesItReadsAndNothingElseChanges(Class<?> type) throws ReflectiveOperationException {
        MessageLayout layout = layout(type);
        Random random = new Random(layout.id());
        for (int round = 0; round < 20; round++) {
            for (MessageLayout.Field field : layout.fields()) {
                if (field.arrayLength() == MessageLayout.Field.SCALAR) {
                    checkAccess(type, field, random);
                }
            }
        }
    }

    private static void checkAccess(Class<?> type, MessageLayout.Field field, Random random)
            throws ReflectiveOperationException {
        MessageLayout layout = layout(type);
        byte[] payload = new byte[layout.fullLength()];
        random.nextBytes(payload);
        byte[] before = payload.clone();
        Object value = value(field.type(), random);
        int offset = layout.fields().stream()
                .takeWhile(other -> !other.equals(field))
                .mapToInt(MessageLayout.Field::length)
                .sum();

        Method put = method(type, "put" + plain(field), 2);
        put.invoke(null, payload, value);

        byte[] written = Arrays.copyOfRange(payload, offset, offset + field.length());
        assertThat(littleEndian(written)).as(field.name()).isEqualTo(bits(value, field.length()));
        System.arraycopy(before, offset, payload, offset, field.length());
        assertThat(payload).as("bytes beside %s", field.name()).isEqualTo(before);
        System.arraycopy(written, 0, payload, offset, field.length());
        byte[] frame = FrameBytes.v2(layout.id()).payload(payload).bytes();
        FrameView view = new FrameView();
        view.wrap(frame, 0, frame.length, false);
        assertThat(method(type, plain(field), 1).invoke(null, view))
                .as(field.name())
                .isEqualTo(value);
    }

    private static Object value(FieldType type, Random random) {
        return switch (type) {
            case UINT8 -> random.nextInt(0x100);
            case UINT16 -> random.nextInt(0x1_0000);
            case INT16 -> (int) (short) random.nextInt();
            case INT32 -> random.nextInt();
            case UINT32 -> random.nextInt() & 0xFFFF_FFFFL;
            case INT64, UINT64 -> random.nextLong();
            case FLOAT -> random.nextFloat();
            default -> throw new AssertionError("no control message has " + type);
        };
    }

    private static long bits(Object value, int length) {
        long bits = value instanceof Float real ? Float.floatToRawIntBits(real) : ((Number) value).longValue();
        return length == Long.BYTES ? bits : bits & (1L << (Byte.SIZE * length)) - 1;
    }

    private static long littleEndian(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .mapToLong(i -> (bytes[i] & 0xFFL) << (Byte.SIZE * i))
                .sum();
    }

    @Test
    void layoutsByHandAreThoseOfTheTable() {
        assertThat(List.of(
                        LogChunkLayout.SEQUENCE_OFFSET,
                        LogChunkLayout.TARGET_SYSTEM,
                        LogChunkLayout.TARGET_COMPONENT,
                        LogChunkLayout.LENGTH_OFFSET,
                        LogChunkLayout.FIRST_MESSAGE_OFFSET,
                        LogChunkLayout.DATA_OFFSET,
                        LogChunkLayout.DATA_OFFSET + LogChunkLayout.MAX_DATA_LENGTH))
                .isEqualTo(edges(MessageIds.LOGGING_DATA))
                .isEqualTo(edges(MessageIds.LOGGING_DATA_ACKED));
        assertThat(List.of(
                        LogBlockLayout.NUMBER_OFFSET,
                        LogBlockLayout.TARGET_SYSTEM,
                        LogBlockLayout.TARGET_COMPONENT,
                        LogBlockLayout.DATA_OFFSET,
                        LogBlockLayout.BLOCK_LENGTH))
                .isEqualTo(edges(MessageIds.REMOTE_LOG_DATA_BLOCK));
        assertThat(List.of(FtpLayout.NUMBER, FtpLayout.DATA, FtpLayout.DATA_LENGTH, FtpLayout.LENGTH))
                .containsExactly(3, 15, 239, 254); // MAVLink FTP, "Packet Format / Structure"
    }

    /** The recorder must run without the library from which its tables are made. */
    @Test
    void noClassOfThisModuleNamesTheLibrary() throws IOException {
        Path classes = Path.of(MessageTable.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .resolve("org/mavlogd/mavlink");
        List<String> users = new ArrayList<>();
        int seen = 0;
        try (Stream<Path> files = Files.list(classes)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                seen++;
                String text = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
                if (text.contains("io/dronefleet") || text.contains("io.dronefleet")) {
                    users.add(file.getFileName().toString());
                }
            }
        }

        assertThat(seen).isGreaterThan(40);
        assertThat(users).isEmpty();
    }

    /** Offsets of the fields, and the end of the last one. */
    private static List<Integer> edges(int id) {
        List<Integer> edges = new ArrayList<>(List.of(0));
        layout(id).fields().forEach(field -> edges.add(edges.get(edges.size() - 1) + field.length()));
        return edges;
    }

    private static Map<String, Integer> constants(Class<?> type) {
        Map<String, Integer> constants = new HashMap<>();
        for (java.lang.reflect.Field field : type.getFields()) {
            try {
                constants.put(field.getName(), field.getInt(null));
            } catch (IllegalAccessException e) {
                throw new LinkageError(e.toString(), e);
            }
        }
        return constants;
    }

    private static Method method(Class<?> type, String name, int parameters) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equalsIgnoreCase(name) && method.getParameterCount() == parameters)
                .findFirst()
                .orElseThrow(() -> new AssertionError(type + " has no " + name));
    }

    private static String upper(MessageLayout.Field field) {
        return field.name().toUpperCase(Locale.ROOT);
    }

    private static String plain(MessageLayout.Field field) {
        return field.name().replace("_", "");
    }

    private static MessageLayout layout(Class<?> type) {
        return layout(constants(type).getOrDefault("MESSAGE_ID", -1));
    }

    private static MessageLayout layout(int id) {
        return IntStream.range(0, Dialect.standard().count())
                .filter(i -> Dialect.standard().id(i) == id)
                .mapToObj(i -> Dialect.standard().layout(i))
                .findFirst()
                .orElseThrow();
    }
}
