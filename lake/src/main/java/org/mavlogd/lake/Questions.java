package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The ready-made queries: files of the folder {@code contrib/lake}, which are part of the jar. */
final class Questions {
    private static final List<String> NAMES =
            List.of("flights", "vibration", "battery_wear", "gps_map", "loss_by_link", "failsafe", "companion_heat");

    /** @param sql the query; its first line is a comment that describes it */
    record Question(String name, String sql) {
        String about() {
            return sql.lines().findFirst().orElse("").replaceFirst("^-- ", "");
        }
    }

    private Questions() {}

    static List<Question> all() {
        return NAMES.stream().map(name -> new Question(name, read(name))).toList();
    }

    static Optional<Question> named(String name) {
        return NAMES.contains(name) ? Optional.of(new Question(name, read(name))) : Optional.empty();
    }

    private static String read(String name) {
        try (InputStream in =
                Objects.requireNonNull(Questions.class.getResourceAsStream("/questions/" + name + ".sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
