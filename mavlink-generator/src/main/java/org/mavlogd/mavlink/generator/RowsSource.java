package org.mavlogd.mavlink.generator;

import java.util.ArrayList;
import java.util.List;

/**
 * Generates the Java source of a class that returns lines of text, split into parts because a class file limits a
 * constant to 64 KiB.
 */
final class RowsSource {
    private static final int MAX_PART = 60_000;

    private RowsSource() {}

    static String text(String className, String what, List<String> lines) {
        List<List<String>> parts = parts(lines);
        StringBuilder text = new StringBuilder(TableProcessor.HEAD)
                .append("/** ")
                .append(what)
                .append(" */\n")
                .append(TableProcessor.MARK)
                .append("final class ")
                .append(className)
                .append(" {\n")
                .append("    private ")
                .append(className)
                .append("() {}\n\n")
                .append("    static String text() {\n")
                .append("        return ");
        for (int i = 0; i < parts.size(); i++) {
            text.append(i == 0 ? "" : " + ").append("part").append(i).append("()");
        }
        text.append(";\n    }\n");
        for (int i = 0; i < parts.size(); i++) {
            part(i, parts.get(i), text);
        }
        return text.append("}\n").toString();
    }

    private static void part(int index, List<String> lines, StringBuilder text) {
        text.append("\n    private static String part").append(index).append("() {\n        return ");
        text.append(String.join(
                "\n                + ", lines.stream().map(RowsSource::literal).toList()));
        text.append(";\n    }\n");
    }

    private static List<List<String>> parts(List<String> lines) {
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        int length = 0;
        for (String line : lines) {
            if (length + line.length() + 1 > MAX_PART) {
                parts.add(new ArrayList<>());
                length = 0;
            }
            parts.get(parts.size() - 1).add(line + '\n');
            length += line.length() + 1;
        }
        return parts;
    }

    private static String literal(String line) {
        if (!line.chars().allMatch(c -> c == '\t' || c == '\n' || (c >= ' ' && c <= '~'))) {
            throw new IllegalStateException("not plain ASCII: " + line);
        }
        return '"'
                + line.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\t", "\\t")
                        .replace("\n", "\\n")
                + '"';
    }
}
