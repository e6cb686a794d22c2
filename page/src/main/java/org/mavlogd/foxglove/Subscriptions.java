package org.mavlogd.foxglove;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which channels of the log a client wants, by which numbers. Changed by the event loop as the client asks, and by the thread that
 * reads; asked by that for each sample, without a lock.
 */
final class Subscriptions {
    static final int MAX_CHANNELS = 4096;
    static final long NONE = -1;

    private final Map<Long, Integer> channelOf = new HashMap<>();
    // Of the channels of the present log; replaced, not changed.
    private volatile long[] idOf = new long[0];
    private volatile boolean hasAny;
    private long firstChannel = 1;
    private int advertised;

    /** Hot path: the client's number for a channel of the log, or NONE. */
    long of(int channel) {
        long[] ids = idOf;
        return channel < ids.length ? ids[channel] : NONE;
    }

    boolean hasAny() {
        return hasAny;
    }

    /** From now on clients know the channels of the log up to this one. */
    synchronized void advertise(int count) {
        advertised = count;
    }

    /** Another log: channels have new numbers from now on. Returns how many there were. */
    synchronized int restart() {
        int count = advertised;
        firstChannel += count;
        advertised = 0;
        channelOf.clear();
        publish();
        return count;
    }

    synchronized long firstChannel() {
        return firstChannel;
    }

    /** Returns what is wrong with it, if anything. */
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

    /** Returns what is wrong with it, if anything. */
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
        hasAny = !channelOf.isEmpty();
        idOf = ids;
    }
}
