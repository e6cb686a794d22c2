package org.mavlogd.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The width of the terminal in characters. It asks {@code stty}, at most every few seconds, because windows change;
 * owned by one thread.
 */
public final class TerminalWidth {
    static final int DEFAULT_COLUMNS = 80;
    private static final int MIN_COLUMNS = 20;
    private static final int MAX_COLUMNS = 1000;
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_MS = 500;

    private final Map<String, String> environment;
    private final LongSupplier clock;
    private final String[] command;
    private int columns;
    private long askedNs;

    public TerminalWidth() {
        this(System.getenv(), System::nanoTime, "stty", "-F", "/dev/tty", "size");
    }

    TerminalWidth(Map<String, String> environment, LongSupplier clock, String... command) {
        this.environment = environment;
        this.clock = clock;
        this.command = command.clone();
    }

    /** The value of {@code COLUMNS} or of the terminal; 80 if neither is known. */
    public int columns() {
        long nowNs = clock.getAsLong();
        if (columns == 0 || nowNs - askedNs > FRESH_NS) {
            askedNs = nowNs;
            int set = number(environment.getOrDefault("COLUMNS", ""));
            columns = set > 0 ? set : ofTerminal();
        }
        return columns;
    }

    /** {@code stty size} prints rows and columns. */
    private int ofTerminal() {
        try {
            Process asked = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!asked.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                asked.destroyForcibly();
                return DEFAULT_COLUMNS;
            }
            String[] words = new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            int told = words.length == 2 ? number(words[1]) : 0;
            return told > 0 ? told : DEFAULT_COLUMNS;
        } catch (IOException e) {
            return DEFAULT_COLUMNS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DEFAULT_COLUMNS;
        }
    }

    /** 0 if the text is not a number of columns; very small and very large numbers are limited. */
    private static int number(String text) {
        if (!text.matches("[1-9][0-9]{0,5}")) {
            return 0;
        }
        return Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, Integer.parseInt(text)));
    }

    /** The text, shortened with an ellipsis if it is longer than a line. */
    public static String fit(String line, int columns) {
        return line.length() <= columns ? line : line.substring(0, columns - 1) + '…';
    }
}
