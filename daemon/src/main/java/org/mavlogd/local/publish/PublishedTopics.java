package org.mavlogd.local.publish;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.Outlet;

/**
 * The topics of one source, found by name or by handle without allocation. Topics that another source defined are added
 * when a program first uses them here. Owned by the source's thread.
 */
final class PublishedTopics {
    private static final int BUCKETS = 4096; // a power of two; with all topics a quarter of them is taken
    private static final int HANDLE_BITS = 16;

    private final Outlet outlet;
    private final FormatClaims claims;
    private final boolean infers;
    private final int firstHandle;
    private final List<PublishedTopic> byIndex = new ArrayList<>();
    private final @Nullable PublishedTopic[] byName = new @Nullable PublishedTopic[BUCKETS];
    private @Nullable PublishedTopic last;

    /**
     * Starts without topics.
     *
     * @param seed makes handles of this run differ from those of others, so that old handles are detected
     */
    PublishedTopics(Outlet outlet, FormatClaims claims, boolean infers, int seed) {
        this.outlet = outlet;
        this.claims = claims;
        this.infers = infers;
        this.firstHandle = seed << HANDLE_BITS;
    }

    int count() {
        return byIndex.size();
    }

    /** The topic of this name, if it was used here before. Hot path. */
    @Nullable
    PublishedTopic find(char[] name, int offset, int length) {
        PublishedTopic latest = last;
        if (latest != null && latest.isNamed(name, offset, length)) {
            return latest;
        }
        int bucket = bucket(name, offset, length);
        for (PublishedTopic topic = byName[bucket]; topic != null; topic = byName[bucket]) {
            if (topic.isNamed(name, offset, length)) {
                last = topic;
                return topic;
            }
            bucket = (bucket + 1) & (BUCKETS - 1);
        }
        return null;
    }

    private static int bucket(char[] name, int offset, int length) {
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + name[i];
        }
        return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
    }

    /** Describes an index, for messages. */
    String describe(int index) {
        return index == LocalFeed.TEXTS
                ? "the text"
                : "topic " + BadLineException.quote(byIndex.get(index).name());
    }

    /** The topic of this handle; null if there is none. Hot path. */
    @Nullable
    PublishedTopic ofHandle(int handle) {
        int index = handle - firstHandle;
        return index >= 0 && index < byIndex.size() ? byIndex.get(index) : null;
    }

    /** The topic of this name, if it was defined on another socket. */
    @Nullable
    PublishedTopic known(String name) throws BadLineException {
        TopicDefinition definition = claims.find(name);
        return definition == null ? null : declareWithin(definition);
    }

    /** Refuses an undefined topic if the settings do not allow it. */
    void checkInference(String name) throws BadLineException {
        if (!infers) {
            throw new BadLineException(
                    BadLineException.Fault.TOPIC,
                    "topic " + BadLineException.quote(name)
                            + " is not known: declare it by [[topic]] in the configuration, or send a "
                            + "\"define\" line first");
        }
    }

    /** The topic with this definition; defining it again in the same way changes nothing. */
    PublishedTopic define(TopicDefinition wanted) throws BadLineException {
        PublishedTopic known = find(wanted.name());
        if (known != null && known.definition().equals(wanted)) {
            return known;
        }
        if (!outlet.reserve(wanted.format())) {
            throw noMemory(wanted.name());
        }
        try {
            return declare(claimed(wanted));
        } catch (BadLineException e) {
            outlet.release(wanted.format());
            throw e;
        }
    }

    private @Nullable PublishedTopic find(String name) {
        char[] characters = name.toCharArray();
        return find(characters, 0, characters.length);
    }

    private TopicDefinition claimed(TopicDefinition wanted) throws BadLineException {
        TopicDefinition holder = claims.claim(wanted);
        if (holder == null) {
            throw full(wanted.name());
        }
        if (!holder.equals(wanted)) {
            String units = holder.text().equals(wanted.text()) ? " and other units" : "";
            throw new BadLineException(
                    BadLineException.Fault.TOPIC,
                    "topic " + BadLineException.quote(wanted.name()) + " has the format " + holder.text() + units
                            + " until mavlogd ends; found " + wanted.text());
        }
        return holder;
    }

    private PublishedTopic declareWithin(TopicDefinition definition) throws BadLineException {
        if (!outlet.reserve(definition.format())) {
            throw noMemory(definition.name());
        }
        try {
            return declare(definition);
        } catch (BadLineException e) {
            outlet.release(definition.format());
            throw e;
        }
    }

    private PublishedTopic declare(TopicDefinition definition) throws BadLineException {
        char[] name = definition.name().toCharArray();
        if (!outlet.hasRoom()) {
            throw full(definition.name());
        }
        PublishedTopic topic = new PublishedTopic(
                definition, outlet.declare(definition.format(), definition.units()), firstHandle + byIndex.size());
        byIndex.add(topic);
        int bucket = bucket(name, 0, name.length);
        while (byName[bucket] != null) {
            bucket = (bucket + 1) & (BUCKETS - 1);
        }
        byName[bucket] = topic;
        return topic;
    }

    private static BadLineException noMemory(String name) {
        return new BadLineException(
                BadLineException.Fault.TOPIC,
                "topic " + BadLineException.quote(name)
                        + ": the memory budget has no room for it; publish fewer topics or fewer fields, "
                        + "or give mavlogd a larger heap");
    }

    private static BadLineException full(String name) {
        return new BadLineException(
                BadLineException.Fault.TOPIC,
                "topic " + BadLineException.quote(name) + ": there are " + LocalFeed.MAX_TOPICS
                        + " topics already, and no room for more");
    }
}
