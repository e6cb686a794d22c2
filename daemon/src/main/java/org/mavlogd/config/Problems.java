package org.mavlogd.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.tomlj.TomlPosition;

/** Gathers what is wrong with one file, so that all of it is told at once and in the file's order. */
final class Problems {
    /** More than this nobody reads; the rest is only counted. */
    static final int MAX_TOLD = 50;

    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private final Set<Integer> brokenLines = new HashSet<>();

    private record Problem(TomlPosition position, String text) {}

    Problems(String file) {
        this.file = file;
    }

    /** A line that is not TOML. */
    void syntax(TomlPosition position, String what) {
        brokenLines.add(position.line());
        problems.add(new Problem(position, Quoted.line(what)));
    }

    /** Something that is there and should not be so. */
    void add(TomlPosition position, String key, String what, String allowed) {
        // What the parser could save from a broken line is not what was meant.
        if (!brokenLines.contains(position.line())) {
            problems.add(new Problem(position, key + ": " + what + "; allowed: " + allowed));
        }
    }

    /** Something that is not there. Not told when a line is broken: it may be what that line says. */
    void missing(TomlPosition position, String key, String what, String allowed) {
        if (brokenLines.isEmpty()) {
            add(position, key, what, allowed);
        }
    }

    /** @param unreadable how many of them only say that a file cannot be read */
    void throwIfAny(int unreadable) throws ConfigException {
        if (problems.isEmpty()) {
            return;
        }
        List<String> told = problems.stream()
                .sorted(Comparator.comparingInt(
                                (Problem problem) -> problem.position().line())
                        .thenComparingInt(problem -> problem.position().column()))
                .limit(MAX_TOLD)
                .map(problem -> file + ':' + problem.position().line() + ':'
                        + problem.position().column() + ": " + problem.text())
                .collect(Collectors.toCollection(ArrayList::new));
        if (problems.size() > MAX_TOLD) {
            told.add(file + ": and " + (problems.size() - MAX_TOLD) + " more problems");
        }
        throw new ConfigException(told, problems.size() == unreadable);
    }
}
