package org.mavlogd.local.heard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which instance of a topic belongs to which sender: from 0 in the order in which they are heard, for as long as the program
 * runs. A sender that is heard on two links has two. Shared by all links' threads, which ask once for each sender of a
 * message; never waits.
 */
public final class HeardInstances {
    /** What {@link #of} says when a topic has all its instances. */
    static final int NONE = -1;

    private static final int INSTANCES = 256;

    private record Holder(String link, int sender) {}

    private final ConcurrentHashMap<String, AtomicReferenceArray<@Nullable Holder>> topics = new ConcurrentHashMap<>();

    /** The instance, 0 to 255, or {@link #NONE}. */
    int of(String topic, String link, int sender) {
        Holder wanted = new Holder(link, sender);
        AtomicReferenceArray<@Nullable Holder> holders =
                topics.computeIfAbsent(topic, name -> new AtomicReferenceArray<>(INSTANCES));
        for (int instance = 0; instance < INSTANCES; instance++) {
            if (holders.compareAndSet(instance, null, wanted) || wanted.equals(holders.get(instance))) {
                return instance;
            }
        }
        return NONE;
    }
}
