package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.Heartbeat;

/** The small decisions: who is an autopilot, when its log is wanted, how many of its frames are missing. */
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
        return Autopilots.isAutopilot(systemId, componentId, new Heartbeat(type, autopilot, 0, 0, 4));
    }

    @Test
    void wantsEveryLogInModeAlways() {
        assertThat(new RecordingWish(RecordingMode.ALWAYS, 0).isWanted(0)).isTrue();
    }

    @Test
    void wantsTheLogWhileArmedAndSomeTimeAfter() {
        RecordingWish wish = new RecordingWish(RecordingMode.ARMED, 100);
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
    void countsMissingFramesAcrossTheWrap() {
        HeaderSequence sequence = new HeaderSequence();
        sequence.onFrame(250);
        sequence.onFrame(251);
        assertThat(sequence.missing()).isZero();
        sequence.onFrame(3);
        assertThat(sequence.missing()).isEqualTo(7);

        sequence.onFrame(4 + 127);

        assertThat(sequence.missing()).isEqualTo(7 + 127);
    }

    @Test
    void takesSwappedFramesBack() {
        HeaderSequence sequence = new HeaderSequence();
        for (int frame : new int[] {68, 70, 69, 71}) {
            sequence.onFrame(frame);
        }

        assertThat(sequence.missing()).isZero();
    }
}
