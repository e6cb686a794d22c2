package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.Feed;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.Forwarder;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;
import org.mavlogd.signing.Signing;

/** Differences of a link that forwards, apart from forwarding. */
class ForwardingLinkTest {
    private static final int QUADROTOR = 2;
    private static final int GROUND_STATION = 6;
    private static final int ATTITUDE = 30;
    private static final int TICKS = 100;
    private static final ConversationSettings SETTINGS =
            new ConversationSettings(0, 191, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5));

    private final Metrics metrics = new Metrics();
    private final FrameEncoder encoder = new FrameEncoder(1);
    private long nowNs;
    private int sends;
    private final Peer peer = new Peer() {
        @Override
        public String address() {
            return "fake";
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            sends++;
        }
    };

    private LinkConversations link(ConversationSettings settings) {
        return link(settings, Signing.LinkParts.OFF);
    }

    private LinkConversations link(ConversationSettings settings, Signing.LinkParts signing) {
        Forwarder forwarder = new Forwarder(false, () -> nowNs, metrics, MemoryShare.unlimited(), 1);
        LinkFeeds feeds = new LinkFeeds(
                "a",
                new Feed("a", 1 << 16).publisher(),
                LinkFeeds.ClockListener.NONE,
                forwarder.add(ForwardRules.of("a"), Dialect.standard()),
                null);
        return new LinkConversations(
                feeds, settings, VehicleLogs.of(new VehicleClaims()), signing, HeardFrames.NONE, metrics);
    }

    private void hear(LinkConversations link, int type, int autopilot) {
        byte[] payload = new byte[255];
        int length = new Heartbeat(type, autopilot, 0, 0, 4).encodePayload(payload);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        link.onBytes(peer, frame, 0, encoder.encode(7, MessageIds.HEARTBEAT, payload, length, frame, 0), nowNs);
    }

    private void pass(LinkConversations link, int type, int autopilot) {
        link.onPeerUp(peer, nowNs);
        for (int i = 0; i < TICKS; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(100);
            hear(link, type, autopilot);
            link.onTick(nowNs);
        }
    }

    /** With record = false the link records no vehicle, so another link can record it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordsVehiclesOnlyWhereThatIsWanted(boolean records) {
        LinkConversations link = link(records ? SETTINGS : SETTINGS.withoutVehicles());

        pass(link, QUADROTOR, Heartbeat.AUTOPILOT_PX4);

        assertThat(link.statuses()).hasSize(records ? 1 : 0);
        assertThat(link.bulk() == null).isEqualTo(!records);
        assertThat(link.mayWait()).isFalse();
        assertThat(link.mayWaitBriefly()).isTrue();
    }

    /** The times of signatures rise among log data and among other frames: only log data may wait. */
    @Test
    void onlyLogDataOfASigningVehicleWaits() {
        Signing.LinkParts signing = new Signing.LinkParts((frame, now) -> Proof.SIGNED, FrameEncoder.Seal.NONE);
        LinkConversations link = link(SETTINGS, signing);

        pass(link, QUADROTOR, Heartbeat.AUTOPILOT_PX4);

        assertThat(link.statuses()).hasSize(1);
        BulkRule rule = Objects.requireNonNull(link.bulk());
        byte[] logData = frame(MessageIds.LOGGING_DATA);
        byte[] attitude = frame(ATTITUDE);
        assertThat(rule.isBulk(logData, logData.length)).isTrue();
        assertThat(rule.isBulk(attitude, attitude.length)).isFalse();
    }

    private static byte[] frame(int messageId) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(1).encode(7, messageId, new byte[1], 1, frame, 0);
        return Arrays.copyOf(frame, length);
    }

    /** The vehicle learns the time from the recorder's heartbeats; until then its own signatures are too old. */
    @Test
    void aVehicleWithOldSignaturesHearsOurHeartbeatsUntilItIsTaken() {
        Signing.LinkParts signing =
                new Signing.LinkParts((frame, now) -> sends > 5 ? Proof.SIGNED : Proof.OLD, FrameEncoder.Seal.NONE);
        LinkConversations link = link(SETTINGS, signing);

        pass(link, QUADROTOR, Heartbeat.AUTOPILOT_PX4);

        assertThat(link.statuses()).hasSize(1);
    }

    /** A ground station is no vehicle, and gets no heartbeat of a component of a vehicle. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGroundStationIsNoVehicleAndHearsNoHeartbeatOfOurs(boolean records) {
        LinkConversations link = link(records ? SETTINGS : SETTINGS.withoutVehicles());

        pass(link, GROUND_STATION, Heartbeat.AUTOPILOT_INVALID);

        assertThat(link.statuses()).isEmpty();
        assertThat(sends).as("before it spoke, only").isLessThanOrEqualTo(2);
        link.onPeerDown(peer, nowNs);
    }
}
