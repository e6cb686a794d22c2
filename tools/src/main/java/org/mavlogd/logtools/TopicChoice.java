package org.mavlogd.logtools;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;

/**
 * The topics of a log that the words of a command line pick: {@code NAME}, {@code NAME:INSTANCE}, or either with {@code *} and
 * {@code ?} in it. No word at all picks every topic.
 *
 * <p>A reader of a log hands it each topic when that is announced ({@link #onTopic}), and may then ask for each sample's; at
 * the end {@link #requireMatches} reports words that no topic matched. It may be used for several readings of one log.
 */
public final class TopicChoice {
    /** What a word may be, for the help of commands. */
    public static final String FORMS =
            "NAME, NAME:INSTANCE, or with wildcards: 'vehicle_*'; several separated by commas";

    private static final int MAX_SEEN = 10_000;
    private static final int MAX_NAME = 100;

    /** Words with {@code *} for any characters and {@code ?} for one. */
    public static final class Glob {
        private final String text;
        private final int[] pattern;

        public Glob(String text) {
            this.text = text;
            this.pattern = text.codePoints().toArray();
        }

        public String text() {
            return text;
        }

        /**
         * Whether it stands for a name. Takes at most the time of both lengths multiplied: words may come from a network, and
         * a regular expression with many {@code *} does not end.
         */
        public boolean matches(String name) {
            int[] letters = name.codePoints().toArray();
            int next = 0;
            int star = -1;
            int resume = 0;
            for (int i = 0; i < letters.length; ) {
                if (next < pattern.length && pattern[next] == '*') {
                    star = next++;
                    resume = i;
                } else if (next < pattern.length && (pattern[next] == '?' || pattern[next] == letters[i])) {
                    next++;
                    i++;
                } else if (star >= 0) {
                    next = star + 1; // the last * stands for one character more
                    i = ++resume;
                } else {
                    return false;
                }
            }
            return isRestAny(next);
        }

        private boolean isRestAny(int from) {
            for (int i = from; i < pattern.length; i++) {
                if (pattern[i] != '*') {
                    return false;
                }
            }
            return true;
        }

        boolean hasWildcard() {
            return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
        }
    }

    private final List<Glob> words;
    private final Set<Glob> matched = new HashSet<>();
    // Of the present topic of each message id.
    private final BitSet chosen = new BitSet();
    // To suggest from: names, and with their instances.
    private final Set<String> names = new TreeSet<>();
    private final Set<String> instances = new TreeSet<>();

    /** @param words as on the command line; none for all topics */
    public TopicChoice(Collection<String> words) {
        this.words =
                words.stream().filter(word -> !word.isBlank()).map(Glob::new).toList();
    }

    /** Every topic. */
    public static TopicChoice all() {
        return new TopicChoice(List.of());
    }

    /** Whether it picks every topic of any log. */
    public boolean isAll() {
        return words.isEmpty();
    }

    /** Whether all words are of one topic's name, so that only this topic's instances can be picked. */
    public boolean isOneName() {
        return words.stream().noneMatch(Glob::hasWildcard)
                && words.stream()
                                .map(word -> word.text.replaceFirst(":[0-9]+$", ""))
                                .distinct()
                                .count()
                        == 1;
    }

    /** Takes a topic that the log announces; returns whether it is picked. */
    public boolean onTopic(Topic topic) {
        if (names.size() < MAX_SEEN && instances.size() < MAX_SEEN) {
            names.add(topic.name());
            instances.add(topic.toString());
        }
        boolean isChosen = isAll();
        for (Glob word : words) {
            if (word.matches(topic.name()) || word.matches(topic.toString())) {
                matched.add(word);
                isChosen = true;
            }
        }
        chosen.set(topic.messageId(), isChosen);
        return isChosen;
    }

    /** Whether an announced topic is picked. Hot path. */
    public boolean accepts(Topic topic) {
        return chosen.get(topic.messageId());
    }

    /**
     * Checks that each word picked a topic of the log.
     *
     * @throws ULogException if one did not; it suggests topics of the log
     */
    public void requireMatches() throws ULogException {
        for (Glob word : words) {
            if (!matched.contains(word)) {
                throw new ULogException("no topic \"" + word.text + "\"" + hint(word.text));
            }
        }
    }

    /** The words in one line. */
    public String text() {
        return words.stream().map(word -> word.text).collect(Collectors.joining(","));
    }

    private String hint(String word) {
        List<String> known = Stream.concat(names.stream(), word.indexOf(':') < 0 ? Stream.empty() : instances.stream())
                .map(name -> Words.line(name, MAX_NAME))
                .toList();
        return SimilarWord.hint(word, known) + "; 'mavlogd info --all-topics' lists the topics";
    }
}
