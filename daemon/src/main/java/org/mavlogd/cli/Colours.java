package org.mavlogd.cli;

import java.util.Map;

/**
 * Colours words on a terminal. The words alone have the complete meaning: text is not coloured in files and pipes, on
 * terminals without colours, and if the user has set {@code NO_COLOR}.
 */
public final class Colours {
    private static final String RED = "\033[31m";
    private static final String YELLOW = "\033[33m";
    private static final String GREEN = "\033[32m";
    private static final String END = "\033[0m";

    private final boolean isOn;

    Colours(boolean isTerminal, Map<String, String> environment) {
        boolean isUnwanted = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        this.isOn = isTerminal && !isUnwanted;
    }

    /** Colours for standard output. */
    public static Colours ofStandardOutput() {
        return new Colours(Terminal.isStandardOutput(), System.getenv());
    }

    /** For a problem. */
    public String bad(String text) {
        return in(RED, text);
    }

    /** For something that may be a problem. */
    public String doubtful(String text) {
        return in(YELLOW, text);
    }

    /** For a good result. */
    public String good(String text) {
        return in(GREEN, text);
    }

    private String in(String colour, String text) {
        return isOn ? colour + text + END : text;
    }
}
