package org.mavlogd.local.heard;

import java.util.Arrays;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.time.ClockState;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.vehicle.LinkFeeds;

/**
 * {@code companion_timesync}: the comparison of the vehicles' clocks on one link with this computer's. Vehicles are
 * instances, numbered in the order in which their clocks became known; a vehicle that comes back gets its number again.
 * Owned by the link's thread.
 */
public final class ClockTopic implements LinkFeeds.ClockListener {
    private static final int SYSTEM_IDS = 256;
    private static final int NONE = -1;

    private final Outlet outlet;
    private final LocalSample sample;
    private final int[] instances = new int[SYSTEM_IDS];
    private int count;

    /** Declares the topic. */
    public ClockTopic(String link, LocalPublisher publisher, Metrics metrics) {
        outlet = new Outlet("link." + link, publisher, metrics);
        sample = TopicBuilder.of("companion_timesync")
                .field(FieldType.INT64, "offset", "us")
                .field(FieldType.FLOAT, "error_bound", "s")
                .field(FieldType.FLOAT, "round_trip", "s")
                .field(FieldType.FLOAT, "drift", "ppm")
                .field(FieldType.UINT16, "samples")
                .field(FieldType.UINT16, "jumps")
                .field(FieldType.UINT16, "reboots")
                .field(FieldType.UINT8, "source")
                .field(FieldType.UINT8, "system_id")
                .field(FieldType.UINT8, "component_id")
                .declare(outlet);
        Arrays.fill(instances, NONE);
    }

    @Override
    public void onClock(int systemId, int componentId, ClockState clock, long nowNs) {
        if (instances[systemId] == NONE) {
            instances[systemId] = count;
            count++;
        }
        outlet.publish(sample.begin(instances[systemId], nowNs)
                .integer(clock.offsetUs())
                .float32((float) clock.errorBoundS())
                .float32((float) clock.roundTripS())
                .float32((float) clock.driftPpm())
                .integer(clock.samples())
                .integer(clock.jumps())
                .integer(clock.reboots())
                .integer(clock.source().code())
                .integer(systemId)
                .integer(componentId));
    }
}
