package org.mavlogd.logtools;

import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogHandler;

/**
 * Reads a log for several consumers at once, each for the samples of a few topics; samples of other topics are skipped.
 */
public interface TopicReader extends ULogHandler {
    /** Whether it reads the samples of a topic; called after {@link #onTopic}. */
    boolean reads(Topic topic);
}
