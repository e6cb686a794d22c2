package org.mavlogd.foxglove;

import java.util.Optional;
import org.mavlogd.series.SeriesStore.Source;

/**
 * The log and speed that a client requests.
 *
 * @param log the name of a log; empty for whichever is being recorded
 * @param recorded the log, if it does not grow
 * @param speed of a recorded log: 1 as it was
 */
public record Opening(String log, Optional<Source> recorded, double speed) {}
