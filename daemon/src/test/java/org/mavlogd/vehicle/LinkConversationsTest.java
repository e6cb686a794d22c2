package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

class LinkConversationsTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int QUADROTOR = 2;

    private final VehicleClaims claims = new VehicleClaims();
    private final Feed feed = new Feed("a", 1 << 16);
    private final LinkConversations link = newLink("a", feed);
    private final LinkConversations other = newLink("b", new Feed("b", 1 << 16));
    private long nowNs = TimeUnit.SECONDS.toNanos(500);

    private LinkConversations newLink(String name, Feed itsFeed) {
        return newLink(name, itsFeed, ConversationSettings.Mode.ALWAYS);
    }

    private LinkConversations newLink(String name, Feed itsFeed, ConversationSettings.Mode mode) {
        return new LinkConversations(
                name,
                new ConversationSettings(0, 191, mode, 0, TimeUnit.SECONDS.toNanos(5)),
                claims,
                itsFeed.publisher(),
                new Metrics());
    }

    /** Writes down messages that it is sent: message id and source system id. */
    private static final class FakePeer implements Peer {
        private final List<String> sent = new ArrayList<>();
        private final boolean expected;
        private Peer.Rank rank = Peer.Rank.STRANGER;

        /** A port, or a configured address. */
        FakePeer() {
            this(true);
        }

        FakePeer(boolean expected) {
            this.expected = expected;
        }

        @Override
        public boolean isExpected() {
            return expected;
        }

        @Override
        public void rank(Peer.Rank value) {
            rank = value;
        }

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
            String what = command == CommandLong.LOGGING_START ? "START" : command == 0 ? String.valueOf(id) : "STOP";
            sent.add(what + " as " + (buffer[offset + 5] & 0xFF));
        }

        private long sent(String what) {
            return sent.stream().filter(what::equals).count();
        }
    }

    private void heartbeat(LinkConversations to, Peer from, int systemId) {
        heartbeat(to, from, systemId, Heartbeat.AUTOPILOT_PX4);
    }

    private void heartbeat(LinkConversations to, Peer from, int systemId, int autopilot) {
        heartbeat(to, from, systemId, autopilot, false);
    }

    private void heartbeat(LinkConversations to, Peer from, int systemId, int autopilot, boolean isArmed) {
        byte[] payload = new byte[255];
        int armed = isArmed ? 0x80 : 0;
        int length = new Heartbeat(QUADROTOR, autopilot, armed, 0, 4).encodePayload(payload);
        frame(to, from, systemId, MessageIds.HEARTBEAT, payload, length);
    }

    private void frame(LinkConversations to, Peer from, int systemId, int id, byte[] payload, int length) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int frameLength = new FrameEncoder(1).encode(systemId, id, payload, length, frame, 0);
        to.onBytes(from, frame, 0, frameLength, nowNs);
    }

    private void startAnswer(LinkConversations to, Peer from, int result) {
        byte[] payload = {
            (byte) CommandLong.LOGGING_START,
            (byte) (CommandLong.LOGGING_START >> 8),
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
    void showsAnAutopilotOfAnotherMakeAndAsksItForNothing() {
        FakePeer peer = new FakePeer();
        byte[] payload = new byte[255];
        int length = new Heartbeat(QUADROTOR, 5, 128, 0, 4).encodePayload(payload); // MAV_AUTOPILOT 5, armed
        link.onPeerUp(peer, nowNs);

        pass(20_000, () -> frame(link, peer, 7, MessageIds.HEARTBEAT, payload, length));
        link.shutDown();

        assertThat(peer.sent).containsOnly("0 as 1", "0 as 7");
        assertThat(link.isAtRest()).isTrue();
        assertThat(link.statuses()).singleElement().satisfies(status -> {
            assertThat(status.autopilot()).isEqualTo("autopilot type 5");
            assertThat(status.armed()).isTrue();
            assertThat(status.state()).isEqualTo("not recorded");
            assertThat(status.detail()).isEqualTo("log streaming of this autopilot is not supported");
        });
    }

    /** A forged heartbeat came before the vehicle's, or the vehicle got another firmware. */
    @ParameterizedTest
    @CsvSource({"0, 12", "0, 3", "12, 3", "3, 12"})
    void theFirstHeartbeatDoesNotDecideForEverWhatAVehicleIs(int first, int real) {
        FakePeer forger = new FakePeer(false);
        FakePeer vehicle = new FakePeer(false);
        link.onPeerUp(forger, nowNs);
        link.onPeerUp(vehicle, nowNs);
        heartbeat(link, forger, 1, first);
        pass(10_000, () -> {});

        pass(40_000, () -> heartbeat(link, vehicle, 1, real));

        assertThat(link.statuses())
                .singleElement()
                .satisfies(status -> assertThat(status.autopilot())
                        .isEqualTo(real == Heartbeat.AUTOPILOT_PX4 ? "PX4" : "ArduPilot"));
        assertThat(vehicle.sent(
                        real == Heartbeat.AUTOPILOT_PX4 ? "START as 1" : MessageIds.REMOTE_LOG_BLOCK_STATUS + " as 1"))
                .isPositive();
    }

    /** Earlier knowledge counts more: an autopilot whose ids another program uses keeps its make. */
    @Test
    void heartbeatsOfTwoMakesAtOnePlaceChangeNothing() {
        FakePeer peer = new FakePeer();
        link.onPeerUp(peer, nowNs);
        for (int second = 0; second < 60; second++) {
            heartbeat(link, peer, 1);
            pass(1_000, () -> heartbeat(link, peer, 1, Heartbeat.AUTOPILOT_ARDUPILOT));
        }

        assertThat(link.statuses())
                .singleElement()
                .satisfies(status -> assertThat(status.autopilot()).isEqualTo("PX4"));
    }

    /** It may be the last message of a vehicle: recorded data must be forced. */
    @Test
    void tellsTheRecorderOfCriticalTexts() {
        FakePeer peer = new FakePeer();
        link.onPeerUp(peer, nowNs);
        pass(500, () -> heartbeat(link, peer, 1));
        byte[] text = new byte[51];
        text[0] = 3;
        text[1] = 'x';
        frame(link, peer, 1, MessageIds.STATUSTEXT, text, text.length);
        pass(200, () -> {});
        text[0] = 2;
        frame(link, peer, 1, MessageIds.STATUSTEXT, text, text.length);
        pass(200, () -> {});

        List<String> events = new ArrayList<>();
        feed.consumer(new EventsOnly(events)).drain(100);
        assertThat(events).containsExactly("1.1 CRITICAL_TEXT");
    }

    private record EventsOnly(List<String> events) implements StrictFeedHandler {
        @Override
        public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long eventNs) {
            events.add(systemId + "." + componentId + " " + event);
        }
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
    void dropsWhatComesInAVehiclesNameFromElsewhere() {
        FakePeer vehicle = new FakePeer(false);
        FakePeer forger = new FakePeer(false);
        link.onPeerUp(vehicle, nowNs);
        link.onPeerUp(forger, nowNs);
        pass(300, () -> heartbeat(link, vehicle, 1));
        assertThat(vehicle.sent("START as 1")).isEqualTo(1);

        // Would stop the requests if it came from the vehicle.
        for (int i = 0; i < 100; i++) {
            startAnswer(link, forger, 0);
        }
        pass(3_000, () -> heartbeat(link, vehicle, 1));

        assertThat(vehicle.sent("START as 1")).isGreaterThan(1);
        assertThat(forger.sent).allMatch("0 as 1"::equals);
        assertThat(link.statuses()).singleElement().returns(100L, VehicleStatus::foreignFrames);
        assertThat(vehicle.rank).isEqualTo(Peer.Rank.VEHICLE);
        assertThat(forger.rank).isEqualTo(Peer.Rank.SPEAKER);
    }

    @Test
    void saysNothingToAnAddressThatSentNoGoodFrame() {
        FakePeer stranger = new FakePeer(false);
        link.onPeerUp(stranger, nowNs);
        pass(3_000, () -> link.onBytes(stranger, new byte[] {(byte) 0xFD, 9, 0, 0, 1, 2, 3}, 0, 7, nowNs));

        assertThat(stranger.sent).isEmpty();
        assertThat(stranger.rank).isEqualTo(Peer.Rank.STRANGER);
    }

    @Test
    void saysNoMoreToAnAddressWithoutVehicleThanItSaidToUs() {
        FakePeer vehicle = new FakePeer(false);
        FakePeer groundStation = new FakePeer(false);
        link.onPeerUp(vehicle, nowNs);
        link.onPeerUp(groundStation, nowNs);
        heartbeat(link, vehicle, 1);
        heartbeat(link, vehicle, 2);
        for (int i = 0; i < 3; i++) {
            frame(link, groundStation, 255, MessageIds.SYSTEM_TIME, new byte[12], 12);
        }

        pass(30_000, () -> heartbeat(link, vehicle, 1));

        assertThat(groundStation.sent).hasSize(3);
    }

    @Test
    void madeUpVehiclesFillNeitherMemoryNorTheVehiclesPlaces() {
        FakePeer forger = new FakePeer(false);
        FakePeer vehicle = new FakePeer(false);
        link.onPeerUp(forger, nowNs);
        link.onPeerUp(vehicle, nowNs);

        pass(100_000, () -> {
            for (int id = 2; id <= 255; id++) {
                heartbeat(link, forger, id);
            }
        });
        heartbeat(link, vehicle, 1);
        pass(300, () -> heartbeat(link, vehicle, 1));

        assertThat(link.statuses()).hasSize(VehicleRoster.MAX_VEHICLES_PER_PEER + 1);
        assertThat(vehicle.sent("START as 1")).isPositive();
    }

    @Test
    void newVehiclesAreFoundAlsoWhenAllPlacesAreTakenByMadeUpOnes() {
        List<FakePeer> forgers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FakePeer forger = new FakePeer(false);
            forgers.add(forger);
            link.onPeerUp(forger, nowNs);
        }
        pass(40_000, () -> {
            for (int id = 2; id <= 255; id++) {
                heartbeat(link, forgers.get(id % 4), id);
            }
        });
        assertThat(link.statuses()).hasSize(VehicleRoster.MAX_VEHICLES);
        assertThat(link.crowd()).contains("some are not recorded");

        FakePeer vehicle = new FakePeer(false);
        link.onPeerUp(vehicle, nowNs);
        pass(300, () -> heartbeat(link, vehicle, 1));

        assertThat(vehicle.sent("START as 1")).isPositive();
        assertThat(link.statuses()).hasSize(VehicleRoster.MAX_VEHICLES);

        pass(11_000, () -> heartbeat(link, vehicle, 1));
        assertThat(link.crowd()).as("nobody was refused lately").isEmpty();
    }

    @Test
    void vehiclesBehindOneRouterAreAllFoundSoon() {
        FakePeer router = new FakePeer(false);
        link.onPeerUp(router, nowNs);

        pass(10_000, () -> {
            for (int id = 1; id <= 16; id++) {
                heartbeat(link, router, id);
            }
        });

        assertThat(link.statuses()).hasSize(16);
        assertThat(router.sent("START as 16")).isPositive();
    }

    @Test
    void aVehicleMadeUpOnOneLinkDoesNotKeepAnotherLinkFromTheRealOne() {
        FakePeer forger = new FakePeer(false);
        FakePeer vehicle = new FakePeer();
        link.onPeerUp(forger, nowNs);
        other.onPeerUp(vehicle, nowNs);
        pass(1_000, () -> heartbeat(link, forger, 1));
        assertThat(forger.sent("START as 1")).isPositive();

        pass(13_000, () -> {
            heartbeat(link, forger, 1);
            heartbeat(other, vehicle, 1);
        });

        assertThat(vehicle.sent("START as 1")).isPositive();
    }

    @Test
    void aVehicleThatALinkLostWhileItWasDisarmedIsRecordedByTheLinkThatHearsItArmed() {
        LinkConversations usb = newLink("usb", new Feed("usb", 1 << 16), ConversationSettings.Mode.ARMED);
        LinkConversations radio = newLink("radio", new Feed("radio", 1 << 16), ConversationSettings.Mode.ARMED);
        FakePeer bench = new FakePeer();
        FakePeer air = new FakePeer();
        usb.onPeerUp(bench, nowNs);
        radio.onPeerUp(air, nowNs);
        Runnable ticks = () -> {
            usb.onTick(nowNs);
            radio.onTick(nowNs);
        };
        pass(3_000, () -> {
            heartbeat(usb, bench, 1, Heartbeat.AUTOPILOT_PX4, true);
            ticks.run();
        });
        assertThat(bench.sent("START as 1")).isPositive();
        pass(10_000, () -> {
            heartbeat(usb, bench, 1);
            ticks.run();
        });

        pass(60_000, () -> {
            heartbeat(radio, air, 1);
            ticks.run();
        });
        pass(3_000, () -> {
            heartbeat(radio, air, 1, Heartbeat.AUTOPILOT_PX4, true);
            ticks.run();
        });

        assertThat(air.sent("START as 1")).isPositive();
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

        // Both are tried repeatedly, but rarely.
        assertThat(here.sent("START as 1")).isBetween(3L, 30L);
        assertThat(there.sent("START as 1")).isBetween(3L, 30L);
    }
}
