package org.mavlogd.report.fields;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Definitions of plots, figures, rules and spectra, read from text.
 *
 * <p>A definition starts with its kind and its identifier. Indented lines follow, each with a key and its value; the
 * values of a repeated key are joined. The value of the key {@code line} is {@code NAME = EXPRESSION | EXPRESSION ...}:
 * the first expression that a log has is used. A {@code #} in a name stands for eight names: in the name and after
 * letters it becomes 1 to 8, in brackets 0 to 7. Lines that start with {@code #} are comments.
 */
public final class Definitions {
    private static final int REPEATED = 8;

    /** A named value with alternatives, of which the first one in the log is used. */
    public record Line(String name, boolean isContext, List<Expression> alternatives) {
        public Line {
            alternatives = List.copyOf(alternatives);
        }
    }

    /**
     * A plot, figure, rule or spectrum; {@code isRepeated} if its lines are many of one kind, some of them perhaps
     * unused.
     */
    public record Definition(
            String kind, String id, Map<String, String> properties, List<Line> lines, boolean isRepeated) {
        public Definition {
            properties = Map.copyOf(properties);
            lines = List.copyOf(lines);
        }

        /** The value of a required property. */
        public String text(String key) {
            return Objects.requireNonNull(properties.get(key), () -> kind + " " + id + " has no " + key);
        }

        public String textOr(String key, String other) {
            return properties.getOrDefault(key, other);
        }
    }

    private Definitions() {}

    /** Reads a resource of the program. */
    public static List<Definition> load(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            return parse(new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the definitions that come with the program cannot be read", e);
        }
    }

    /** Parses definitions; throws IllegalArgumentException if they are invalid. */
    public static List<Definition> parse(String text) {
        List<Definition> all = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (!line.startsWith(" ") && !block.isEmpty()) {
                all.add(definition(block));
                block.clear();
            }
            block.add(line.strip());
        }
        if (!block.isEmpty()) {
            all.add(definition(block));
        }
        return all;
    }

    private static Definition definition(List<String> block) {
        String[] head = block.get(0).split(" ", 2);
        Map<String, String> properties = new LinkedHashMap<>();
        List<Line> lines = new ArrayList<>();
        boolean isRepeated = false;
        for (String property : block.subList(1, block.size())) {
            String[] parts = property.split(" ", 2);
            String value = parts.length < 2 ? "" : parts[1].strip();
            if (parts[0].equals("line")) {
                isRepeated |= value.contains("#");
                lines.addAll(lines(value));
            } else {
                properties.merge(parts[0], value, (one, more) -> one + " " + more);
            }
        }
        return new Definition(head[0], head[1].strip(), properties, lines, isRepeated);
    }

    private static List<Line> lines(String value) {
        if (!value.contains("#")) {
            return List.of(line(value));
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < REPEATED; i++) {
            lines.add(line(value.replace("[#]", "[" + i + "]").replace("#", Integer.toString(i + 1))));
        }
        return lines;
    }

    private static Line line(String value) {
        int equals = value.indexOf(" = ");
        if (equals < 0) {
            throw new IllegalArgumentException("no line: \"" + value + "\"");
        }
        List<Expression> alternatives = Arrays.stream(
                        value.substring(equals + 3).split(" \\| ", -1))
                .map(Expression::parse)
                .toList();
        String name = value.substring(0, equals).strip();
        boolean isContext = name.startsWith("~");
        return new Line(isContext ? name.substring(1) : name, isContext, alternatives);
    }
}
