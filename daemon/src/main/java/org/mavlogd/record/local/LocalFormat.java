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
    private static final LocalSeries[] NONE = {};
    private static final int SERIES_BYTES = 128;
    // In the lists of a format and of a topic, each with room for those before.
    private static final int INSTANCE_BYTES = 2 * Integer.BYTES;

    private final String name;
    private final String fields;
    private final MemoryShare share;
    private int firstMultiId;
    private boolean shared;
    private @Nullable LocalSeries[] series = NONE;

    /** @param fields as they stand behind the colon of a format message */
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
    LocalSeries take(int instance) {
        if (!share.reserve(SERIES_BYTES + (long) instance * INSTANCE_BYTES)) {
            return null;
        }
        int count = ULogLayout.MAX_MULTI_ID + 1 - firstMultiId;
        for (int i = 0; i < count; i++) {
            LocalSeries each = at(firstMultiId + (instance + i) % count);
            if (!each.isTaken()) {
                each.take();
                return each;
            }
        }
        return null;
    }

    /** The instance with this multi id. */
    LocalSeries at(int multiId) {
        if (multiId >= series.length) {
            series = Arrays.copyOf(series, multiId + 1);
        }
        LocalSeries there = series[multiId];
        if (there == null) {
            there = new LocalSeries(multiId);
            series[multiId] = there;
        }
        return there;
    }

    /** Whether the present file has our subscription of this instance. */
    boolean isSubscribed(int multiId) {
        LocalSeries there = multiId < series.length ? series[multiId] : null;
        return there != null && there.messageId() != LocalSeries.NO_ID;
    }

    /** The vehicle takes the instance: who had it gets another. */
    void giveWay(int multiId) {
        at(multiId); // makes room for it
        LocalSeries vehicles = new LocalSeries(multiId);
        vehicles.take();
        series[multiId] = vehicles;
    }

    boolean isOurs(LocalSeries one) {
        return one.multiId() < series.length && series[one.multiId()] == one && one.multiId() >= firstMultiId;
    }

    /** The vehicle takes the message id: who had it is to be subscribed anew. */
    void giveWayId(int messageId) {
        for (LocalSeries each : series) {
            if (each != null && each.messageId() == messageId) {
                each.messageId(LocalSeries.NO_ID);
            }
        }
    }

    /** A new file has no subscription yet. */
    void onNewFile() {
        for (LocalSeries each : series) {
            if (each != null) {
                each.messageId(LocalSeries.NO_ID);
            }
        }
    }

    /** No instance goes back behind this time. */
    void notBefore(long timeUs) {
        for (LocalSeries each : series) {
            if (each != null) {
                each.notBefore(timeUs);
            }
        }
    }
}
