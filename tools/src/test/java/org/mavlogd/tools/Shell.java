package org.mavlogd.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs commands in this process like a user, and stores the output of the last one, which can be read while it runs.
 */
final class Shell {
    private final List<String> first;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** @param first words with which every command begins */
    Shell(String... first) {
        this.first = List.of(first);
    }

    /** Returns the exit code. */
    int run(Object... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] arguments = Stream.concat(first.stream(), Stream.of(words).map(String::valueOf))
                .toArray(String[]::new);
        return Main.commandLineOf(arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
