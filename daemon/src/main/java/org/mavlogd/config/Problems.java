package org.mavlogd.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects all errors of a configuration, so that they are reported at once and in the order of its files. */
final class Problems {
    /** The maximum number of problems in a message; others are only counted. */
    static final int MAX_TOLD = 50;

    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private final Set<Place> brokenLines = new HashSet<>();

    private record Problem(Place place, String text) {}

    /** @param file the first one, for problems without another place */
    Problems(String file) {
        this.file = file;
    }

    /** Adds a line that is not TOML. */
    void syntax(Place place, String what) {
        brokenLines.add(place.ofLine());
        problems.add(new Problem(place, Quoted.line(what)));
    }

    /** Adds a problem of a key. */
    void add(Place place, String key, String what, String allowed) {
        add(place, key + ": " + what, allowed);
    }

    /** Adds a problem of a place. */
    void add(Place place, String what, String allowed) {
        // The rest of a broken line that the parser could read is not what was meant.
        if (!brokenLines.contains(place.ofLine())) {
            problems.add(new Problem(place, what + "; allowed: " + allowed));
        }
    }

    /** Adds a problem of a missing key. Not if a line is broken, because that line may contain it. */
    void missing(Place place, String key, String what, String allowed) {
        if (brokenLines.isEmpty()) {
            add(place, key, what, allowed);
        }
    }

    /** @param unreadable how many problems are only files that cannot be read */
    void throwIfAny(int unreadable) throws ConfigException {
        if (problems.isEmpty()) {
            return;
        }
        List<String> told = problems.stream()
                .sorted(Comparator.comparing(Problem::place))
                .limit(MAX_TOLD)
                .map(problem -> problem.place + ": " + problem.text)
                .collect(Collectors.toCollection(ArrayList::new));
        if (problems.size() > MAX_TOLD) {
            told.add(file + ": and " + (problems.size() - MAX_TOLD) + " more problems");
        }
        throw new ConfigException(told, problems.size() == unreadable);
    }
}
