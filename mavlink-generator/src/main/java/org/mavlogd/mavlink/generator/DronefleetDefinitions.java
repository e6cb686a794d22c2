package org.mavlogd.mavlink.generator;

import io.dronefleet.mavlink.MavlinkDialect;
import io.dronefleet.mavlink.annotations.MavlinkFieldInfo;
import io.dronefleet.mavlink.annotations.MavlinkMessageInfo;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The messages that dronefleet's library defines, read from the annotations of its classes.
 *
 * <p>The annotations lack units and instance marks, and the library's names do not show an underscore before a digit:
 * {@code MAV_FTP_ERR1} and {@code MAV_FTP_ERR_1} look the same.
 */
final class DronefleetDefinitions {
    private DronefleetDefinitions() {}

    /** All messages of all dialects, ordered by id and dialect. */
    static List<Message> messages() {
        return types().stream()
                .map(DronefleetDefinitions::message)
                .sorted(Comparator.comparingInt(Message::id).thenComparing(Message::origin))
                .toList();
    }

    /** The library's class of each message. */
    static List<Class<?>> types() {
        return dialects().stream()
                .flatMap(dialect -> dialect.messageTypes().stream())
                .<Class<?>>map(type -> type)
                .distinct()
                .toList();
    }

    /** All dialects of the library, found by scanning its jar, so that none is missing. */
    private static List<MavlinkDialect> dialects() {
        try (JarFile jar = new JarFile(jar().toFile())) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.matches("io/dronefleet/mavlink/[a-z0-9]+/[A-Za-z0-9]+Dialect\\.class"))
                    .sorted()
                    .map(DronefleetDefinitions::dialect)
                    .toList();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("cannot list the dialects of dronefleet", e);
        }
    }

    private static Path jar() throws URISyntaxException {
        return Path.of(MavlinkDialect.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
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

    static Message message(Class<?> type) {
        MavlinkMessageInfo message = type.getAnnotation(MavlinkMessageInfo.class);
        if (message == null) {
            throw new IllegalStateException(type + " is not a message");
        }
        List<Field> fields = Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(MavlinkFieldInfo.class))
                .sorted(Comparator.comparingInt(
                        method -> method.getAnnotation(MavlinkFieldInfo.class).position()))
                .map(DronefleetDefinitions::field)
                .toList();
        String dialect = type.getPackageName().substring(type.getPackageName().lastIndexOf('.') + 1);
        String name = snake(type.getSimpleName()).toUpperCase(Locale.ROOT);
        return new Message(message.id(), message.crc(), name, dialect, Message.ordered(fields));
    }

    private static Field field(Method method) {
        MavlinkFieldInfo info = method.getAnnotation(MavlinkFieldInfo.class);
        String type = type(method.getGenericReturnType(), info);
        return new Field(type, info.arraySize(), snake(method.getName()), info.extension(), false, "");
    }

    private static String type(Type type, MavlinkFieldInfo info) {
        String name = type.getTypeName();
        if (name.equals("float") || name.contains("Float")) {
            return "float";
        }
        if (name.equals("double") || name.contains("Double")) {
            return "double";
        }
        if (name.equals("java.lang.String")) {
            return "char";
        }
        return (info.signed() ? "int" : "uint") + Byte.SIZE * info.unitSize() + "_t";
    }

    private static String snake(String camel) {
        return camel.replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
