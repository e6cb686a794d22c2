package org.mavlogd.simulate.px4;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The log that the project ships for its demo. */
public final class RoverLog {
    static final Path FILE =
            Path.of(System.getProperty("basedir", "."), "../simulator/src/demo/11_rover_ackermann.ulg.gz");

    private RoverLog() {}

    public static LogImage image() {
        try {
            return LogImage.read(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
