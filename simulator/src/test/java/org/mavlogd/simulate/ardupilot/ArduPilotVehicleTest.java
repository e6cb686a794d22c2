package org.mavlogd.simulate.ardupilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogRequestDataLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.RemoteLogBlockStatusLayout;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.simulate.MovedLog;

/** Compares the simulated vehicle with facts observed on a real one. */
class ArduPilotVehicleTest {
    private static final long MS = 1_000_000;
    // Of 37: one is being filled.
    private static final int BLOCKS_OF_8_KB = 36;

    private final byte[] log = DataFlashBytes.make(1, 100_000, 40_000);
    private final List<Long> numbers = new ArrayList<>();
    // Answered after the vehicle's tick: its output must not call back.
    private final List<Long> pending = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final TreeMap<Long, byte[]> blocks = new TreeMap<>();
    private final FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
    private final List<Timesync> timesyncs = new ArrayList<>();
    private long systemTimeMs;
    private long logData;
    private boolean acks;
    private boolean isV2;
    private boolean asksInV1;
    private int longest;
    private int shortest = Integer.MAX_VALUE;
    private int component;
    private int target;
    private long nowNs;
    private ArduPilotVehicle vehicle = vehicle(ArduPilotSettings.builder().build());

    private ArduPilotVehicle vehicle(ArduPilotSettings settings) {
        return new ArduPilotVehicle(
                settings,
                DataFlashImage.of(log),
                (frame, offset, length) -> decoder.decode(frame, offset, length, nowNs),
                ArduPilotVehicle.Observer.NONE,
                nowNs);
    }

    @Test
    void streamsItsLogWhenSomebodyAsksAndAcknowledges() {
        acks = true;
        pass(1000);
        assertThat(numbers).isEmpty();

        start();
        pass(5000);

        assertThat(vehicle.isAtLogEnd()).isTrue();
        assertThat(component).isEqualTo(155);
        assertThat(target).isEqualTo(191);
        assertThat(blocks).hasSize(log.length / LogBlockLayout.DATA_LENGTH);
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        blocks.values().forEach(streamed::writeBytes);
        byte[] expected = Arrays.copyOf(MovedLog.like(log, streamed.toByteArray()), streamed.size());
        assertThat(streamed.toByteArray()).isEqualTo(expected);
        assertThat(vehicle.counters().droppedMessages()).isZero();
    }

    @Test
    void holdsAFewBlocksRepeatsThemAndDropsMessages() {
        start();
        pass(3000);

        assertThat(blocks).hasSize(BLOCKS_OF_8_KB);
        assertThat(numbers.size()).isBetween(20 * BLOCKS_OF_8_KB, 30 * BLOCKS_OF_8_KB);
        assertThat(vehicle.counters().droppedMessages()).isPositive();
    }

    @Test
    void servesANackOnlyForABlockThatItHolds() {
        start();
        pass(500);
        numbers.clear();

        status(7, LogBlockStatus.NACK);
        status(7000, LogBlockStatus.NACK);
        pass(4);

        assertThat(numbers).contains(7L).doesNotContain(7000L);
        assertThat(vehicle.counters().uselessNacks()).isEqualTo(1);
    }

    @Test
    void givesUpAfterTenSecondsWithoutAnAnswerAndBeginsAtZeroAgain() {
        start();
        pass(9_900);
        assertThat(vehicle.isStreaming()).isTrue();
        pass(1_200); // the vehicle checks once a second
        assertThat(vehicle.isStreaming()).isFalse();
        assertThat(vehicle.counters().timeouts()).isEqualTo(1);

        numbers.clear();
        byte[] first = blocks.get(0L);
        start();
        pass(200);

        assertThat(numbers.get(0)).isZero();
        assertThat(blocks.get(0L)).isNotEqualTo(first);
    }

    @Test
    void aPatientVehicleWaitsLongerForAnAnswer() {
        vehicle = vehicle(
                ArduPilotSettings.builder().answerTimeoutNs(15_000_000_000L).build());
        start();
        pass(14_900);
        assertThat(vehicle.isStreaming()).isTrue();
        pass(1_200);
        assertThat(vehicle.isStreaming()).isFalse();
    }

    @Test
    void ignoresStartWhileItStreamsAndStopWithTheWrongStatus() {
        acks = true;
        start();
        pass(500);
        start();
        status(LogBlockStatus.STOP, LogBlockStatus.NACK);
        pass(100);

        assertThat(vehicle.counters().ignoredStarts()).isEqualTo(1);
        assertThat(vehicle.counters().logs()).isEqualTo(1);
        assertThat(vehicle.isStreaming()).isTrue();
    }

    @Test
    void refusesToArmWithoutAReceiverAndAgainAfterStop() {
        assertThat(vehicle.arm(nowNs)).isFalse();
        assertThat(texts).contains("Arm: Logging failed");

        start();
        assertThat(vehicle.arm(nowNs)).isTrue();
        vehicle.disarm(nowNs);
        status(LogBlockStatus.STOP, LogBlockStatus.ACK);

        assertThat(vehicle.arm(nowNs)).isFalse();
        assertThat(vehicle.counters().refusedArmings()).isEqualTo(2);
    }

