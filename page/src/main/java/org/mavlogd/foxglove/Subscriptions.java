package org.mavlogd.foxglove;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The channels that a client has subscribed, with the client's numbers. Changed by the event loop on requests of the
 * client, and by the reading thread, which queries it for each sample without a lock.
 */
final class Subscriptions {
    static final int MAX_CHANNELS = 4096;
    static final long NONE = -1;

    private final Map<Long, Integer> channelOf = new HashMap<>();
    // For the channels of the current log; replaced, never changed.
    private volatile long[] idOf = new long[0];
    private volatile int count;
    private long firstChannel = 1;
    private int advertised;

    /** The client's number for a channel of the log, or NONE. Hot path. */
    long of(int channel) {
        long[] ids = idOf;
        return channel < ids.length ? ids[channel] : NONE;
    }

    /** Number of channels of the current log that are subscribed. */
    int count() {
        return count;
    }

    /** Makes the channels of the log up to this one known. */
    synchronized void advertise(int count) {
        advertised = count;
    }

    /** Starts another log with new numbers of channels. Returns the number of previous ones. */
    synchronized int restart() {
        int previous = advertised;
        firstChannel += previous;
        advertised = 0;
        channelOf.clear();
        publish();
        return previous;
    }

    synchronized long firstChannel() {
        return firstChannel;
    }

    /** Returns the problem; empty if there is none. */
    synchronized Optional<String> subscribe(long id, long channelId) {
        long channel = channelId - firstChannel;
        if (channel < 0 || channel >= advertised) {
            return Optional.of("there is no channel " + channelId);
        }
        if (channelOf.containsKey(id)) {
            return Optional.of("subscription " + id + " is there already");
        }
        if (channelOf.containsValue((int) channel)) {
            return Optional.of("channel " + channelId + " is subscribed already");
        }
        channelOf.put(id, (int) channel);
        publish();
        return Optional.empty();
    }

    /** Returns the problem; empty if there is none. */
    synchronized Optional<String> unsubscribe(long id) {
        if (channelOf.remove(id) == null) {
            return Optional.of("there is no subscription " + id);
        }
        publish();
        return Optional.empty();
    }

    private void publish() {
        long[] ids = new long[advertised];
        Arrays.fill(ids, NONE);
        channelOf.forEach((id, channel) -> ids[channel] = id);
        count = channelOf.size();
        idOf = ids;
    }
}
