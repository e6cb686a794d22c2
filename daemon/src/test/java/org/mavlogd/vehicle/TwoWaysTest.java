package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Signing;
import org.mavlogd.simulate.VehicleOutput;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.ArduPilotVehicle;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.simulate.px4.StreamObserver;
import org.mavlogd.whole.SyntheticLog;

/**
 * A simulated vehicle whose router has two ways to mavlogd: each frame of the vehicle arrives on two links. In one
 * thread and with a clock that only the test moves.
 */
class TwoWaysTest {
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEP_MS = 2;
    private static final int STEPS_PER_TICK = 5;
    private static final int OWN_COMPONENT = 191;
    private static final int LOG_COMPONENT = 155;

    private VehicleClaims claims = new VehicleClaims();
    private ResumeTicket ticket = ResumeTicket.NONE;
    private ConversationSettings.Mode mode = ConversationSettings.Mode.ALWAYS;
    private final Way first = new Way("first");
    private final Way second = new Way("second");
    private final List<byte[]> fromVehicle = new ArrayList<>();
    private final List<byte[]> toVehicle = new ArrayList<>();
    private final FrameDecoder vehicleDecoder = new FrameDecoder(this::intoVehicle, FrameCounters.unregistered());
    private List<Way> order = List.of(first, second);
    private Simulated vehicle = Make.ARDUPILOT.make(this::fromVehicle, 0);
    private long nowNs = TimeUnit.SECONDS.toNanos(500);
    private int steps;
    private int stops;
    // The vehicle receives nothing.
    private boolean isDeaf;

    /** A simulated vehicle of any make. */
    private interface Simulated {
        void onFrame(FrameView frame, long timeNs);

        void onTick(long timeNs);

        /** How many logs it started. */
        long logs();

        /** How many pieces of its last log it sent. */
        long pieces();

        boolean isStreaming();

        void arm(long timeNs);
    }

    enum Make {
        PX4 {
            @Override
            Simulated make(VehicleOutput output, long timeNs) {
                return new SimulatedPx4(output, timeNs);
            }
        },
        ARDUPILOT {
            @Override
            Simulated make(VehicleOutput output, long timeNs) {
                return new SimulatedArduPilot(output, true, timeNs);
            }
        };

        abstract Simulated make(VehicleOutput output, long timeNs);
    }

    private static final class SimulatedPx4 implements Simulated, StreamObserver {
        private final Px4Vehicle px4;
        private long pieces;

        SimulatedPx4(VehicleOutput output, long timeNs) {
            px4 = new Px4Vehicle(
                    Px4Settings.builder()
                            .rateBytesPerSecond(20_000)
                            .loops(true)
                            .stall(Px4Settings.Stall.DELAYS_LOG)
                            .build(),
                    LogImage.of(SyntheticLog.make(1, 200_000)),
                    output,
                    this,
                    timeNs);
        }

        @Override
        public void onSessionStart(byte[] header, long timeNs) {
            pieces = 0;
        }

        @Override
        public void onChunkSent(int sequence, boolean acked, int attempt, long timeNs) {
            pieces = Math.max(pieces, sequence + 1L);
        }

        @Override
        public void onFrame(FrameView frame, long timeNs) {
            px4.onFrame(frame, timeNs);
        }

        @Override
        public void onTick(long timeNs) {
            px4.onTick(timeNs);
        }

        @Override
        public long logs() {
            return px4.counters().sessions();
        }

        @Override
        public long pieces() {
            return pieces;
        }

        @Override
        public boolean isStreaming() {
            return px4.isStreaming();
        }

        @Override
        public void arm(long timeNs) {
            px4.arm(timeNs);
        }

        /** Another program with these ids starts the log. */
        void startElsewhere(int componentId, long timeNs) {
            px4.commandElsewhere(CommandLong.LOGGING_START, 1, componentId, timeNs);
        }
    }

    private static final class SimulatedArduPilot implements Simulated, ArduPilotVehicle.Observer {
        private final ArduPilotVehicle arduPilot;
        private long pieces;

        SimulatedArduPilot(VehicleOutput output, boolean logsDisarmed, long timeNs) {
            arduPilot = new ArduPilotVehicle(
                    ArduPilotSettings.builder()
                            .rateBytesPerSecond(20_000)
                            .bufferKb(53)
                            .loops(true)
                            .logsDisarmed(logsDisarmed)
                            .build(),
                    DataFlashImage.of(DataFlashBytes.make(7, 400_000, 20_000)),
                    output,
                    this,
                    timeNs);
        }