    @Test
    void armsWithoutAReceiverWhenItsLogGoesElsewhere() {
        vehicle = vehicle(ArduPilotSettings.builder().logsToMavlink(false).build());
        start();
        pass(500);

        assertThat(numbers).isEmpty();
        assertThat(vehicle.arm(nowNs)).isTrue();
    }

    @Test
    void logsNothingUntilArmingWhenItIsToldSo() {
        acks = true;
        vehicle = vehicle(ArduPilotSettings.builder().logsDisarmed(false).build());
        start();
        pass(1000);
        assertThat(numbers).isEmpty();

        vehicle.arm(nowNs);
        pass(1000);

        assertThat(numbers).isNotEmpty();
    }

    @Test
    void keepsItsStreamForAsLongAsItHasNothingToSend() {
        acks = true;
        vehicle = vehicle(
                ArduPilotSettings.builder().logsDisarmed(false).loops(true).build());
        start();
        pass(30_000);
        assertThat(vehicle.arm(nowNs)).isTrue();
        pass(1000);
        vehicle.disarm(nowNs);
        pass(60_000);
        long last = numbers.get(numbers.size() - 1);
        vehicle.arm(nowNs);
        pass(1000);

        assertThat(vehicle.counters().timeouts()).isZero();
        assertThat(vehicle.counters().logs()).isEqualTo(1);
        assertThat(numbers.get(numbers.size() - 1)).isGreaterThan(last + 50);
    }

    @Test
    void itsLogHasTheTimeOfItsClock() {
        acks = true;
        vehicle = vehicle(
                ArduPilotSettings.builder().logsDisarmed(false).loops(true).build());
        pass(1234);
        start();
        pass(3000);
        vehicle.arm(nowNs);
        timesync(77);
        long armedUs = timesyncs.get(0).tc1() / 1000;
        pass(1000);
        assertThat(logTimeUs(0)).isBetween(armedUs, armedUs + 20_000);
        assertThat(timesyncs.get(0).ts1()).isEqualTo(77);
        assertThat(systemTimeMs).isBetween(armedUs / 1000, armedUs / 1000 + 1000);

        vehicle.disarm(nowNs);
        pass(40_000);
        long before = numbers.get(numbers.size() - 1);
        vehicle.arm(nowNs);
        timesync(78);
        pass(1000);

        long againUs = timesyncs.get(1).tc1() / 1000;
        assertThat(againUs - armedUs).isEqualTo(41_000_000);
        // The first complete block of the second drive.
        assertThat(logTimeUs(before + 2)).isBetween(againUs, againUs + 40_000);
    }

    /** The first time in a block. */
    private long logTimeUs(long number) {
        byte[] block = blocks.getOrDefault(number, new byte[0]);
        for (int at = 0; at + 11 <= block.length; at++) {
            boolean isMessage = block[at] == (byte) 0xA3 && block[at + 1] == (byte) 0x95 && block[at + 2] != (byte) 128;
            if (isMessage) {
                return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getLong(at + 3);
            }
        }
        throw new AssertionError("no message begins here");
    }

    @Test
    void doesNotTellTheTimeWhenItPlaysItsLogAtAnotherPace() {
        vehicle = vehicle(ArduPilotSettings.builder().rateBytesPerSecond(1000).build());
        timesync(77);

        assertThat(timesyncs).isEmpty();
    }

    @Test
    void logsNothingAndDoesNotArmWhileItsOwnLogsAreSent() {
        acks = true;
        start();
        pass(500);
        vehicle.downloading(true);
        pass(300); // its remaining blocks are sent
        int before = numbers.size();
        pass(2000);

        assertThat(numbers).hasSize(before);
        assertThat(vehicle.isStreaming()).isTrue();
        assertThat(vehicle.arm(nowNs)).isFalse();
        assertThat(texts).contains("Arm: Downloading logs");

        vehicle.downloading(false);
        pass(500);

        assertThat(numbers.size()).isGreaterThan(before + 20);
        assertThat(vehicle.arm(nowNs)).isTrue();
    }

