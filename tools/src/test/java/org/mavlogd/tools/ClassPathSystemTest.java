package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the class paths of the built jars. */
class ClassPathSystemTest {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."), "..");

    @Test
    void recorderHasNeitherToolsNorSimulator() throws IOException {
        List<String> libraries = classPath("daemon", "mavlogd-");

        assertThat(libraries)
                .anyMatch(name -> name.startsWith("lib/ulog-writer-"))
                .anyMatch(name -> name.startsWith("lib/mavlogd-link-"))
                .noneMatch(name -> name.startsWith("lib/mavlogd-tools-"))
                .noneMatch(name -> name.startsWith("lib/mavlogd-simulator-"))
                .noneMatch(name -> name.startsWith("lib/mavlogd-exports-"))
                .noneMatch(name -> name.startsWith("lib/mavlogd-mcap-"))
                .noneMatch(name -> name.startsWith("lib/zstd-jni-"));
    }

    @Test
    void toolsHaveTheRecorderAndTheSimulator() throws IOException {
        assertThat(classPath("tools", "mavlogd-tools-"))
                .anyMatch(name -> name.matches("lib/mavlogd-[0-9].*"))
                .anyMatch(name -> name.startsWith("lib/mavlogd-simulator-"))
                .anyMatch(name -> name.startsWith("lib/mavlogd-exports-"))
                .anyMatch(name -> name.startsWith("lib/zstd-jni-"));
    }

    private static List<String> classPath(String module, String prefix) throws IOException {
        Path target = PROJECT.resolve(module).resolve("target");
        assumeTrue(Files.isDirectory(target.resolve("lib")), "the program is not built: run mvn package");
        Path jar;
        try (Stream<Path> files = Files.list(target)) {
            jar = files.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                    .filter(file ->
                            file.toString().endsWith(".jar") && !file.toString().endsWith("-tests.jar"))
                    .findFirst()
                    .orElseThrow();
        }
        try (JarFile opened = new JarFile(jar.toFile())) {
            return List.of(opened.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" "));
        }
    }
}
