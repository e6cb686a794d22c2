package org.mavlogd.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conventions of {@code promtool check metrics}, and the project's own: one label for a link, values of causes in
 * snake case.
 */
final class MetricRules {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([^=,]+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
    private static final Pattern SNAKE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    /** Words in promtool's lists of units and abbreviations that are not base units. */
    private static final Set<String> BAD_WORDS = Set.of(
            "ms",
            "us",
            "ns",
            "milliseconds",
            "microseconds",
            "nanoseconds",
            "minutes",
            "hours",
            "days",
            "kb",
            "kib",
            "mb",
            "mib",
            "kibibytes",
            "mebibytes",
            "kilobytes",
            "bits",
            "percent",
            "percentage",
            "ppm",
            "counter",
            "gauge",
            "histogram",
            "summary");

    private static final Set<String> OTHER_NAMES_OF_A_LINK = Set.of("feed", "link_name", "port");
    private static final Set<String> WORDS_IN_SNAKE_CASE = Set.of("cause", "fault", "kind", "requester");

    private final Map<String, String> types = new HashMap<>();
    private final Set<String> helped = new HashSet<>();
    private final Set<String> samples = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    private MetricRules() {}

    /** Problems of metrics in the text format; one line each. */
    static List<String> problems(String text) {
        MetricRules rules = new MetricRules();
        text.lines().forEach(rules::line);
        rules.types.keySet().forEach(rules::family);
        return rules.problems;
    }

    private void line(String line) {
        String[] words = line.split(" ", 4);
        if (line.startsWith("# HELP ")) {
            helped.add(words[2]);
            check(words.length == 4 && !words[3].isBlank(), words[2] + " has no help");
        } else if (line.startsWith("# TYPE ")) {
            check(types.put(words[2], words[3]) == null, words[2] + " is listed twice");
        } else {
            sample(line);
        }
    }

    private void sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            problems.add("not a sample: " + line);
            return;
        }
        String labels = sample.group(2) == null ? "" : sample.group(2);
        check(samples.add(sample.group(1) + '{' + labels + '}'), "twice: " + line);
        check(types.containsKey(family(sample.group(1), true)), "no type of " + line);
        Matcher label = LABEL.matcher(labels);
        while (label.find()) {
            label(line, label.group(1), label.group(2));
        }
    }

    private void label(String line, String name, String value) {
        check(SNAKE.matcher(name).matches(), "label not in snake case: " + line);
        check(!OTHER_NAMES_OF_A_LINK.contains(name), "a link's label is \"link\": " + line);
        check(!name.equals("le") || line.contains("_bucket{"), "le outside of a histogram: " + line);
        check(
                !WORDS_IN_SNAKE_CASE.contains(name) || SNAKE.matcher(value).matches(),
                "value of " + name + " not in snake case: " + line);
    }

    /** The name of a histogram or summary without its suffix. */
    private String family(String name, boolean isSample) {
        for (String suffix : List.of("_bucket", "_count", "_sum")) {
            String base = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : "";
            String type = types.getOrDefault(base, "");
            if (isSample && (type.equals("histogram") || type.equals("summary"))) {
                return base;
            }
        }
        return name;
    }

    private void family(String name) {
        String type = types.getOrDefault(name, "");
        check(helped.contains(name), name + " has no help");
        check(SNAKE.matcher(name).matches(), name + " is not in snake case");
        check(type.equals("counter") == name.endsWith("_total"), name + " is a " + type);
        check(!type.equals("untyped") && !type.isEmpty(), name + " has no type");
        for (String word : name.split("_", -1)) {
            check(!BAD_WORDS.contains(word), name + " has " + word + " in its name");
        }
        for (String suffix : List.of("_count", "_sum", "_bucket")) {
            check(!name.endsWith(suffix), name + " ends with " + suffix);
        }
        if (type.equals("histogram") || type.equals("summary")) {
            check(name.endsWith("_seconds") || name.endsWith("_bytes"), name + " has no unit");
        }
    }

    private void check(boolean isGood, String problem) {
        if (!isGood) {
            problems.add(problem);
        }
    }
}