    @Test
    void aPlannedVehicleLogsNothingWhileItAnswersLogRequests() {
        acks = true;
        List<Long> told = new ArrayList<>();
        PlannedArduPilot planned = new PlannedArduPilot(
                ArduPilotSettings.builder().loops(true).build(),
                DataFlashImage.of(log),
                (frame, offset, length) -> decoder.decode(frame, offset, length, nowNs),
                told::add,
                nowNs);
        Runnable second = () -> {
            for (long end = nowNs + 1000 * MS; nowNs - end < 0; nowNs += MS) {
                planned.onTick(nowNs);
                pending.forEach(number -> status(planned::onFrame, number, LogBlockStatus.ACK));
                pending.clear();
            }
        };
        status(planned::onFrame, LogBlockStatus.START, LogBlockStatus.ACK);
        second.run();
        assertThat(numbers.size()).isGreaterThan(150);

        byte[] request = new byte[12];
        LogRequestDataLayout.putCount(request, log.length);
        LogRequestDataLayout.putId(request, 1);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(191).encode(1, MessageIds.LOG_REQUEST_DATA, request, 12, frame, 0);
        new FrameDecoder((view, now) -> planned.onFrame(view, nowNs), FrameCounters.unregistered())
                .decodeDatagram(frame, 0, length, nowNs);
        int before = numbers.size();
        assertThat(planned.arm(nowNs)).isFalse();
        while (logData * 90L < log.length) {
            planned.onTick(nowNs);
            nowNs += MS / 10;
        }

        assertThat(numbers.size() - before).isLessThan(10);
        second.run();
        assertThat(numbers.size()).isGreaterThan(before + 150);
        second.run();
        assertThat(planned.arm(nowNs)).isTrue();
    }

    @Test
    void trimsZerosInMavlink2AndNotInMavlink1() {
        acks = true;
        start();
        pass(3000);
        assertThat(isV2).isTrue();
        assertThat(shortest).isLessThan(218);

        shortest = Integer.MAX_VALUE;
        longest = 0;
        vehicle = vehicle(
                ArduPilotSettings.builder().isMavlink1(true).bootText(true).build());
        start();
        pass(3000);
        assertThat(vehicle.isStreaming()).isFalse(); // does not understand MAVLink 2

        asksInV1 = true;
        start();
        pass(3000);

        assertThat(isV2).isFalse();
        assertThat(shortest).isEqualTo(214);
        assertThat(longest).isEqualTo(214);
    }

    @Test
    void refusesABufferThatStopsARealOne() {
        assertThatThrownBy(() -> ArduPilotSettings.builder().bufferKb(54).build())
                .hasMessage("buffer in kB is 54, and must be 1 to 53");
    }

    private void pass(long ms) {
        for (long end = nowNs + ms * MS; nowNs - end < 0; nowNs += MS) {
            vehicle.onTick(nowNs);
            pending.forEach(number -> status(number, LogBlockStatus.ACK));
            pending.clear();
        }
    }

    private void start() {
        status(LogBlockStatus.START, LogBlockStatus.ACK);
    }

    private void status(long number, int status) {
        status(vehicle::onFrame, number, status);
    }

    private void timesync(long ns) {
        byte[] payload = new byte[255];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = Timesync.request(ns, 1, 1).encodePayload(payload);
        int frameLength = new FrameEncoder(191).encode(1, MessageIds.TIMESYNC, payload, length, frame, 0);
        new FrameDecoder((view, now) -> vehicle.onFrame(view, nowNs), FrameCounters.unregistered())
                .decodeDatagram(frame, 0, frameLength, nowNs);
    }

    private void status(FrameDecoder.Handler to, long number, int status) {
        byte[] payload = new byte[RemoteLogBlockStatusLayout.FULL_LENGTH];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new LogBlockStatus(1, 1, number, status).encodePayload(payload);
        FrameEncoder encoder = new FrameEncoder(191);
        int frameLength = asksInV1
                ? encoder.encodeV1(1, MessageIds.REMOTE_LOG_BLOCK_STATUS, payload, length, frame, 0)
                : encoder.encode(1, MessageIds.REMOTE_LOG_BLOCK_STATUS, payload, length, frame, 0);
        new FrameDecoder((view, now) -> to.onFrame(view, nowNs), FrameCounters.unregistered())
                .decodeDatagram(frame, 0, frameLength, nowNs);
    }

    private void onFrame(FrameView frame, long now) {
        if (frame.messageId() == MessageIds.STATUSTEXT) {
            texts.add(StatusText.decode(frame).text());
        }
        switch (frame.messageId()) {
            case MessageIds.TIMESYNC -> timesyncs.add(Timesync.decode(frame));
            case MessageIds.SYSTEM_TIME -> systemTimeMs = SystemTimeLayout.timeBootMs(frame);
            case MessageIds.LOG_DATA -> logData++;
            default -> {}
        }
        if (frame.messageId() != MessageIds.REMOTE_LOG_DATA_BLOCK) {
            return;
        }
        isV2 = frame.isV2();
        longest = Math.max(longest, frame.length());
        shortest = Math.min(shortest, frame.length());
        component = frame.componentId();
        target = frame.uint8(LogBlockLayout.TARGET_COMPONENT);
        long number = frame.uint32(LogBlockLayout.NUMBER_OFFSET);
        byte[] data = new byte[LogBlockLayout.DATA_LENGTH];
        frame.copyPayload(LogBlockLayout.DATA_OFFSET, data, 0, data.length);
        numbers.add(number);
        blocks.put(number, data);
        if (acks) {
            pending.add(number);
        }
    }
}
