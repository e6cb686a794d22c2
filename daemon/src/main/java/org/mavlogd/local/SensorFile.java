package org.mavlogd.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of sysfs with one number. A value that cannot be read is NaN and reported once; after {@link #retry} the file
 * is tried again. Owned by one thread at a time.
 */
public final class SensorFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SensorFile.class);

    private final SmallFile file;
    private final double factor;
    private final ProblemLog problems = new ProblemLog(LOG);
    private boolean failing;

    /** @param factor from the file's unit to the published one */
    public SensorFile(Path path, double factor) {
        this.file = new SmallFile(path);
        this.factor = factor;
    }

    /** The value in the published unit, or NaN. */
    public double read(TextBuffer text) {
        if (failing) {
            return Double.NaN;
        }
        try {
            file.read(text);
        } catch (IOException e) {
            failing = true;
            if (!Thread.currentThread().isInterrupted()) {
                problems.report(e.getMessage() + "; its value is NaN until it can be read");
            }
            return Double.NaN;
        }
        problems.resolved(file.path() + ": can be read again");
        return text.decimal() * factor;
    }

    /** Lets a file that could not be read be tried again. */
    public void retry() {
        failing = false;
    }

    /** Whether the file exists. */
    public boolean exists() {
        return Files.exists(file.path());
    }

    @Override
    public void close() {
        file.close();
    }
}
