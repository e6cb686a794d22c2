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
 * Selects topics of a log by the words of a command line: {@code NAME}, {@code NAME:INSTANCE}, or either with {@code *}
 * and {@code ?}. Without words it selects every topic.
 *
 * <p>A reader of a log passes each topic to {@link #onTopic} when it is announced, and then asks {@link #accepts} for
 * its samples; at the end {@link #requireMatches} reports words without a matching topic. It may be used for several
 * readings of one log.
 */
public final class TopicChoice {
    /** The accepted forms, for the help of commands. */
    public static final String FORMS =
            "NAME, NAME:INSTANCE, or with wildcards: 'vehicle_*'; several separated by commas";

    private static final int MAX_SEEN = 10_000;
    private static final int MAX_NAME = 100;

    /** A word in which {@code *} matches any characters and {@code ?} one. */
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
         * Whether it matches a name. Takes at most time proportional to the product of both lengths: words may come
         * from a network, and a regular expression with many {@code *} could run forever.
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
                    next = star + 1; // the last * matches one character more
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
    // By the current topic of each message id.
    private final BitSet chosen = new BitSet();
    // For suggestions: names, without and with instances.
    private final Set<String> names = new TreeSet<>();
    private final Set<String> instances = new TreeSet<>();

    /** @param words as on the command line; none for all topics */
    public TopicChoice(Collection<String> words) {
        this.words =
                words.stream().filter(word -> !word.isBlank()).map(Glob::new).toList();
    }

    /** Selects every topic. */
    public static TopicChoice all() {
        return new TopicChoice(List.of());
    }

    /** Whether it selects every topic of any log. */
    public boolean isAll() {
        return words.isEmpty();
    }

    /** Whether all words have the name of the same topic, so that only its instances can be selected. */
    public boolean isOneName() {
        return words.stream().noneMatch(Glob::hasWildcard)
                && words.stream()
                                .map(word -> word.text.replaceFirst(":[0-9]+$", ""))
                                .distinct()
                                .count()
                        == 1;
    }

    /** Takes a topic that the log announces; returns whether it is selected. */
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

    /** Whether an announced topic is selected. Hot path. */
    public boolean accepts(Topic topic) {
        return chosen.get(topic.messageId());
    }

    /**
     * Checks that each word has selected a topic of the log.
     *
     * @throws ULogException if a word has not; suggests topics of the log
     */
    public void requireMatches() throws ULogException {
        for (Glob word : words) {
            if (!matched.contains(word)) {
                throw new ULogException("no topic \"" + word.text + "\"" + hint(word.text));
            }
        }
    }

    /** The words, separated by commas. */
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
