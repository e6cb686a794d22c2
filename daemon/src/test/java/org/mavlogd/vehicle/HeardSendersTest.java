package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.local.heard.HeardMessages;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Signing;
import org.mavlogd.tags.TagMap;

/** Which senders' messages a link records, and when it records an autopilot's texts. */
class HeardSendersTest {
    private static final int AUTOPILOT = 1;
    private static final int GIMBAL = 154;
    private static final int GROUND_STATION = 190;
    private static final int QUADROTOR = 2;

    private final VehicleClaims claims = new VehicleClaims();
    private long nowNs = TimeUnit.SECONDS.toNanos(500);

    private record FakePeer(boolean isExpected) implements Peer {
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
            // no vehicle
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /** A link with the recorder's side of its feed: senders of ATTITUDE, and log messages. */
    private final class FakeLink implements LocalFeed.Handler {
        private final LocalFeed feed = new LocalFeed("a", 1 << 16);
        private final LinkConversations conversations;
        private final List<String> heard = new ArrayList<>();

        FakeLink(String name, HeardSettings.SenderChoice senders) {
            LocalPublisher publisher = feed.publisher();
            Metrics metrics = new Metrics();
            HeardSettings settings = new HeardSettings(
                    List.of("ATTITUDE", "LOGGING_DATA"),
                    List.of(),
                    0,
                    List.of(),
                    HeardSettings.StatusTextMode.AUTO,
                    senders);
            conversations = new LinkConversations(
                    new LinkFeeds(name, new Feed(name, 1 << 16).publisher(), new ClockTopic(name, publisher, metrics)),
                    new ConversationSettings(0, 191, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                    VehicleLogs.of(claims),
                    Signing.LinkParts.OFF,
                    new HeardMessages(
                            name,
                            settings,
                            new HeardMessages.Instances(),
                            publisher,
                            new TextOutlet("link", publisher, TagMap.DEFAULT, new TextLimiter.Limits(20, 200), metrics),
                            metrics),
                    metrics);
        }

        FakePeer peer(boolean isExpected) {
            FakePeer peer = new FakePeer(isExpected);
            conversations.onPeerUp(peer, nowNs);
            return peer;
        }

        void send(FakePeer from, int systemId, int componentId, int messageId, byte[] payload, int length) {
            byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
            int frameLength = new FrameEncoder(componentId).encode(systemId, messageId, payload, length, frame, 0);
            conversations.onBytes(from, frame, 0, frameLength, nowNs);
        }

        void heartbeat(FakePeer from, int systemId, int autopilot) {
            byte[] payload = new byte[255];
            int length = new Heartbeat(QUADROTOR, autopilot, 0, 0, 4).encodePayload(payload);
            send(from, systemId, AUTOPILOT, MessageIds.HEARTBEAT, payload, length);
        }

        void attitude(FakePeer from, int systemId, int componentId) {
            send(from, systemId, componentId, 30, new byte[28], 28);
        }

        void text(FakePeer from, int systemId, int componentId, String text) {
            byte[] payload = new byte[255];
            int length = new StatusText(4, text, 0, 0).encodePayload(payload);
            send(from, systemId, componentId, MessageIds.STATUSTEXT, payload, length);
        }

        /** The vehicle accepts START and sends the log's first chunk. */
        void beginLog(FakePeer from) {
            conversations.onTick(nowNs);
            byte[] ack = {
                (byte) CommandLong.LOGGING_START, (byte) (CommandLong.LOGGING_START >> 8), 0, 0, 0, 0, 0, 0, 1, -65
            };
            send(from, 1, AUTOPILOT, MessageIds.COMMAND_ACK, ack, ack.length);
            byte[] chunk = new byte[255];
            byte[] head = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1, 1, 0, 0, 0, 0, 0, 0, 0, 40, 0, 'B'};
            chunk[2] = 1;
            chunk[3] = -65;
            chunk[4] = 59;
            System.arraycopy(head, 0, chunk, 6, head.length);
            send(from, 1, AUTOPILOT, MessageIds.LOGGING_DATA_ACKED, chunk, 255);
            conversations.onTick(nowNs);
        }