        @Override
        public void onLogStart(long timeNs) {
            pieces = 0;
        }

        @Override
        public void onBlock(long number, byte[] data, long timeNs) {
            pieces = number + 1;
        }

        @Override
        public void onFrame(FrameView frame, long timeNs) {
            arduPilot.onFrame(frame, timeNs);
        }

        @Override
        public void onTick(long timeNs) {
            arduPilot.onTick(timeNs);
        }

        @Override
        public long logs() {
            return arduPilot.counters().logs();
        }

        @Override
        public long pieces() {
            return pieces;
        }

        @Override
        public boolean isStreaming() {
            return arduPilot.isStreaming();
        }

        @Override
        public void arm(long timeNs) {
            assertThat(arduPilot.arm(timeNs)).isTrue();
        }

        void disarm(long timeNs) {
            arduPilot.disarm(timeNs);
        }
    }

    /** One log as the recorder gets it from a link. */
    private static final class Stored {
        private final Set<Long> pieces = new HashSet<>();
        private boolean ended;
    }

    /** A link of mavlogd, and what the recorder gets from it. */
    private final class Way implements Peer, Feed.Handler {
        private final String name;
        private final Feed feed;
        private final Feed.Consumer consumer;
        private final List<Stored> logs = new ArrayList<>();
        private LinkConversations link;
        private boolean up;
        private boolean cut;
        private boolean losesData;
        private boolean stalled;
        private final List<byte[]> waiting = new ArrayList<>();
        private int stopsSent;
        private final FrameDecoder sent =
                new FrameDecoder((frame, timeNs) -> onSent(frame), FrameCounters.unregistered());

        Way(String name) {
            this.name = name;
            this.feed = new Feed(name, 1 << 18);
            this.consumer = feed.consumer(this);
            this.link = newLink();
        }

        private LinkConversations newLink() {
            ConversationSettings settings =
                    new ConversationSettings(0, OWN_COMPONENT, mode, 0, TimeUnit.SECONDS.toNanos(5));
            return new LinkConversations(
                    LinkFeeds.ofLogs(name, feed.publisher()),
                    settings,
                    new VehicleLogs(claims, systemId -> ticket, FlightListener.Factory.NONE),
                    Signing.LinkParts.OFF,
                    HeardFrames.NONE,
                    new Metrics());
        }

        private void onSent(FrameView frame) {
            stopsSent += isStop(frame) ? 1 : 0;
        }

        void comeUp() {
            up = true;
            logs.clear();
            link = newLink();
            link.onPeerUp(this, nowNs);
        }

        void receive(byte[] frame) {
            if (up && !cut && !(losesData && isLogData(frame))) {
                waiting.add(frame);
            }
            if (!stalled) {
                waiting.forEach(each -> link.onBytes(this, each, 0, each.length, nowNs));
                waiting.clear();
            }
        }

        void tick() {
            if (up && !stalled) {
                link.onTick(nowNs);
                consumer.drain(Integer.MAX_VALUE);
            }
        }

        private Stored log() {
            return logs.get(logs.size() - 1);
        }

        @Override
        public String address() {
            return name;
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            sent.decodeDatagram(buffer, offset, length, nowNs);
            if (!cut && !isDeaf) {
                toVehicle.add(Arrays.copyOfRange(buffer, offset, offset + length));
            }
        }

        @Override
        public void onSessionBegin(int session, int systemId, int componentId, long timeNs) {
            logs.add(new Stored());
        }

        @Override
        public void onBlocksBegin(int session, int systemId, int componentId, long timeNs) {
            logs.add(new Stored());
        }

        @Override
        public void onSessionResume(int session, int systemId, int componentId, long timeNs) {
            throw new AssertionError("no chunks of an earlier run");
        }

        @Override
        public void onBlocksResume(int session, int systemId, int componentId, long timeNs) {
            ticket.resume();
            logs.add(new Stored());
        }

        @Override
        public void onChunk(int session, ChunkView chunk) {
            log().pieces.add((long) chunk.sequence());
        }

