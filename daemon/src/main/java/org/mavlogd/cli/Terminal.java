package org.mavlogd.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether standard output or standard error is a terminal. */
public final class Terminal {
    private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /**
     * Whether standard output is a terminal. Java 17's own method also checks standard input, which a script may use.
     */
    public static boolean isStandardOutput() {
        return isTerminal(STANDARD_OUTPUT);
    }

    /** Whether standard input is a terminal, so that the user can be asked. */
    public static boolean isStandardInput() {
        return isTerminal(STANDARD_INPUT);
    }

    /** Whether standard error is a terminal. */
    public static boolean isStandardError() {
        return isTerminal(STANDARD_ERROR);
    }

    /** Whether standard output is a pipe to another program, which may end before this one. */
    public static boolean isStandardOutputPiped() {
        return target(STANDARD_OUTPUT).startsWith("pipe:");
    }

    private static boolean isTerminal(Path stream) {
        String target = target(stream);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    }

    private static String target(Path stream) {
        try {
            return Files.readSymbolicLink(stream).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
