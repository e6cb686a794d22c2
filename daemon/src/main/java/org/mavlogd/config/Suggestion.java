package org.mavlogd.config;

import java.util.List;
import org.mavlogd.text.SimilarWord;

/** Guesses what an unknown word was meant to be. */
final class Suggestion {
    private final List<Section> sections;

    /** @param sections all possible sections of a file */
    Suggestion(List<Section> sections) {
        this.sections = sections;
    }

    /** A text to append to {@code unknown key}; empty if no known word is near. */
    String of(String word, List<String> known) {
        String elsewhere = otherSection(word);
        return elsewhere.isEmpty() ? SimilarWord.hint(word, known) : elsewhere;
    }

    private String otherSection(String word) {
        for (Section section : sections) {
            if (section.keyNames().contains(word)) {
                return " (it belongs under " + section.header() + ")";
            }
        }
        return "";
    }
}
