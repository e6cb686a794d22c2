package org.mavlogd.logtools;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value for each message id of a log. Small at first: most logs have fewer than 256 subscriptions, and an array for all ids costs
 * a short command a garbage collection. Owned by one thread.
 */
public final class ByMessageId<T> {
    private static final int FIRST_IDS = 256;
    private static final int IDS = 65_536;

    private @Nullable Object[] values = new Object[FIRST_IDS];

    /** The value of an id; null if it has none. Hot path. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(int messageId) {
        return messageId < values.length ? (T) values[messageId] : null;
    }

    /** Sets the value of an id from 0 to 65535. */
    public void put(int messageId, @Nullable T value) {
        if (messageId >= values.length) {
            values = Arrays.copyOf(values, IDS);
        }
        values[messageId] = value;
    }
}