        List<String> take() {
            heard.clear();
            LocalFeed.Consumer consumer = feed.consumer(this);
            while (feed.fill() > 0) {
                consumer.drain(100);
            }
            return List.copyOf(heard);
        }

        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            heard.add(
                    (buffer.getByte(offset + length - 2) & 0xFF) + "/" + (buffer.getByte(offset + length - 1) & 0xFF));
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            heard.add(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private List<String> heardFromAll(HeardSettings.SenderChoice senders, boolean isExpected) {
        FakeLink link = new FakeLink("a", senders);
        FakePeer vehicle = link.peer(isExpected);
        FakePeer elsewhere = link.peer(isExpected);
        link.heartbeat(vehicle, 1, Heartbeat.AUTOPILOT_PX4);
        for (FakePeer from : List.of(vehicle, elsewhere)) {
            link.attitude(from, 1, AUTOPILOT);
            link.attitude(from, 1, GIMBAL);
            link.attitude(from, 255, GROUND_STATION);
        }
        return link.take();
    }

    @Test
    void vehiclesAndTheirComponentsAreHeardFromWhereTheyAre() {
        assertThat(heardFromAll(HeardSettings.SenderChoice.VEHICLES, false)).containsExactly("1/1", "1/154");
    }

    @Test
    void componentsAreHeardFromEveryFarEndThatIsThereWithoutDoubt() {
        assertThat(heardFromAll(HeardSettings.SenderChoice.VEHICLES, true)).containsExactly("1/1", "1/154", "1/154");
    }

    @Test
    void groundStationsAreHeardIfWantedFromWhereAVehicleIs() {
        assertThat(heardFromAll(HeardSettings.SenderChoice.LINK, false)).containsExactly("1/1", "1/154", "255/190");
        assertThat(heardFromAll(HeardSettings.SenderChoice.LINK, true))
                .containsExactly("1/1", "1/154", "255/190", "1/154", "255/190");
    }

    @Test
    void anyoneIsHeardIfWantedButNobodyInAVehiclesName() {
        assertThat(heardFromAll(HeardSettings.SenderChoice.ANYONE, false))
                .containsExactly("1/1", "1/154", "255/190", "1/154", "255/190");
    }

    @Test
    void nobodyIsHeardFromAnAddressThatMayBeForgedWithoutAVehicle() {
        FakeLink link = new FakeLink("a", HeardSettings.SenderChoice.LINK);
        FakePeer stranger = link.peer(false);

        for (int system = 0; system < 256; system++) {
            link.attitude(stranger, system, AUTOPILOT);
            link.text(stranger, system, AUTOPILOT, "hello");
        }

        assertThat(link.take()).isEmpty();
        assertThat(link.feed.topics()).noneMatch(topic -> topic.name().startsWith("mavlink_"));
    }

    @Test
    void textsOfTheAutopilotWhoseLogIsRecordedAreLeftOut() {
        FakeLink link = new FakeLink("a", HeardSettings.SenderChoice.VEHICLES);
        FakePeer vehicle = link.peer(true);
        link.heartbeat(vehicle, 1, Heartbeat.AUTOPILOT_PX4);
        link.text(vehicle, 1, AUTOPILOT, "before the log");

        link.beginLog(vehicle);
        link.text(vehicle, 1, AUTOPILOT, "in the log");
        link.text(vehicle, 1, GIMBAL, "ready");

        assertThat(link.take()).containsExactly("before the log", "[1/154] ready");
    }

    @Test
    void textsAreLeftOutAlsoWhereTheLogComesOnAnotherLink() {
        FakeLink radio = new FakeLink("radio", HeardSettings.SenderChoice.VEHICLES);
        FakeLink serial = new FakeLink("serial", HeardSettings.SenderChoice.VEHICLES);
        FakePeer far = radio.peer(true);
        FakePeer near = serial.peer(true);
        serial.heartbeat(near, 1, Heartbeat.AUTOPILOT_PX4);
        radio.heartbeat(far, 1, Heartbeat.AUTOPILOT_PX4);
        serial.beginLog(near);

        radio.text(far, 1, AUTOPILOT, "in the log");
        serial.text(near, 1, AUTOPILOT, "in the log");
        pass(serial, 60);
        radio.text(far, 1, AUTOPILOT, "after the log");

        assertThat(serial.take()).isEmpty();
        assertThat(radio.take()).containsExactly("after the log");
    }

    @Test
    void textsOfAnAutopilotWithoutLogStreamAreAlwaysRecorded() {
        FakeLink link = new FakeLink("a", HeardSettings.SenderChoice.VEHICLES);
        FakePeer vehicle = link.peer(true);
        link.heartbeat(vehicle, 1, Heartbeat.AUTOPILOT_ARDUPILOT);

        link.text(vehicle, 1, AUTOPILOT, "Throttle armed");
        link.heartbeat(vehicle, 2, Heartbeat.AUTOPILOT_ARDUPILOT);
        link.text(vehicle, 1, AUTOPILOT, "Throttle disarmed");

        assertThat(link.take()).containsExactly("Throttle armed", "[1/1] Throttle disarmed");
    }

    private void pass(FakeLink link, int seconds) {
        for (int i = 0; i < 10 * seconds; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(100);
            link.conversations.onTick(nowNs);
        }
    }
}
