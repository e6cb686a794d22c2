package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API is the recorded one. Programs that use the library are compiled against it: from release 0.2.0 on a line may
 * leave the list only in a new major version.
 */
class PublicApiTest {
    private static final Path RECORDED = Path.of("src", "test", "resources", "api.txt");
    private static final String PACKAGE = ULogWriter.class.getPackageName();

    @Test
    void apiIsTheRecordedOne() throws Exception {
        Set<String> api = api();
        if (Boolean.getBoolean("mavlogd.api.record")) {
            Files.write(RECORDED, api);
        }
        Set<String> recorded = new TreeSet<>(Files.readAllLines(RECORDED));

        Set<String> missing = new TreeSet<>(recorded);
        missing.removeAll(api);
        assertThat(missing)
                .as("programs that use these stop working: keep them, or wait for a new major version")
                .isEmpty();
        Set<String> added = new TreeSet<>(api);
        added.removeAll(recorded);
        assertThat(added)
                .as("new in the API, to be kept from now on: record them with -Dmavlogd.api.record=true")
                .isEmpty();
    }

    @Test
    void listTellsChangesApart() {
        assertThat(lines(Sample.class))
                .containsExactly(
                        "org.mavlogd.ulog.PublicApiTest$Sample: class abstract static extends java.lang.Object implements java.lang.AutoCloseable",
                        "org.mavlogd.ulog.PublicApiTest$Sample: constructor (long)",
                        "org.mavlogd.ulog.PublicApiTest$Sample: field static final int LIMIT = 7",
                        "org.mavlogd.ulog.PublicApiTest$Sample: method abstract java.lang.String name(int[]) throws java.io.IOException",
                        "org.mavlogd.ulog.PublicApiTest$Sample: method void close()");
    }

    /** What the list shows of a class: nothing private, and what subclasses may use. */
    public abstract static class Sample implements AutoCloseable {
        public static final int LIMIT = 7;

        private long hidden;

        protected Sample(long first) {
            hidden = first;
        }

        abstract void packagePrivate();

        protected abstract String name(int[] values) throws IOException;

        @Override
        public void close() {
            hide();
        }

        private void hide() {
            assertThat(hidden).isNotNegative();
        }
    }

    private static Set<String> api() throws IOException, URISyntaxException {
        Path classes = Path.of(ULogWriter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> lines = new TreeSet<>();
        try (Stream<Path> files = Files.list(classes.resolve(PACKAGE.replace('.', '/')))) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".class") && !name.equals("package-info.class")) {
                    Class<?> type = load(name.substring(0, name.length() - ".class".length()));
                    lines.addAll(isVisible(type) ? lines(type) : List.of());
                }
            }
        }
        return lines;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(PACKAGE + "." + name, false, ULogWriter.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> lines(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (isApi(field.getModifiers(), field.isSynthetic())) {
                members.add("field " + modifiers(field.getModifiers()) + named(field.getType()) + " " + field.getName()
                        + constant(field));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isApi(constructor.getModifiers(), constructor.isSynthetic())) {
                members.add("constructor " + parameters(constructor));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isApi(method.getModifiers(), method.isSynthetic())) {
                members.add("method " + modifiers(method.getModifiers()) + named(method.getReturnType()) + " "
                        + method.getName() + parameters(method));
            }
        }
        List<String> lines = new ArrayList<>(List.of(type.getName() + ": " + declaration(type)));
        members.stream().sorted().map(member -> type.getName() + ": " + member).forEach(lines::add);
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!isApi(each.getModifiers(), each.isAnonymousClass() || each.isLocalClass())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isApi(int modifiers, boolean hidden) {
        return !hidden && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers));
    }

    private static String declaration(Class<?> type) {
        String kind = type.isAnnotation()
                ? "annotation"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String parent = type.getSuperclass() == null ? "" : " extends " + named(type.getSuperclass());
        String interfaces = Arrays.stream(type.getInterfaces())
                .map(PublicApiTest::named)
                .sorted()
                .collect(Collectors.joining(", "));
        return (kind + " " + modifiers(type.getModifiers() & ~Modifier.INTERFACE)).strip()
                + parent
                + (interfaces.isEmpty() ? "" : " implements " + interfaces);
    }

    /** Without those that are no promise: a method may become synchronized, and is public anyway. */
    private static String modifiers(int modifiers) {
        int promised = modifiers & (Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT);
        return promised == 0 ? "" : Modifier.toString(promised) + " ";
    }

    private static String constant(Field field) {
        int both = Modifier.STATIC | Modifier.FINAL;
        boolean isConstant = (field.getModifiers() & both) == both
                && (field.getType().isPrimitive() || field.getType() == String.class)
                && Modifier.isPublic(field.getModifiers());
        try {
            return isConstant ? " = " + field.get(null) : "";
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String parameters(Executable executable) {
        String thrown = Arrays.stream(executable.getExceptionTypes())
                .map(PublicApiTest::named)
                .sorted()
                .collect(Collectors.joining(", "));
        return Arrays.stream(executable.getParameterTypes())
                        .map(PublicApiTest::named)
                        .collect(Collectors.joining(", ", "(", ")"))
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String named(Class<?> type) {
        return type.getTypeName();
    }
}
