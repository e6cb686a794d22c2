package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.FrameTrail;
import org.mavlogd.mavlink.Heartbeat;

/** Small decisions: which sender is an autopilot, when its log is wanted, how many of its frames are missing. */
class DecisionsTest {
    private static final int QUADROTOR = 2;

    @Test
    void anAutopilotIsAVehicleWithAnAutopilot() {
        assertThat(isAutopilot(1, 1, QUADROTOR, Heartbeat.AUTOPILOT_PX4)).isTrue();
        assertThat(isAutopilot(255, 99, 10, Heartbeat.AUTOPILOT_ARDUPILOT)).isTrue();
        assertThat(isAutopilot(1, 1, QUADROTOR, Heartbeat.AUTOPILOT_INVALID)).isFalse();
        assertThat(isAutopilot(0, 1, QUADROTOR, Heartbeat.AUTOPILOT_PX4)).isFalse();
        assertThat(isAutopilot(1, 0, QUADROTOR, Heartbeat.AUTOPILOT_PX4)).isFalse();
        assertThat(isAutopilot(1, 100, QUADROTOR, Heartbeat.AUTOPILOT_PX4)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 18, 26, 27, 30, 32, 36, 39, 42})
    void groundStationsGimbalsAndCamerasAreNone(int type) {
        assertThat(isAutopilot(1, 1, type, Heartbeat.AUTOPILOT_PX4)).isFalse();
    }

    private static boolean isAutopilot(int systemId, int componentId, int type, int autopilot) {
        return Autopilot.isAutopilot(systemId, componentId, new Heartbeat(type, autopilot, 0, 0, 4));
    }

    @Test
    void wantsEveryLogInModeAlways() {
        assertThat(new Vehicle.RecordingWish(ConversationSettings.Mode.ALWAYS, 0).isWanted(0))
                .isTrue();
    }

    @Test
    void wantsTheLogWhileArmedAndSomeTimeAfter() {
        Vehicle.RecordingWish wish = new Vehicle.RecordingWish(ConversationSettings.Mode.ARMED, 100);
        wish.onArming(false, 0);
        assertThat(wish.isWanted(1)).isFalse();

        wish.onArming(true, 1000);
        assertThat(wish.isWanted(50_000)).isTrue();
        wish.onArming(false, 60_000);
        wish.onArming(false, 60_090);
        assertThat(wish.isWanted(60_099)).isTrue();
        assertThat(wish.isWanted(60_100)).isFalse();
        wish.onArming(true, 70_000);

        assertThat(wish.isWanted(70_000)).isTrue();
    }

    @Test
    void numbersFramesAcrossTheWrap() {
        Px4Autopilot.HeaderSequence sequence = new Px4Autopilot.HeaderSequence();
        sequence.onFrame(250, 0);
        sequence.onFrame(251, 0);
        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(251, 0b1));
        sequence.onFrame(3, 0);
        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(256 + 3, 0b1_1000_0000));

        sequence.onFrame(4 + 180, 0);

        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(256 + 4 + 180, 0));
    }

    @Test
    void entersOvertakenFramesAtTheirPlace() {
        Px4Autopilot.HeaderSequence sequence = new Px4Autopilot.HeaderSequence();
        for (int frame : new int[] {68, 70, 72, 69}) {
            sequence.onFrame(frame, 0);
        }
        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(69, 0b1));
        sequence.onFrame(73, 0);

        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(73, 0b1_1101));
    }

    @Test
    void takesNoFrameForOvertakenAfterASilence() {
        Px4Autopilot.HeaderSequence sequence = new Px4Autopilot.HeaderSequence();
        sequence.onFrame(100, 0);

        sequence.onFrame(90, 200_000_000);

        assertThat(sequence.trail()).isEqualTo(FrameTrail.of(256 + 90, 0));
    }
}