        @Override
        public void onBlock(int session, BlockView block) {
            log().pieces.add(block.number());
        }

        @Override
        public void onSessionEnd(int session, SessionEnd reason, int ringDropped, long timeNs) {
            log().ended = true;
        }
    }

    private static boolean isLogData(byte[] frame) {
        int id = (frame[7] & 0xFF) | (frame[8] & 0xFF) << 8;
        return id == MessageIds.REMOTE_LOG_DATA_BLOCK
                || id == LogChunkLayout.LOGGING_DATA
                || id == LogChunkLayout.LOGGING_DATA_ACKED;
    }

    private void fromVehicle(byte[] frame, int offset, int length) {
        fromVehicle.add(Arrays.copyOfRange(frame, offset, offset + length));
    }

    private void intoVehicle(FrameView frame, long timeNs) {
        stops += isStop(frame) ? 1 : 0;
        vehicle.onFrame(frame, timeNs);
    }

    private static boolean isStop(FrameView frame) {
        return switch (frame.messageId()) {
            case MessageIds.COMMAND_LONG -> CommandLong.decode(frame).command() == CommandLong.LOGGING_STOP;
            case MessageIds.REMOTE_LOG_BLOCK_STATUS ->
                LogBlockStatus.decode(frame).number() == LogBlockStatus.STOP;
            default -> false;
        };
    }

    private void start(Make make, boolean isSecondBefore) {
        start(make.make(this::fromVehicle, nowNs), isSecondBefore);
    }

    private void start(Simulated made, boolean isSecondBefore) {
        vehicle = made;
        order = isSecondBefore ? List.of(second, first) : List.of(first, second);
    }

    private void bothUp() {
        first.comeUp();
        second.comeUp();
    }

    private void pass(long ms) {
        for (long passed = 0; passed < ms; passed += STEP_MS) {
            nowNs += STEP_MS * MILLISECOND_NS;
            vehicle.onTick(nowNs);
            List<byte[]> down = List.copyOf(fromVehicle);
            fromVehicle.clear();
            for (Way way : order) {
                down.forEach(way::receive);
            }
            if (++steps % STEPS_PER_TICK == 0) {
                first.tick();
                second.tick();
            }
            List<byte[]> up = List.copyOf(toVehicle);
            toVehicle.clear();
            up.forEach(frame -> vehicleDecoder.decodeDatagram(frame, 0, frame.length, nowNs));
        }
    }

    /** Replaces the links by those of a new run, as after kill -9, of which only the second gets log data. */
    private void restartWithDataOnSecond() {
        second.up = false;
        claims = new VehicleClaims();
        first.losesData = true;
        first.comeUp();
        while (claims.owner(1).isEmpty()) {
            pass(STEP_MS);
        }
        second.comeUp();
    }

    /** An earlier run left the ArduPilot's log as it is now. */
    private void leaveArduPilotLog() {
        ticket = new ResumeTicket(new ResumeTicket.Facts(
                1,
                LOG_COMPONENT,
                0,
                0,
                (int) vehicle.pieces() - 1,
                nowNs,
                0,
                0,
                0,
                -1,
                0,
                List.of(),
                new KnownTopics.Collector().topics()));
    }

    private Way other(Way way) {
        return way == first ? second : first;
    }

    /** The link that has the vehicle's log, the only one since the last start of the links. */
    private Way onlyRecorder() {
        Way way = first.logs.isEmpty() ? second : first;
        assertThat(other(way).logs).isEmpty();
        assertThat(way.logs).hasSize(1);
        assertThat(way.log().ended).isFalse();
        return way;
    }

    private void assertComplete(Way way) {
        assertThat(vehicle.pieces()).isGreaterThan(500);
        // The last pieces may be on their way.
        assertThat(LongStream.range(0, vehicle.pieces() - 10)
                        .filter(piece -> !way.log().pieces.contains(piece)))
                .isEmpty();
    }

    private void assertUndisturbed() {
        assertThat(stops).isZero();
        assertThat(vehicle.logs()).isEqualTo(1);
        assertThat(vehicle.isStreaming()).isTrue();
    }

