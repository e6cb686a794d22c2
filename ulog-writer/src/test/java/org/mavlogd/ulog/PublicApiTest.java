package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiMethod;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javassist.bytecode.AccessFlag;
import javassist.bytecode.ClassFile;
import javassist.bytecode.DuplicateMemberException;
import javassist.bytecode.MethodInfo;
import javassist.bytecode.SignatureAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that programs compiled against the last release still work, and that their sources still compile: japicmp
 * compares the library with the recorded one. The library may grow.
 *
 * <p>{@code -Dmavlogd.api.record=true} records the current library, for a new major version.
 */
class PublicApiTest {
    private static final Path RECORDED = Path.of("src", "test", "resources", "ulog-writer-0.2.0-api.jar");
    private static final String NAMES = ULogWriter.class.getPackageName().replace('.', '/') + '/';

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private interface Change {
        void to(ClassFile type) throws DuplicateMemberException;
    }

    @Test
    void programsForTheLastReleaseStillWork() throws Exception {
        if (Boolean.getBoolean("mavlogd.api.record")) {
            write(RECORDED, "", type -> {});
        }

        assertThat(problems(RECORDED, write(directory.resolve("now.jar"), "", type -> {})))
                .as("programs that use these stop working: keep them, or wait for a new major version")
                .isEmpty();
    }

    @Test
    void methodsMayComeAndNoneMayGo() throws Exception {
        Path now = write(directory.resolve("now.jar"), "", type -> {});
        Path fewer = write(
                directory.resolve("fewer.jar"),
                "FileSink",
                type -> type.getMethods().removeIf(method -> method.getName().equals("create")));

        assertThat(problems(now, fewer)).isNotEmpty().allMatch(problem -> problem.contains("METHOD_REMOVED"));
        assertThat(problems(fewer, now)).isEmpty();
    }

    @Test
    void implementationsOfInterfacesNeedNoNewMethods() throws Exception {
        Path now = write(directory.resolve("now.jar"), "", type -> {});
        Path demanding = write(directory.resolve("demanding.jar"), "ULogSink", type -> {
            MethodInfo method = new MethodInfo(type.getConstPool(), "rewind", "()V");
            method.setAccessFlags(AccessFlag.PUBLIC | AccessFlag.ABSTRACT);
            type.addMethod(method);
        });

        assertThat(problems(now, demanding)).contains("org.mavlogd.ulog.ULogSink.rewind METHOD_ADDED_TO_INTERFACE");
    }

    @Test
    void typesOfElementsStay() throws Exception {
        Path now = write(directory.resolve("now.jar"), "", type -> {});
        Path others = write(
                directory.resolve("others.jar"),
                "Topic",
                type -> type.getMethods().stream()
                        .filter(method -> method.getName().equals("layout"))
                        .forEach(method -> method.addAttribute(new SignatureAttribute(
                                type.getConstPool(), "()Ljava/util/Optional<Ljava/lang/String;>;"))));

        assertThat(problems(now, others))
                .containsExactly("org.mavlogd.ulog.Topic.layout METHOD_RETURN_TYPE_GENERICS_CHANGED");
    }

    private static List<String> problems(Path before, Path now) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        List<String> problems = new ArrayList<>();
        for (JApiClass type : new JarArchiveComparator(options)
                .compare(new JApiCmpArchive(before.toFile(), "before"), new JApiCmpArchive(now.toFile(), "now"))) {
            if (!type.isBinaryCompatible() || !type.isSourceCompatible()) {
                int count = problems.size();
                String name = type.getFullyQualifiedName();
                add(problems, name, type);
                type.getInterfaces().forEach(each -> add(problems, name, each));
                add(problems, name, type.getSuperclass());
                type.getFields().forEach(field -> add(problems, name + '.' + field.getName(), field));
                type.getConstructors().forEach(constructor -> behavior(problems, name, constructor));
                for (JApiMethod method : type.getMethods()) {
                    behavior(problems, name, method);
                    add(problems, name + '.' + method.getName(), method.getReturnType());
                }
                if (problems.size() == count) {
                    problems.add(name + " is not compatible");
                }
            }
        }
        return problems;
    }

    private static void behavior(List<String> problems, String type, JApiBehavior behavior) {
        String name = type + '.' + behavior.getName();
        add(problems, name, behavior);
        behavior.getParameters().forEach(parameter -> add(problems, name, parameter));
    }

    private static void add(List<String> problems, String name, JApiCompatibility judged) {
        judged.getCompatibilityChanges().stream()
                .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
                .map(change -> name + ' ' + change.getType())
                .distinct()
                .forEach(problems::add);
    }

    /** Writes the library's declarations without its code; one of its types is changed. */
    private static Path write(Path jar, String changed, Change change)
            throws IOException, URISyntaxException, DuplicateMemberException {
        Path classes = Path.of(ULogWriter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.list(classes.resolve(NAMES));
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                String name = String.valueOf(file.getFileName());
                ZipEntry entry = new ZipEntry(NAMES + name);
                entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
                out.putNextEntry(entry);
                boolean isChanged = name.equals(changed + ".class");
                writeApi(Files.readAllBytes(file), isChanged ? change : type -> {}, out);
            }
        }
        return jar;
    }

    private static void writeApi(byte[] bytes, Change change, OutputStream out)
            throws IOException, DuplicateMemberException {
        ClassFile type = new ClassFile(new DataInputStream(new ByteArrayInputStream(bytes)));
        type.getMethods().removeIf(method -> AccessFlag.isPrivate(method.getAccessFlags()));
        type.getMethods().forEach(MethodInfo::removeCodeAttribute);
        type.getFields().removeIf(field -> AccessFlag.isPrivate(field.getAccessFlags()));
        change.to(type);
        type.compact();
        type.write(new DataOutputStream(out));
    }
}
