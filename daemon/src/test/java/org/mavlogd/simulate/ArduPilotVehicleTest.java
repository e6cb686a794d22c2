package org.mavlogd.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.whole.DataFlashBytes;

/** The simulated vehicle against the facts that were observed on a real one. */
class ArduPilotVehicleTest {
    private static final long MS = 1_000_000;
    // Of 37: one more is being filled.
    private static final int BLOCKS_OF_8_KB = 36;

    private final byte[] log = DataFlashBytes.make(1, 100_000, 40_000);
    private final List<Long> numbers = new ArrayList<>();
    // Answered after the vehicle's tick: its output must not call back.
    private final List<Long> pending = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final TreeMap<Long, byte[]> blocks = new TreeMap<>();
    private final FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
    private boolean acks;
    private boolean isV2;
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
                BlockObserver.NONE,
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
        blocks.forEach((number, data) ->
                assertThat(data).isEqualTo(Arrays.copyOfRange(log, (int) (number * 200), (int) (number * 200 + 200))));
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
        pass(10_100);
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
        byte[] payload = new byte[LogBlockLayout.STATUS_LENGTH];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new LogBlockStatus(1, 1, number, status).encodePayload(payload);
        int frameLength =
                new FrameEncoder(191).encode(1, MessageIds.REMOTE_LOG_BLOCK_STATUS, payload, length, frame, 0);
        new FrameDecoder((view, now) -> vehicle.onFrame(view, nowNs), FrameCounters.unregistered())
                .decodeDatagram(frame, 0, frameLength, nowNs);
    }

    private void onFrame(FrameView frame, long now) {
        if (frame.messageId() == MessageIds.STATUSTEXT) {
            texts.add(StatusText.decode(frame).text());
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