    static Stream<Arguments> flights() {
        return Stream.of(Make.values()).flatMap(make -> Stream.of(Arguments.of(make, false), Arguments.of(make, true)));
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void oneOfTwoLinksRecordsIt(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();

        pass(20_000);

        assertComplete(onlyRecorder());
        assertUndisturbed();
        assertThat(vehicle.pieces()).isGreaterThan(1000);
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void linkThatComesUpDuringTheLogLeavesIt(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        first.comeUp();
        pass(5000);
        vehicle.arm(nowNs);
        second.comeUp();

        pass(20_000);

        assertThat(onlyRecorder()).isSameAs(first);
        assertComplete(first);
        assertUndisturbed();
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void outageOfTheRecordingLinkDoesNotEndTheLog(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();
        pass(10_000);
        Way recorder = onlyRecorder();

        recorder.cut = true;
        pass(7000);
        recorder.cut = false;
        pass(5000);

        assertThat(onlyRecorder()).isSameAs(recorder);
        assertThat(recorder.log().pieces).contains(vehicle.pieces() - 10);
        assertUndisturbed();
    }

    /** Both links begin the log: one of them ends its own. */
    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void oneLinkRecordsAfterAThreadStalledAtTheStart(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();
        while (vehicle.logs() == 0) {
            pass(STEP_MS);
        }
        Way owner = claims.owner(1).equals(first.name) ? first : second;

        owner.stalled = true;
        pass(700);
        owner.stalled = false;
        pass(20_000);

        assertThat(Stream.of(first, second).flatMap(way -> way.logs.stream()).filter(log -> !log.ended))
                .hasSize(1);
        assertComplete(owner.logs.isEmpty() || owner.log().ended ? other(owner) : owner);
        assertUndisturbed();
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void theOtherLinkRecordsWhenTheFirstIsGone(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();
        pass(10_000);
        Way gone = onlyRecorder();

        gone.cut = true;
        pass(60_000);

        assertThat(gone.log().ended).isTrue();
        assertThat(other(gone).log().ended).isFalse();
        assertComplete(other(gone));
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void streamOfAnEarlierRunIsStoppedOnceAndBeginsAgain(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();
        pass(10_000);
        claims = new VehicleClaims();
        bothUp();

        pass(20_000);

        assertThat(stops).isEqualTo(1);
        assertThat(vehicle.logs()).isEqualTo(2);
        assertComplete(onlyRecorder());
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void onlyTheLinkWithTheVehicleRepeatsStop(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        bothUp();
        pass(10_000);
        claims = new VehicleClaims();
        bothUp();

        isDeaf = true;
        pass(3000);
        isDeaf = false;
        pass(20_000);

        Way recorder = onlyRecorder();
        assertThat(recorder.stopsSent).isGreaterThan(1);
        assertThat(other(recorder).stopsSent).isZero();
        assertComplete(recorder);
    }

    @Test
    void linkThatLostTheVehicleTakesTheRestOfItsLog() {
        start(Make.PX4, false);
        first.comeUp();
        pass(10_000);

        claims.seize(1, second.name);
        isDeaf = true;
        pass(300);
        isDeaf = false;
        pass(3000);

        assertThat(vehicle.isStreaming()).isFalse();
        assertThat(first.log().ended).isTrue();
        assertThat(first.log().pieces).hasSize((int) vehicle.pieces());
    }

    @ParameterizedTest(name = "second link receives before the first: {0}")
    @ValueSource(booleans = {false, true})
    void oneLinkContinuesTheLogOfAnEarlierRun(boolean isSecondBefore) {
        start(Make.ARDUPILOT, isSecondBefore);
        bothUp();
        pass(10_000);
        leaveArduPilotLog();
        claims = new VehicleClaims();
        bothUp();

        pass(10_000);

        assertThat(onlyRecorder().log().pieces).hasSizeGreaterThan(500).contains(vehicle.pieces() - 10);
        assertUndisturbed();
    }

    /** The first link has the vehicle, because it heard a heartbeat. */
    @Test
    void logOfAnEarlierRunContinuesOnTheLinkOnWhichItComes() {
        start(Make.ARDUPILOT, false);
        second.comeUp();
        pass(10_000);
        leaveArduPilotLog();
        restartWithDataOnSecond();

        pass(5000);

        assertThat(onlyRecorder()).isSameAs(second);
        assertThat(second.log().pieces).contains(vehicle.pieces() - 10);
        assertUndisturbed();
    }

    @ParameterizedTest
    @EnumSource
    void streamOfAnEarlierRunIsStoppedOnTheLinkOnWhichItComes(Make make) {
        start(make, false);
        second.comeUp();
        pass(10_000);
        restartWithDataOnSecond();

        pass(3000);

        assertThat(first.logs).isEmpty();
        assertThat(second.log().ended).isFalse();
        assertThat(vehicle.logs()).isEqualTo(2);
        assertThat(stops).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}, second link receives before the first: {1}")
    @MethodSource("flights")
    void logThatComesOnOneLinkOnlyIsRecordedThere(Make make, boolean isSecondBefore) {
        start(make, isSecondBefore);
        first.losesData = true;
        first.comeUp();
        pass(500);
        second.comeUp();

        pass(60_000);

        assertThat(first.logs).isEmpty();
        assertThat(second.log().ended).isFalse();
        assertComplete(second);
    }

    /** The first link hears the vehicle before, and asks; the log comes on the second one only. */
    @ParameterizedTest
    @EnumSource
    void logThatComesOnAnotherLinkThanItWasAskedForOnIsRecordedUndisturbed(Make make) {
        start(make, false);
        restartWithDataOnSecond();

        pass(60_000);

        assertThat(onlyRecorder()).isSameAs(second);
        assertComplete(second);
        assertUndisturbed();
        assertThat(claims.owner(1)).isEqualTo(second.name);
    }

    @ParameterizedTest(name = "after {0} ms")
    @ValueSource(ints = {2000, 20_000})
    void theLinkOnWhichTheLogComesTakesTheRestOfItAtTheEnd(int afterMs) {
        start(Make.PX4, false);
        restartWithDataOnSecond();
        pass(afterMs);

        first.link.shutDown();
        second.link.shutDown();
        pass(3000);

        assertThat(vehicle.isStreaming()).isFalse();
        assertThat(second.log().ended).isTrue();
        assertThat(second.log().pieces).hasSize((int) vehicle.pieces());
        assertThat(vehicle.logs()).isEqualTo(1);
    }

    /** With LOG_DISARMED 0 an ArduPilot sends nothing until it is armed, and then continues its log. */
    @ParameterizedTest(name = "second link receives before the first: {0}")
    @ValueSource(booleans = {false, true})
    void logThatContinuesAfterMinutesOfSilenceIsLeftToItsLink(boolean isSecondBefore) {
        SimulatedArduPilot arduPilot = new SimulatedArduPilot(this::fromVehicle, false, nowNs);
        start(arduPilot, isSecondBefore);
        bothUp();
        pass(5000);
        arduPilot.arm(nowNs);
        pass(10_000);
        arduPilot.disarm(nowNs);
        pass(120_000);
        Way recorder = onlyRecorder();
        long pieces = arduPilot.pieces();

        arduPilot.arm(nowNs);
        pass(10_000);

        assertThat(arduPilot.pieces()).isGreaterThan(pieces + 500);
        assertThat(onlyRecorder()).isSameAs(recorder);
        assertComplete(recorder);
        assertUndisturbed();
    }

    @ParameterizedTest(name = "second link receives before the first: {0}")
    @ValueSource(booleans = {false, true})
    void logThatNobodyHereAskedForIsRecordedOnce(boolean isSecondBefore) {
        SimulatedPx4 px4 = new SimulatedPx4(this::fromVehicle, nowNs);
        start(px4, isSecondBefore);
        mode = ConversationSettings.Mode.ARMED;
        bothUp();
        pass(5000);
        assertThat(px4.logs()).isZero();

        px4.startElsewhere(OWN_COMPONENT, nowNs);
        pass(20_000);

        assertComplete(onlyRecorder());
        assertUndisturbed();
    }

    @ParameterizedTest(name = "second link receives before the first: {0}")
    @ValueSource(booleans = {false, true})
    void theRecordingLinkStopsTheLogAtTheEnd(boolean isSecondBefore) {
        start(Make.PX4, isSecondBefore);
        bothUp();
        pass(10_000);
        Way recorder = onlyRecorder();

        first.link.shutDown();
        second.link.shutDown();
        pass(3000);

        assertThat(stops).isEqualTo(1);
        assertThat(vehicle.isStreaming()).isFalse();
        assertThat(recorder.log().ended).isTrue();
        assertThat(other(recorder).logs).isEmpty();
    }
}
