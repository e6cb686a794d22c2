package org.mavlogd.foxglove;

import java.io.IOException;
import java.util.Optional;
import org.mavlogd.series.SeriesStore.Source;

/** Finds logs by name, and the current recording. Any thread. */
public interface Logs {
    /** Name of the log being recorded, the latest of several; empty if none is. */
    Optional<String> recording() throws IOException;

    /**
     * The current file of a log, and whether it is still being written.
     *
     * @throws java.nio.file.NoSuchFileException if it no longer exists
     */
    Source source(String name) throws IOException;
}
