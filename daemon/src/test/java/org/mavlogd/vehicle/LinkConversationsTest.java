package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.link.Peer;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MavCommand;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;

class LinkConversationsTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int QUADROTOR = 2;

    private final VehicleClaims claims = new VehicleClaims();
    private final LinkConversations link = newLink("a");
    private final LinkConversations other = newLink("b");
    private long nowNs = TimeUnit.SECONDS.toNanos(500);

    private LinkConversations newLink(String name) {
        return new LinkConversations(
                name,
                new ConversationSettings(0, 191, RecordingMode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                claims,
                new Feed(name, 1 << 16).publisher(),
                new Metrics());
    }

    /** Writes down what it is sent: message id and the system id it came from. */
    private static final class FakePeer implements Peer {
        private final List<String> sent = new ArrayList<>();

        @Override
        public String address() {
            return "fake";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            int id = (buffer[offset + 7] & 0xFF) | (buffer[offset + 8] & 0xFF) << 8;
            int command = id == MessageIds.COMMAND_LONG
                    ? (buffer[offset + 38] & 0xFF) | (buffer[offset + 39] & 0xFF) << 8
                    : 0;
            String what = command == MavCommand.LOGGING_START ? "START" : command == 0 ? String.valueOf(id) : "STOP";
            sent.add(what + " as " + (buffer[offset + 5] & 0xFF));
        }

        private long sent(String what) {
            return sent.stream().filter(what::equals).count();
        }
    }

    private void heartbeat(LinkConversations to, Peer from, int systemId) {
        byte[] payload = new byte[255];
        int length = new Heartbeat(QUADROTOR, Heartbeat.AUTOPILOT_PX4, 0, 0, 4).encodePayload(payload);
        frame(to, from, systemId, MessageIds.HEARTBEAT, payload, length);
    }

    private void frame(LinkConversations to, Peer from, int systemId, int id, byte[] payload, int length) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int frameLength = new FrameEncoder(1).encode(systemId, id, payload, length, frame, 0);
        to.onBytes(from, frame, 0, frameLength, nowNs);
    }

    private void startAnswer(LinkConversations to, Peer from, int result) {
        byte[] payload = {
            (byte) MavCommand.LOGGING_START,
            (byte) (MavCommand.LOGGING_START >> 8),
            (byte) result,
            0,
            0,
            0,
            0,
            0,
            1,
            (byte) 191
        };
        frame(to, from, 1, MessageIds.COMMAND_ACK, payload, payload.length);
    }

    private void pass(long ms, Runnable each) {
        for (long passed = 0; passed < ms; passed += 100) {
            nowNs += 100 * MILLISECOND_NS;
            each.run();
            link.onTick(nowNs);
            other.onTick(nowNs);
        }
    }

    @Test
    void speaksFirstAndOnceASecond() {
        FakePeer peer = new FakePeer();
        link.onPeerUp(peer, nowNs);
        assertThat(peer.sent).containsExactly("0 as 1");

        pass(10_000, () -> {});

        assertThat(peer.sent("0 as 1")).isBetween(10L, 12L);
    }

    @Test
    void speaksUnderTheIdsOfTheVehicles() {
        FakePeer peer = new FakePeer();
        link.onPeerUp(peer, nowNs);
        pass(2_000, () -> {
            heartbeat(link, peer, 7);
            heartbeat(link, peer, 9);
        });

        assertThat(peer.sent).contains("0 as 7", "0 as 9", "START as 7", "START as 9");
        assertThat(link.statuses()).extracting(VehicleStatus::systemId).containsExactly(7, 9);
    }

    @Test
    void followsAVehicleToANewConnectionAtOnce() {
        FakePeer first = new FakePeer();
        FakePeer second = new FakePeer();
        link.onPeerUp(first, nowNs);
        pass(500, () -> heartbeat(link, first, 1));

        link.onPeerDown(first, nowNs);
        link.onPeerUp(second, nowNs);
        pass(3_000, () -> heartbeat(link, second, 1));

        assertThat(second.sent("START as 1")).isPositive();
    }

    @Test
    void followsAVehicleToANewAddressWhenTheOldOneIsQuiet() {
        FakePeer first = new FakePeer();
        FakePeer second = new FakePeer();
        link.onPeerUp(first, nowNs);
        link.onPeerUp(second, nowNs);
        pass(500, () -> heartbeat(link, first, 1));

        pass(2_000, () -> heartbeat(link, second, 1));
        assertThat(second.sent("START as 1")).isZero();
        pass(8_000, () -> heartbeat(link, second, 1));

        assertThat(second.sent("START as 1")).isPositive();
    }

    @Test
    void knowsNoMoreVehiclesThanThereAreIds() {
        FakePeer peer = new FakePeer();
        link.onPeerUp(peer, nowNs);

        pass(300, () -> {
            for (int id = 0; id <= 255; id++) {
                heartbeat(link, peer, id);
            }
        });

        assertThat(link.statuses()).hasSize(255);
    }

    @Test
    void twoRefusingLinksDoNotPlayPingPong() {
        FakePeer here = new FakePeer();
        FakePeer there = new FakePeer();
        link.onPeerUp(here, nowNs);
        other.onPeerUp(there, nowNs);

        pass(300_000, () -> {
            heartbeat(link, here, 1);
            heartbeat(other, there, 1);
            startAnswer(link, here, 2);
            startAnswer(other, there, 2);
        });

        // Both are tried, again and again, but seldom.
        assertThat(here.sent("START as 1")).isBetween(3L, 30L);
        assertThat(there.sent("START as 1")).isBetween(3L, 30L);
    }
}
