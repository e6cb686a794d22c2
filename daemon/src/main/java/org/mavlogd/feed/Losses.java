package org.mavlogd.feed;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Why the last record of each topic of a feed is in no log, if it is in none: the consumer's word to the producer. One thread
 * sets, any thread reads. Hot path: an unchanged reason costs a plain read.
 */
final class Losses {
    private final AtomicReferenceArray<@Nullable String> reasons = new AtomicReferenceArray<>(LocalFeed.TEXTS + 1);

    void set(int topic, String why) {
        if (!why.equals(reasons.getPlain(topic))) {
            reasons.setRelease(topic, why); // pairs with the acquire in get()
        }
    }

    String get(int topic) {
        String why = reasons.getAcquire(topic);
        return why == null ? "" : why;
    }
}
