package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockState;

/** The exchange with a vehicle about its clock. */
class VehicleClockTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int QUADROTOR = 2;
    private static final int OWN_COMPONENT = 191;

    private final Metrics metrics = new Metrics();
    private final VehicleClaims claims = new VehicleClaims();
    private LinkConversations link =
            newLink("a", ConversationSettings.Mode.ALWAYS, ConversationSettings.Timesync.DEFAULT);
    /** The time messages that the far end received, with their source. */
    private final List<Timesync> heard = new ArrayList<>();

    private final List<Integer> senders = new ArrayList<>();
    private final FarEnd far = new FarEnd(true, this::onFrame);
    private final FarEnd elsewhere = new FarEnd(true, (frame, now) -> {});
    private long nowNs = TimeUnit.SECONDS.toNanos(500);

    private LinkConversations newLink(
            String name, ConversationSettings.Mode mode, ConversationSettings.Timesync timesync) {
        return new LinkConversations(
                name,
                new ConversationSettings(0, OWN_COMPONENT, mode, 0, TimeUnit.SECONDS.toNanos(5), timesync),
                claims,
                new Feed(name, 1 << 20).publisher(),
                metrics);
    }

    private void onFrame(FrameView frame, long now) {
        if (frame.messageId() == MessageIds.TIMESYNC) {
            heard.add(Timesync.decode(frame));
            senders.add(frame.systemId() * 1000 + frame.componentId());
        }
    }

    private Timesync last() {
        return heard.get(heard.size() - 1);
    }

    private void frame(Peer from, int id, byte[] payload, int length) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int frameLength = new FrameEncoder(1).encode(7, id, payload, length, frame, 0);
        link.onBytes(from, frame, 0, frameLength, nowNs);
    }

    private void heartbeat(Peer from, boolean armed) {
        byte[] payload = new byte[255];
        int mode = armed ? 0x80 : 0;
        frame(
                from,
                MessageIds.HEARTBEAT,
                payload,
                new Heartbeat(QUADROTOR, Heartbeat.AUTOPILOT_PX4, mode, 0, 4).encodePayload(payload));
    }

    private void acceptStart() {
        byte[] payload = new byte[10];
        payload[0] = (byte) CommandLong.LOGGING_START;
        payload[1] = (byte) (CommandLong.LOGGING_START >> 8);
        payload[8] = 7;
        payload[9] = (byte) OWN_COMPONENT;
        frame(far, MessageIds.COMMAND_ACK, payload, payload.length);
    }

    private void timesync(Peer from, Timesync message) {
        byte[] payload = new byte[255];
        frame(from, MessageIds.TIMESYNC, payload, message.encodePayload(payload));
    }

    private long vehicleNs() {
        // In whole microseconds that vary, as for a real vehicle.
        return nowNs - TimeUnit.SECONDS.toNanos(458) + nowNs / MILLISECOND_NS * 37 % 11 * 1000;
    }

    /** Lets time pass with heartbeats; if {@code answers}, requests are answered with a delay of 2 ms each way. */
    private void pass(long ms, boolean answers, boolean armed) {
        for (long passed = 0; passed < ms; passed += 20) {
            nowNs += 20 * MILLISECOND_NS;
            if (passed % 1000 == 0) {
                heartbeat(far, armed);
            }
            int before = heard.size();
            link.onTick(nowNs);
            if (answers && heard.size() > before) {
                long asked = last().ts1();
                nowNs += 2 * MILLISECOND_NS;
                long shownNs = vehicleNs();
                nowNs += 2 * MILLISECOND_NS;
                timesync(far, new Timesync(shownNs, asked, 0, 0));
            }
        }
    }

    private void begin() {
        link.onPeerUp(far, nowNs);
        heartbeat(far, true);
        link.onTick(nowNs);
        acceptStart();
    }

    private ClockState.Source source() {
        return link.statuses().get(0).clock().source();
    }

    @Test
    void asksTheVehicleInTheVehiclesNameAndByItsIds() {
        begin();
        pass(100, false, true);

        Timesync request = last();
        assertThat(request.isRequest()).isTrue();
        assertThat(request.targetSystem()).isEqualTo(7);
        assertThat(request.targetComponent()).isEqualTo(1);
        assertThat(request.ts1()).isBetween(nowNs - 100 * MILLISECOND_NS, nowNs);
        assertThat(senders).containsOnly(7 * 1000 + OWN_COMPONENT);
    }

    @Test
    void asksFastOnceItIsAnsweredAndThenAboutOnceASecond() {
        begin();
        pass(3_000, true, true);
        assertThat(heard.size()).isBetween(11, 25);
        int before = heard.size();

        pass(60_000, true, true);

        assertThat(heard.size() - before).isBetween(55, 66);
        assertThat(source()).isEqualTo(ClockState.Source.TIMESYNC);
        assertThat(link.statuses().get(0).clock().offsetUs()).isBetween(-458_000_100L, -457_999_900L);
        assertThat(link.statuses().get(0).clock().roundTripS()).isBetween(0.0039, 0.0041);
    }

    @Test
    void asksAnArduPilotWhoseLogComes() {
        link.onPeerUp(far, nowNs);
        ardupilot();
        link.onTick(nowNs);
        assertThat(heard).isEmpty(); // unknown so far whether it streams at all
        byte[] block = new byte[LogBlockLayout.BLOCK_LENGTH];
        block[LogBlockLayout.TARGET_SYSTEM] = 7;
        block[LogBlockLayout.TARGET_COMPONENT] = (byte) OWN_COMPONENT;
        block[LogBlockLayout.DATA_OFFSET] = (byte) 0xA3;
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(155).encode(7, MessageIds.REMOTE_LOG_DATA_BLOCK, block, block.length, frame, 0);
        link.onBytes(far, frame, 0, length, nowNs);
        ardupilot();

        for (int i = 0; i < 150; i++) {
            nowNs += 20 * MILLISECOND_NS;
            int before = heard.size();
            link.onTick(nowNs);
            if (heard.size() > before) {
                timesync(far, new Timesync(vehicleNs(), last().ts1(), 0, 0));
                ardupilot();
            }
        }

        assertThat(heard).hasSizeGreaterThan(5).allMatch(Timesync::isRequest);
        assertThat(last().targetSystem()).isEqualTo(7);
        assertThat(source()).isEqualTo(ClockState.Source.TIMESYNC);
    }

    private void ardupilot() {
        byte[] payload = new byte[255];
        Heartbeat heartbeat = new Heartbeat(10, Heartbeat.AUTOPILOT_ARDUPILOT, 0, 0, 4);
        frame(far, MessageIds.HEARTBEAT, payload, heartbeat.encodePayload(payload));
    }

    @Test
    void asksSeldomWhenNobodyAnswers() {
        begin();
        pass(60_000, false, true);

        assertThat(heard.size()).isBetween(15, 22);
        assertThat(source()).isEqualTo(ClockState.Source.NONE);
    }

    @Test
    void asksNobodyWhoDidNothingThatOnlyAVehicleDoes() {
        link.onPeerUp(far, nowNs);
        pass(10_000, true, true);

        assertThat(heard).isEmpty();
    }

    @Test
    void asksNobodyWhoseLogIsNotWanted() {
        link = newLink("b", ConversationSettings.Mode.ARMED, ConversationSettings.Timesync.DEFAULT);
        link.onPeerUp(far, nowNs);
        heartbeat(far, false);
        link.onTick(nowNs);
        acceptStart();
        pass(5_000, true, false);
        assertThat(heard).isEmpty();

        pass(100, true, true);
        acceptStart();
        pass(1_000, true, true);
        assertThat(heard).isNotEmpty();
    }

    @Test
    void asksNobodyOnALinkThatDoesNotHaveTheVehicle() {
        claims.claim(7, "another");
        begin();
        pass(5_000, true, true);

        assertThat(heard).isEmpty();
    }

    @Test
    void asksNobodyWhenItIsTurnedOff() {
        link = newLink("c", ConversationSettings.Mode.ALWAYS, new ConversationSettings.Timesync(false, true));
        begin();
        pass(5_000, true, true);

        assertThat(heard).isEmpty();
    }

    @Test
    void stopsAskingAVehicleThatIsSilent() {
        begin();
        pass(10_000, true, true);
        for (int i = 0; i < 500; i++) {
            nowNs += 20 * MILLISECOND_NS;
            link.onTick(nowNs);
        }
        int before = heard.size();
        for (int i = 0; i < 500; i++) {
            nowNs += 20 * MILLISECOND_NS;
            link.onTick(nowNs);
        }

        assertThat(heard.size()).isEqualTo(before);
    }

    private long answers() {
        return metrics.durations("timesync.round.trip", "", "link", "a").count();
    }

    @Test
    void takesNoAnswersToOthersAndNoneTwice() {
        begin();
        pass(100, false, true);
        long asked = last().ts1();

        timesync(far, new Timesync(5, asked + 1, 0, 0));
        timesync(far, new Timesync(5, asked, 7, OWN_COMPONENT + 1));
        timesync(far, new Timesync(5, asked, 8, 0));
        assertThat(answers()).isZero();
        timesync(far, new Timesync(vehicleNs(), asked, 7, OWN_COMPONENT));
        timesync(far, new Timesync(vehicleNs(), asked, 7, OWN_COMPONENT));

        assertThat(answers()).isEqualTo(1);
        assertThat(metrics.total("timesync.ignored")).isEqualTo(4);
    }

    @Test
    void takesNoAnswersFromElsewhere() {
        begin();
        link.onPeerUp(elsewhere, nowNs);
        pass(100, false, true);

        timesync(elsewhere, new Timesync(vehicleNs(), last().ts1(), 0, 0));

        assertThat(answers()).isZero();
    }

    @Test
    void answersRequestsOnlyWhenTold() {
        begin();
        pass(100, false, true);
        int before = heard.size();
        timesync(far, Timesync.request(4711, 0, 0));
        assertThat(heard.size()).isEqualTo(before);

        link = newLink("d", ConversationSettings.Mode.ALWAYS, new ConversationSettings.Timesync(false, true));
        begin();
        for (int i = 0; i < 200; i++) {
            timesync(far, Timesync.request(4711 + i, 0, 0));
        }

        assertThat(heard.size() - before).isEqualTo(20);
        assertThat(last()).isEqualTo(new Timesync(nowNs, 4730, 7, 1));
    }

    @Test
    void takesTenBootTimesASecondHoweverManyCome() {
        begin();
        for (int i = 0; i < 80_000; i++) {
            nowNs += MILLISECOND_NS / 8;
            bootTime();
        }
        link.onTick(nowNs);
        // Ten at once, and one each 100 ms of these ten seconds.
        assertThat(link.statuses().get(0).clock().samples()).isBetween(105, 110);
    }

    @Test
    void takesEachBootTimeOfAVehicleThatSendsTenASecond() {
        begin();
        for (int i = 0; i < 100; i++) {
            nowNs += 100 * MILLISECOND_NS;
            bootTime();
        }

        link.onTick(nowNs);
        assertThat(link.statuses().get(0).clock().samples()).isEqualTo(100);
    }

    private void bootTime() {
        byte[] payload = new byte[255];
        SystemTimeLayout.putTimeBootMs(payload, vehicleNs() / MILLISECOND_NS);
        frame(far, MessageIds.SYSTEM_TIME, payload, SystemTimeLayout.FULL_LENGTH);
    }
}
