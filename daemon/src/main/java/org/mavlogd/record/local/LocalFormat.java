package org.mavlogd.record.local;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.ULogLayout;

/**
 * A format of local topics under its name in a log, with the instances that are subscribed under it. If it is the
 * vehicle's format, local instances get multi ids after the vehicle's. Owned by the recorder's thread.
 */
public final class LocalFormat {
    private static final Series[] NONE = {};
    private static final int SERIES_BYTES = 128;
    // For each lower instance, in the lists of a format and of a topic.
    private static final int INSTANCE_BYTES = Integer.BYTES;

    private final String name;
    private final String fields;
    private final MemoryShare share;
    private int firstMultiId;
    private boolean shared;
    private @Nullable Series[] series = NONE;

    /** @param fields as after the colon of a format message */
    LocalFormat(String name, String fields, MemoryShare share) {
        this.name = name;
        this.fields = fields;
        this.share = share;
    }

    public String name() {
        return name;
    }

    String fields() {
        return fields;
    }

    /** Whether the vehicle defines the format, and local topics only subscribe it. */
    boolean isShared() {
        return shared;
    }

    /** The vehicle defines the format, and uses multi ids up to this one so far. */
    void share(int highestMultiId) {
        shared = true;
        firstMultiId = Math.max(firstMultiId, Math.max(highestMultiId + 1, LocalMarks.FIRST_SHARED_MULTI_ID));
    }

    /** Takes a free instance, as close after the wanted one as possible; null if there is none, or no memory. */
    @Nullable
    Series take(int instance) {
        int multiId = freeMultiId(instance);
        if (multiId < 0 || !share.reserve(SERIES_BYTES + (long) (multiId + instance) * INSTANCE_BYTES)) {
            return null;
        }
        Series free = at(multiId);
        free.take();
        return free;
    }

    /** Negative if there is none. Hot path: a topic without an instance asks again with each sample. */
    private int freeMultiId(int instance) {
        int count = ULogLayout.MAX_MULTI_ID + 1 - firstMultiId;
        for (int i = 0; i < count; i++) {
            int multiId = firstMultiId + (instance + i) % count;
            Series there = multiId < series.length ? series[multiId] : null;
            if (there == null || !there.isTaken()) {
                return multiId;
            }
        }
        return -1;
    }

    /** Notes a subscription in a file of an earlier run; without memory it is subscribed again later. */
    void resume(int multiId, int messageId) {
        if (share.reserve(SERIES_BYTES + (long) multiId * INSTANCE_BYTES)) {
            at(multiId).messageId(messageId);
        }
    }

    /** The instance with this multi id. */
    private Series at(int multiId) {
        if (multiId >= series.length) {
            series = Arrays.copyOf(series, multiId + 1);
        }
        Series there = series[multiId];
        if (there == null) {
            there = new Series(multiId);
            series[multiId] = there;
        }
        return there;
    }

    /** Whether the current file has a local subscription of this instance. */
    boolean isSubscribed(int multiId) {
        Series there = multiId < series.length ? series[multiId] : null;
        return there != null && there.messageId() != Series.NO_ID;
    }

    /** The vehicle takes the instance: a local topic that had it gets another. */
    void giveWay(int multiId) {
        at(multiId); // makes room for it
        Series vehicles = new Series(multiId);
        vehicles.take();
        series[multiId] = vehicles;
    }

    boolean isOurs(Series one) {
        return one.multiId() < series.length && series[one.multiId()] == one && one.multiId() >= firstMultiId;
    }

    /** The vehicle takes the message id: a local topic that had it must be subscribed again. */
    void giveWayId(int messageId) {
        for (Series each : series) {
            if (each != null && each.messageId() == messageId) {
                each.messageId(Series.NO_ID);
            }
        }
    }

    /** A new file has no local subscriptions yet. */
    void onNewFile() {
        for (Series each : series) {
            if (each != null) {
                each.messageId(Series.NO_ID);
            }
        }
    }

    /** Sets a lower bound for the times of all instances. */
    void notBefore(long timeUs) {
        for (Series each : series) {
            if (each != null) {
                each.notBefore(timeUs);
            }
        }
    }

    /**
     * One instance of a local topic in a log: its multi id, and its message id in the current file. Owned by the
     * recorder's thread.
     */
    public static final class Series {
        public static final int NO_ID = -1;

        private final int multiId;
        private int messageId = NO_ID;
        private long lastUs;
        private boolean taken;

        Series(int multiId) {
            this.multiId = multiId;
        }

        public int multiId() {
            return multiId;
        }

        /** {@link #NO_ID} while it is not subscribed in the current file. */
        public int messageId() {
            return messageId;
        }

        public void messageId(int id) {
            messageId = id;
        }

        /** Whether a local source or the vehicle has this instance. */
        boolean isTaken() {
            return taken;
        }

        void take() {
            taken = true;
        }

        /** Sets a lower bound for times. */
        void notBefore(long timeUs) {
            lastUs = Math.max(lastUs, timeUs);
        }

        /** The time to write for a sample of this time: the times of a series never decrease. */
        public long next(long timeUs) {
            lastUs = Math.max(lastUs, timeUs);
            return lastUs;
        }
    }
}
