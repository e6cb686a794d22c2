package org.mavlogd.config;

import java.util.List;

/** Guesses what an unknown word was meant to be. */
final class Suggestion {
    private static final int MAX_WORD_LENGTH = 40;

    private final List<Section> sections;

    /** @param sections all that a file may have */
    Suggestion(List<Section> sections) {
        this.sections = sections;
    }

    /** Words to put behind {@code unknown key}; empty when nothing is near. */
    String of(String word, List<String> known) {
        String elsewhere = otherSection(word);
        return elsewhere.isEmpty() ? nearest(word, known) : elsewhere;
    }

    /** The same for a value. */
    static String nearest(String word, List<String> known) {
        String nearest = "";
        // Longer words may have more slips; in short ones two slips make another word.
        int least = Math.min(word.length(), 9) / 3 + 1;
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : " (did you mean \"" + nearest + "\"?)";
    }

    private String otherSection(String word) {
        for (Section section : sections) {
            if (section.keyNames().contains(word)) {
                return " (it belongs under " + section.header() + ")";
            }
        }
        return "";
    }

    /** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
    private static int distance(String a, String b) {
        if (a.length() > MAX_WORD_LENGTH) {
            return Integer.MAX_VALUE;
        }
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                steps[i][j] = steps(steps, a, i, b, j);
            }
        }
        return steps[a.length()][b.length()];
    }

    private static int steps(int[][] steps, String a, int i, String b, int j) {
        if (i == 0 || j == 0) {
            return i + j;
        }
        int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
