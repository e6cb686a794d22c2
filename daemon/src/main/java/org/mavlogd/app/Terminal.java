package org.mavlogd.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether somebody looks at what this process prints. */
final class Terminal {
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private Terminal() {}

    /** Whether standard output is a terminal. Java 17's own answer also asks for standard input, which a script may use. */
    static boolean isStandardOutput() {
        try {
            String target = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
