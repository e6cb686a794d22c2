package org.mavlogd.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads settings from a string, as from a file {@code c.toml}. */
final class ConfigText {
    static final String LINK = "[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n";

    private final Path file;

    ConfigText(Path directory) {
        this.file = directory.resolve("c.toml");
    }

    Path file() {
        return file;
    }

    Settings load(String text) throws ConfigException {
        return load(text.getBytes(StandardCharsets.UTF_8));
    }

    Settings load(byte[] bytes) throws ConfigException {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Settings.load(file);
    }

    /** The problems of a configuration, without the file's directory. */
    List<String> problems(String text) {
        return problems(text.getBytes(StandardCharsets.UTF_8));
    }

    List<String> problems(byte[] bytes) {
        ConfigException failure = catchThrowableOfType(ConfigException.class, () -> load(bytes));
        if (failure == null) {
            return List.of();
        }
        String directory = file.getParent() + "/";
        return failure.problems().stream()
                .map(problem -> problem.replace(directory, ""))
                .toList();
    }
}
