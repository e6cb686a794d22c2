package org.mavlogd.setup;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Asks questions in a terminal. Enter accepts the default in brackets; an invalid answer is refused and the question
 * asked again, a few times.
 */
public final class Questions {
    private static final int MAX_TRIES = 5;

    private final BufferedReader answers;
    private final PrintWriter out;

    public Questions(BufferedReader answers, PrintWriter out) {
        this.answers = answers;
        this.out = out;
    }

    /** The reason why an answer is refused; empty if it is accepted. */
    @FunctionalInterface
    public interface Check {
        String problem(String answer);
    }

    /** Asks for a text until it is accepted. */
    public String text(String question, String byDefault, Check check) throws IOException {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            out.print(question + " [" + byDefault + "]: ");
            out.flush();
            String line = answers.readLine();
            if (line == null) {
                throw new EOFException("the input ended");
            }
            String answer = line.isBlank() ? byDefault : line.strip();
            String problem = check.problem(answer);
            if (problem.isEmpty()) {
                return answer;
            }
            out.println("  " + problem);
        }
        throw new EOFException("no valid answer");
    }

    /** Shows numbered options, the first of which is the default; returns the index of the chosen one. */
    public int choice(String question, List<String> options) throws IOException {
        print(options);
        String answer = text(question, "1", text -> isNumber(text, options.size()) ? "" : "1 to " + options.size());
        return Integer.parseInt(answer) - 1;
    }

    /** Shows numbered options. */
    public void print(List<String> options) {
        for (int i = 0; i < options.size(); i++) {
            out.println("  " + (i + 1) + "  " + options.get(i));
        }
    }

    /** Whether a text is the number of one of {@code count} options. */
    public static boolean isNumber(String text, int count) {
        return text.matches("[1-9]\\d{0,3}") && Integer.parseInt(text) <= count;
    }

    /** Asks for yes or no; no is the default. */
    public boolean isYes(String question) throws IOException {
        String answer = text(
                question + " (yes or no)",
                "no",
                text -> text.toLowerCase(Locale.ROOT).matches("y|yes|n|no") ? "" : "yes or no");
        return answer.toLowerCase(Locale.ROOT).startsWith("y");
    }
}
