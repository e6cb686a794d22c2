package org.mavlogd.foxglove;

import java.util.Optional;
import org.mavlogd.series.SeriesStore.Source;

/**
 * The log and speed that a client requests.
 *
 * @param log name of the log; empty for the current recording
 * @param recorded the log, if it is not being written
 * @param speed of a recorded log: 1 for that of the flight
 */
public record Opening(String log, Optional<Source> recorded, double speed) {}
