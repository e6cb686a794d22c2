package org.mavlogd.record.local;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.ULogLayout;

/**
 * A format of local topics as it is called in a log, with the instances that are subscribed under it. It may be the
 * vehicle's: then our instances come behind the vehicle's. Owned by the recorder's thread.
 */
public final class LocalFormat {
    private static final Series[] NONE = {};
    private static final int SERIES_BYTES = 128;
    // In the lists of a format and of a topic, each with room for those before.
    private static final int INSTANCE_BYTES = 2 * Integer.BYTES;

    private final String name;
    private final String fields;
    private final MemoryShare share;
    private int firstMultiId;
    private boolean shared;
    private @Nullable Series[] series = NONE;

    /** @param fields as they are after the colon of a format message */
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

    /** Whether the vehicle defines it, and we only subscribe. */
    boolean isShared() {
        return shared;
    }

    /** The vehicle defines it, and has multi ids up to this one so far. */
    void share(int highestMultiId) {
        shared = true;
        firstMultiId = Math.max(firstMultiId, Math.max(highestMultiId + 1, LocalMarks.FIRST_SHARED_MULTI_ID));
    }

    /** An instance that nobody has, as near behind the wanted one as possible; null when there is none, or no memory. */
    @Nullable
    Series take(int instance) {
        int multiId = freeMultiId(instance);
        if (multiId < 0 || !share.reserve(SERIES_BYTES + (long) instance * INSTANCE_BYTES)) {
            return null;
        }
        Series free = at(multiId);
        free.take();
        return free;
    }

    /** Negative when there is none. Hot path: whoever got none asks again with each sample. */
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

    /** The instance with this multi id. */
    Series at(int multiId) {
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

    /** Whether the present file has our subscription of this instance. */
    boolean isSubscribed(int multiId) {
        Series there = multiId < series.length ? series[multiId] : null;
        return there != null && there.messageId() != Series.NO_ID;
    }

    /** The vehicle takes the instance: who had it gets another. */
    void giveWay(int multiId) {
        at(multiId); // makes room for it
        Series vehicles = new Series(multiId);
        vehicles.take();
        series[multiId] = vehicles;
    }

    boolean isOurs(Series one) {
        return one.multiId() < series.length && series[one.multiId()] == one && one.multiId() >= firstMultiId;
    }

    /** The vehicle takes the message id: who had it is to be subscribed again. */
    void giveWayId(int messageId) {
        for (Series each : series) {
            if (each != null && each.messageId() == messageId) {
                each.messageId(Series.NO_ID);
            }
        }
    }

    /** A new file has no subscription yet. */
    void onNewFile() {
        for (Series each : series) {
            if (each != null) {
                each.messageId(Series.NO_ID);
            }
        }
    }

    /** No instance goes back behind this time. */
    void notBefore(long timeUs) {
        for (Series each : series) {
            if (each != null) {
                each.notBefore(timeUs);
            }
        }
    }

    /**
     * One instance of a local topic in a log: its multi id, and in the present file its message id. Owned by the
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

        /** {@link #NO_ID} while it is not subscribed in the present file. */
        public int messageId() {
            return messageId;
        }

        public void messageId(int id) {
            messageId = id;
        }

        /** Whether somebody has this instance: a source of ours, or the vehicle. */
        boolean isTaken() {
            return taken;
        }

        void take() {
            taken = true;
        }

        /** From here on times are not before this one. */
        void notBefore(long timeUs) {
            lastUs = Math.max(lastUs, timeUs);
        }

        /** The time to be written for a sample of this time: times of a series never run backwards. */
        public long next(long timeUs) {
            lastUs = Math.max(lastUs, timeUs);
            return lastUs;
        }
    }
}
