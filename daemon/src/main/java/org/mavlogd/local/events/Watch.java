package org.mavlogd.local.events;

import org.mavlogd.ulog.LogLevel;

/** Looks at figures that nobody logs each change of, and says what is worth a text. Called once a second on one thread. */
@FunctionalInterface
public interface Watch {
    /** Takes what is worth a text. */
    @FunctionalInterface
    interface Listener {
        /**
         * Something happened.
         *
         * @param tag one of the specification's names, such as {@link org.mavlogd.tags.TagMap#ULG}
         */
        void onEvent(LogLevel level, String tag, String text);
    }

    /** Must not wait. */
    void look(long nowNs, Listener listener);
}
