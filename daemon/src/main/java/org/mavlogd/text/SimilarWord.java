package org.mavlogd.text;

/** Guesses which known word an unknown one was meant to be. */
public final class SimilarWord {
    private static final int MAX_WORD_LENGTH = 80;

    /** If a longer word begins with at least this many letters, its end was left out, which counts as one error. */
    private static final int MIN_BEGINNING = 4;

    private SimilarWord() {}

    /** {@code  (did you mean "word"?)} to append to an error message; empty if no known word is near. */
    public static String hint(String word, Iterable<String> known) {
        String nearest = nearest(word, known);
        return nearest.isEmpty() ? "" : " (did you mean \"" + nearest + "\"?)";
    }

    /** The nearest known word; empty if none is near. */
    public static String nearest(String word, Iterable<String> known) {
        String nearest = "";
        // Longer words may have more errors; two errors make another word of a short one.
        int least = Math.min(word.length(), 9) / 3 + 1;
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /**
     * The number of insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
     */
    private static int distance(String a, String b) {
        if (a.length() >= MIN_BEGINNING && b.length() > a.length() && b.startsWith(a)) {
            return 1;
        }
        if (a.length() > MAX_WORD_LENGTH || b.length() > MAX_WORD_LENGTH) {
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
