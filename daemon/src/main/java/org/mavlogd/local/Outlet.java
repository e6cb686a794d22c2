package org.mavlogd.local;

import java.util.Map;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.ulog.TopicFormat;

/**
 * Publishes one source's samples into its feed, and counts them. Owned by the thread that owns the feed's publisher.
 */
public final class Outlet {
    private final String source;
    private final LocalPublisher publisher;
    private final Counter samples;
    private final Counter lost;

    /** @param source its name in the metrics */
    public Outlet(String source, LocalPublisher publisher, Metrics metrics) {
        this.source = source;
        this.publisher = publisher;
        this.samples = metrics.counter("local.samples", "Samples published by this computer", "source", source);
        this.lost = metrics.counter(
                "local.lost.samples", "Samples lost because the source's ring was full", "source", source);
    }

    /** The source's name. */
    public String source() {
        return source;
    }

    /** Whether another topic can be declared. */
    public boolean hasRoom() {
        return publisher.remainingTopics() > 0;
    }

    /** Reserves the memory of a topic before it is declared; see {@link LocalPublisher#reserve}. */
    public boolean reserve(TopicFormat format) {
        return publisher.reserve(format);
    }

    /** Releases the memory reserved for a topic that is not declared after all. */
    public void release(TopicFormat format) {
        publisher.release(format);
    }

    /** Declares a topic before its samples are published. See {@link LocalPublisher#declare}. */
    public LocalSample declare(TopicFormat format, Map<String, String> units) {
        return publisher.declare(format, units);
    }

    /** Publishes a filled sample, or counts it if there is no room. */
    public void publish(LocalSample sample) {
        count(sample.publish());
    }

    /**
     * Publishes a sample from its bytes as in the log, or counts it if there is no room.
     *
     * @return whether there was room
     * @see LocalSample#publishRaw
     */
    public boolean publishRaw(LocalSample sample, int instance, long takenNs, byte[] values, int offset) {
        return count(sample.publishRaw(instance, takenNs, values, offset));
    }

    /**
     * The current position of the feed: the recorder has taken all samples so far when {@link #isTaken} of it is true.
     */
    public long position() {
        return publisher.position();
    }

    /** See {@link LocalPublisher#isTaken}. */
    public boolean isTaken(long position) {
        return publisher.isTaken(position);
    }

    /** See {@link LocalPublisher#loss}. */
    public String loss(int topic) {
        return publisher.loss(topic);
    }

    private boolean count(boolean published) {
        if (published) {
            samples.increment();
        } else {
            lost.increment();
        }
        return published;
    }
}
