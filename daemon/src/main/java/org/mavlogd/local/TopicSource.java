package org.mavlogd.local;

import java.io.IOException;

/**
 * A source that is measured at a fixed rate. The {@link Sampler} calls {@link #read} and then {@link #publish}, never two
 * calls at once.
 */
public interface TopicSource extends AutoCloseable {
    /** For messages and metrics: {@code system.cpu}. */
    String name();

    /** Time from one sample to the next. */
    long periodNs();

    /**
     * Takes the values. May wait for a device, therefore on a thread of its own; must not publish.
     *
     * @param nowNs when the reading began, by the monotonic clock
     * @throws IOException when nothing could be read; this source is then asked again after a longer time
     */
    void read(long nowNs) throws IOException;

    /** Publishes what the last {@link #read} took. On the sampler's thread; must not wait. */
    void publish();

    /** Gives back what is open. */
    @Override
    void close();
}
