package org.mavlogd.local;

import java.io.IOException;

/**
 * A source that is read at a fixed rate. The {@link Sampler} calls {@link #read} and then {@link #publish}, never two
 * calls at once.
 */
public interface TopicSource extends AutoCloseable {
    /** The name for messages and metrics: {@code system.cpu}. */
    String name();

    /** Time from one sample to the next. */
    long periodNs();

    /**
     * Reads the values. May wait for a device, therefore on another thread; must not publish.
     *
     * @param nowNs when the reading began, by the monotonic clock
     * @throws IOException if nothing could be read; then the next try comes after a longer time
     */
    void read(long nowNs) throws IOException;

    /** Publishes the values of the last {@link #read}. Sampler's thread; must not block. */
    void publish();

    /** Closes open files. */
    @Override
    void close();
}
