package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.mavlink.Heartbeat;

class VehicleEventsTest implements StrictFeedHandler {
    private static final int ARMED = 0x80;
    private static final int STANDBY = 3;
    private static final int ACTIVE = 4;
    private static final int CRITICAL = 5;
    private static final int EMERGENCY = 6;
    private static final long UNIX_US = 1_795_269_839_000_000L;

    private final Feed feed = new Feed("test", 4096);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed.Consumer consumer = feed.consumer(this);
    private final VehicleEvents events = new VehicleEvents(3, 1, publisher, heartbeat(0, STANDBY));
    private final List<String> heard = new ArrayList<>();

    private static Heartbeat heartbeat(int baseMode, int state) {
        return new Heartbeat(2, Heartbeat.AUTOPILOT_PX4, baseMode, 0, state);
    }

    @Test
    void tellsArmingAndFailsafeOnce() {
        events.onHeartbeat(heartbeat(0, STANDBY), 1);
        events.onHeartbeat(heartbeat(ARMED, ACTIVE), 2);
        events.onHeartbeat(heartbeat(ARMED, ACTIVE), 3);
        events.onHeartbeat(heartbeat(ARMED, CRITICAL), 4);
        events.onHeartbeat(heartbeat(ARMED, CRITICAL), 5);
        events.onHeartbeat(heartbeat(ARMED, EMERGENCY), 6);
        events.onHeartbeat(heartbeat(0, STANDBY), 7);
        events.onTick(8);
        consumer.drain(100);

        assertThat(heard).containsExactly("3.1 ARMED 0 2", "3.1 FAILSAFE 0 4", "3.1 FAILSAFE 0 6", "3.1 DISARMED 0 7");
    }

    @Test
    void tellsCriticalTextsAndNoOthers() {
        events.onText(3, 1);
        events.onText(7, 2);
        events.onTick(3);
        for (int severity = 0; severity <= 2; severity++) {
            events.onText(severity, (severity + 1) * 100_000_000L);
        }
        consumer.drain(100);

        assertThat(heard)
                .containsExactly(
                        "3.1 CRITICAL_TEXT 0 100000000",
                        "3.1 CRITICAL_TEXT 0 200000000",
                        "3.1 CRITICAL_TEXT 0 300000000");
        assertThat(events.isWaiting()).isFalse();
    }

    @Test
    void tellsTheFirstOfManyTextsAtOnceAndTheOthersAtTheNextTick() {
        events.onText(2, 100);
        events.onText(1, 101);
        events.onText(0, 102);
        assertThat(events.isWaiting()).isTrue();
        events.onTick(200);
        events.onTick(300);
        consumer.drain(100);

        assertThat(heard).containsExactly("3.1 CRITICAL_TEXT 0 100", "3.1 CRITICAL_TEXT 0 200");
        assertThat(events.isWaiting()).isFalse();
    }

    @Test
    void aTextDoesNotReplaceArmingThatDidNotFitIntoTheRing() {
        while (publisher.sessionEnd(1, SessionEnd.STOPPED, 0, 0)) {
            // until it is full
        }
        events.onHeartbeat(heartbeat(ARMED, STANDBY), 1);
        events.onText(2, 2);
        consumer.drain(1000);
        heard.clear();
        events.onText(2, 3);
        events.onTick(4);
        consumer.drain(100);

        assertThat(heard).containsExactly("3.1 ARMED 0 4");
    }

    @Test
    void tellsTheVehiclesTimeOnceASecond() {
        events.onUnixTime(0, 0);
        for (int i = 0; i < 1000; i++) {
            events.onUnixTime(UNIX_US + i, TimeUnit.MILLISECONDS.toNanos(i));
        }
        events.onUnixTime(UNIX_US + 1_000_000, TimeUnit.SECONDS.toNanos(1));
        consumer.drain(100);

        assertThat(heard)
                .containsExactly("3.1 TIME " + UNIX_US + " 0", "3.1 TIME " + (UNIX_US + 1_000_000) + " 1000000000");
    }

    @Test
    void tellsAgainWhatDidNotFitIntoTheRing() {
        while (publisher.sessionEnd(1, SessionEnd.STOPPED, 0, 0)) {
            // until the ring is full
        }
        events.onHeartbeat(heartbeat(ARMED, ACTIVE), 1);
        events.onTick(2);
        consumer.drain(1000);
        assertThat(heard).isEmpty();

        events.onTick(3);
        events.onTick(4);
        consumer.drain(1000); // to the end of the ring's memory
        consumer.drain(1000);

        assertThat(heard).containsExactly("3.1 ARMED 0 3");
    }

    @Override
    public void onSessionEnd(int session, SessionEnd reason, int ringDropped, long nowNs) {
        // They only fill the ring.
    }

    @Override
    public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {
        heard.add(systemId + "." + componentId + " " + event + " " + value + " " + nowNs);
    }
}
