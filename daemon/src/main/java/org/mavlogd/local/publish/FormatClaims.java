package org.mavlogd.local.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalFeed;

/**
 * Which format each published topic has: the first definition counts, on any socket. Shared by all sources'
 * threads; never waits. Bounded to {@link LocalFeed#MAX_TOPICS}.
 */
public final class FormatClaims {
    private final AtomicReference<Map<String, TopicDefinition>> definitions = new AtomicReference<>(Map.of());

    /** The definition of this name; null when there is none. */
    @Nullable
    TopicDefinition find(String name) {
        return now().get(name);
    }

    private Map<String, TopicDefinition> now() {
        return Objects.requireNonNull(definitions.get(), "never set to null");
    }

    /** Claims a name for a definition; returns the one that has it now. Null when there is no room for more names. */
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
