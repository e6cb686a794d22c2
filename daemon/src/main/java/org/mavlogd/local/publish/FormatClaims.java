package org.mavlogd.local.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalFeed;

/**
 * The format of each published topic: the first definition on any socket is valid. Shared by all sources' threads;
 * never blocks. Limited to {@link LocalFeed#MAX_TOPICS}.
 */
public final class FormatClaims {
    private final AtomicReference<Map<String, TopicDefinition>> definitions = new AtomicReference<>(Map.of());

    /** The definition of this name; null if there is none. */
    @Nullable
    TopicDefinition find(String name) {
        return now().get(name);
    }

    private Map<String, TopicDefinition> now() {
        return Objects.requireNonNull(definitions.get(), "never set to null");
    }

    /**
     * Claims a name for a definition; returns the one that has the name now. Null if there is no room for more names.
     */
    @Nullable
    TopicDefinition claim(TopicDefinition wanted) {
        while (true) {
            Map<String, TopicDefinition> now = now();
            TopicDefinition holder = now.get(wanted.name());
            if (holder != null || now.size() == LocalFeed.MAX_TOPICS) {
                return holder;
            }
            Map<String, TopicDefinition> more = new HashMap<>(now);
            more.put(wanted.name(), wanted);
            if (definitions.compareAndSet(now, Map.copyOf(more))) {
                return wanted;
            }
        }
    }
}
