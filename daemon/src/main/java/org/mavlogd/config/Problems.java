package org.mavlogd.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Collects all errors of a configuration, so that they are reported at once and in the order of its files. */
final class Problems {
    /** More than this nobody reads; the rest is only counted. */
    static final int MAX_TOLD = 50;

    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private final Set<Place> brokenLines = new HashSet<>();

    private record Problem(Place place, String text) {}

    /** @param file the first one, for what has no other place */
    Problems(String file) {
        this.file = file;
    }

    /** A line that is not TOML. */
    void syntax(Place place, String what) {
        brokenLines.add(place.ofLine());
        problems.add(new Problem(place, Quoted.line(what)));
    }

    /** Something that is there and should not be so. */
    void add(Place place, String key, String what, String allowed) {
        add(place, key + ": " + what, allowed);
    }

    /** The same where the place is all that needs a name. */
    void add(Place place, String what, String allowed) {
        // What the parser could save from a broken line is not what was meant.
        if (!brokenLines.contains(place.ofLine())) {
            problems.add(new Problem(place, what + "; allowed: " + allowed));
        }
    }

    /** Something that is not there. Not reported when a line is broken, because that line may contain it. */
    void missing(Place place, String key, String what, String allowed) {
        if (brokenLines.isEmpty()) {
            add(place, key, what, allowed);
        }
    }

    /** @param unreadable how many of them only say that a file cannot be read */
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
