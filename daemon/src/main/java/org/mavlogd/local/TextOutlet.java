package org.mavlogd.local;

import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Publishes one source's log messages into its feed, and counts them. Each becomes one readable line of at most
 * {@link LocalPublisher#MAX_TEXT_BYTES}. Messages beyond the limits of their tag, or without room in the ring, are
 * counted and reported: within a second a message of the same tag has their number.
 *
 * <p>Owned by the thread that owns the feed's publisher. Never logs, because a logged line may come back as a message.
 */
public final class TextOutlet {
    /** The names of tags, and how many messages each source may publish under each tag. */
    public record Settings(TagMap tags, TextLimiter.Limits limits) {}

    private static final int MAX_SPEAKER_LENGTH = 64;
    private static final long TELL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** Counters of one tag. */
    private record TagCounters(Counter published, Counter leftOut, Counter lost) {}

    private final String source;
    private final LocalPublisher publisher;
    private final TagMap tags;
    private final TextLimiter.Limits limits;
    private final Metrics metrics;
    private final TextLimiter limiter;
    private final TextLimiter.Listener teller = this::tellLeftOut;
    private final Counter empty;
    private final Int2ObjectHashMap<TagCounters> counters = new Int2ObjectHashMap<>();
    private final StringBuilder line = new StringBuilder();
    private boolean ticked;
    private long toldNs;

    /** @param source its name in the metrics and in messages about dropped messages */
    public TextOutlet(
            String source, LocalPublisher publisher, TagMap tags, TextLimiter.Limits limits, Metrics metrics) {
        this.source = source;
        this.publisher = publisher;
        this.tags = tags;
        this.limits = limits;
        this.metrics = metrics;
        this.limiter = new TextLimiter(limits);
        this.empty = metrics.counter("local.empty.texts", "Messages without any character", "source", source);
    }

    /** The names of tags. */
    public TagMap tags() {
        return tags;
    }

    /** Publishes a message; the same as {@code text(level, tag, takenNs, "", text)}. */
    public void text(LogLevel level, int tag, long takenNs, CharSequence text) {
        text(level, tag, takenNs, "", text);
    }

    /**
     * Publishes a message, or counts it if it is dropped.
     *
     * @param tag one of {@link #tags}
     * @param takenNs monotonic time of the message
     * @param speaker the program that sent it, put before it with a colon; may be empty
     */
    public void text(LogLevel level, int tag, long takenNs, CharSequence speaker, CharSequence text) {
        if (!limiter.admit(tag, takenNs)) {
            of(tag).leftOut.increment();
            return;
        }
        line.setLength(0);
        if (speaker.length() > 0) {
            ReadableText.append(speaker, MAX_SPEAKER_LENGTH, line);
            line.append(": ");
        }
        int begin = line.length();
        ReadableText.append(text, LocalPublisher.MAX_TEXT_BYTES, line);
        if (line.length() == begin) {
            empty.increment();
            return;
        }
        publish(level, tag, takenNs);
    }

    private void publish(LogLevel level, int tag, long takenNs) {
        if (publisher.text(level, tag, takenNs, line)) {
            of(tag).published.increment();
        } else {
            of(tag).lost.increment();
            limiter.leaveOut(tag, takenNs);
        }
    }

    /** Reports dropped messages, at most once a second; called some times a second. */
    public void tick(long nowNs) {
        if (ticked && nowNs - toldNs < TELL_INTERVAL_NS) {
            return;
        }
        ticked = true;
        toldNs = nowNs;
        limiter.tell(teller);
    }

    private boolean tellLeftOut(int tag, long count, long lastNs) {
        line.setLength(0);
        line.append(count)
                .append(count == 1 ? " message of " : " messages of ")
                .append(source)
                .append(" left out; the limit is ")
                .append(limits.maxPerS())
                .append(" a second");
        return publisher.text(LogLevel.WARNING, tag, lastNs, line);
    }

    private TagCounters of(int tag) {
        TagCounters known = counters.get(tag);
        if (known == null) {
            String name = tags.name(tag).orElseThrow(() -> new IllegalArgumentException("no tag " + tag));
            known = new TagCounters(
                    counter("local.texts", "Messages published by this computer", name),
                    counter("local.left.out.texts", "Messages beyond the limits of their tag", name),
                    counter("local.lost.texts", "Messages lost because the source's ring was full", name));
            counters.put(tag, known);
        }
        return known;
    }

    private Counter counter(String name, String help, String tag) {
        return metrics.counter(name, help, "source", source, "tag", tag);
    }
}
