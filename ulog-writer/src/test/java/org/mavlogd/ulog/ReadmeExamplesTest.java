package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the README are compiled and run unchanged: write, read, repair, append. */
class ReadmeExamplesTest {
    private static final Path README = Path.of("README.md");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    /** Code around the examples with the names that they use without a declaration. */
    private static final String FRAME = """
            import java.nio.file.Path;
            import org.mavlogd.ulog.*;

            public class Examples {
                public static Path file;
                public static Path damaged;
                public static Path repaired;
                public static Path log;
                public static long startUs = 1_000_000;
                public static long timestampUs = 2_000_000;
                public static double last;

                static void use(long timestampUs, double value) {
                    last = value;
                }
            """;

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void coordinatesAreThoseOfThisVersion() throws Exception {
        Matcher version = Pattern.compile("<version>(.*)</version>").matcher(Files.readString(Path.of("pom.xml")));
        assertThat(version.find()).isTrue();

        assertThat(Files.readString(README))
                .contains("<artifactId>ulog-writer</artifactId>\n  <version>" + version.group(1) + "</version>");
    }

    @Test
    void examplesDoWhatTheySay() throws Exception {
        List<String> examples = examples();
        assertThat(examples).hasSize(4);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {compile(examples)})) {
            Class<?> type = loader.loadClass("Examples");
            Path file = directory.resolve("file.ulg");
            Path repaired = directory.resolve("repaired.ulg");
            set(type, "file", file);
            set(type, "repaired", repaired);

            run(type, 0);
            assertThat(Contents.of(Files.readAllBytes(file), 4096).samples).containsEntry("cpu:0", 1);
            run(type, 1);
            assertThat(type.getField("last").get(null)).isEqualTo(0.5);

            byte[] bytes = Files.readAllBytes(file);
            set(type, "damaged", Files.write(directory.resolve("damaged.ulg"), Arrays.copyOf(bytes, bytes.length - 1)));
            run(type, 2);
            assertThat(Contents.of(Files.readAllBytes(repaired), 4096).damagedBytes)
                    .isZero();

            set(type, "log", repaired);
            run(type, 3);
            assertThat(Contents.of(Files.readAllBytes(repaired), 4096).texts)
                    .extracting(LoggedText::text)
                    .contains("restarted by watchdog");
        }
    }

    private static List<String> examples() throws IOException {
        return EXAMPLE.matcher(Files.readString(README))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private URL compile(List<String> examples) throws IOException {
        StringBuilder source = new StringBuilder(FRAME);
        for (int i = 0; i < examples.size(); i++) {
            source.append("    public static void run").append(i).append("() throws Exception {\n");
            source.append(examples.get(i)).append("    }\n");
        }
        Path file = Files.writeString(directory.resolve("Examples.java"), source.append("}\n"));
        JavaCompiler compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler: run by a JDK");
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, null)) {
            List<String> options = new ArrayList<>(List.of("-d", directory.toString(), "-proc:none"));
            options.addAll(List.of("-classpath", System.getProperty("java.class.path")));
            boolean compiled = compiler.getTask(null, files, problems, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).as(problems.getDiagnostics().toString()).isTrue();
        }
        return directory.toUri().toURL();
    }

    private static void set(Class<?> type, String name, Path value) throws ReflectiveOperationException {
        Field field = type.getField(name);
        field.set(null, value);
    }

    private static void run(Class<?> type, int example) throws ReflectiveOperationException {
        Method method = type.getMethod("run" + example);
        method.invoke(null);
    }
}
