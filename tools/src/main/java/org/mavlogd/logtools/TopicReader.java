package org.mavlogd.logtools;

import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogHandler;

/** Reads a log together with others, who each want the samples of a few topics: those of all others nobody looks at. */
public interface TopicReader extends ULogHandler {
    /** Whether it takes samples of a topic; asked after {@link #onTopic}. */
    boolean reads(Topic topic);
}
