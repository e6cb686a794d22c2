package org.mavlogd.foxglove;

import java.io.IOException;
import java.util.Optional;
import org.mavlogd.series.SeriesStore.Source;

/** Finds logs by name, and the log that is being recorded. Any thread. */
public interface Logs {
    /** The name of a log that is being recorded, the one begun last of several; empty if none is. */
    Optional<String> recording() throws IOException;

    /**
     * Where a log is now, and whether it still grows.
     *
     * @throws java.nio.file.NoSuchFileException if it is not there any more
     */
    Source source(String name) throws IOException;
}
