package org.mavlogd.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.vehicle.ardupilot.LogBlock;

/** What a trial sends to a vehicle. A recorder of the same computer has the same component id. */
class LogTrialTest {
    private static final long TICK_NS = LogTrial.SECOND_NS / 10;
    private static final int VEHICLE = 1;
    private static final int ARMED = 128;

    private final List<String> sent = new ArrayList<>();
    private long nowNs;

    private LogTrial px4() {
        return new Px4Trial(vehicle(Heartbeat.AUTOPILOT_PX4), this::sent, nowNs);
    }

    private LogTrial arduPilot() {
        return new ArduPilotTrial(vehicle(Heartbeat.AUTOPILOT_ARDUPILOT), this::sent, nowNs);
    }

    private static Vehicle vehicle(int autopilot) {
        return new Vehicle(VEHICLE, 1, autopilot, false, false, "127.0.0.1:14550");
    }

    private void sent(int messageId, byte[] payload, int length) {
        frame(
                1,
                messageId,
                payload,
                length,
                (frame, frameNs) -> sent.add(
                        switch (messageId) {
                            case MessageIds.COMMAND_LONG ->
                                CommandLong.decode(frame).command() == CommandLong.LOGGING_START ? "START" : "STOP";
                            case MessageIds.REMOTE_LOG_BLOCK_STATUS ->
                                text(LogBlockStatus.decode(frame).number());
                            default -> "ACK";
                        }));
    }

    private static String text(long number) {
        return number == LogBlockStatus.START ? "START" : number == LogBlockStatus.STOP ? "STOP" : "ACK";
    }

    private void frame(int component, int messageId, byte[] payload, int length, FrameDecoder.Handler handler) {
        byte[] bytes = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int frameLength = new FrameEncoder(component).encode(VEHICLE, messageId, payload, length, bytes, 0);
        new FrameDecoder(handler, FrameCounters.unregistered()).decodeDatagram(bytes, 0, frameLength, nowNs);
    }

    private void chunk(LogTrial trial) {
        byte[] payload = new byte[LogChunkLayout.DATA_OFFSET + LogChunkLayout.MAX_DATA_LENGTH];
        payload[LogChunkLayout.TARGET_COMPONENT] = (byte) Vehicle.OWN_COMPONENT;
        payload[LogChunkLayout.LENGTH_OFFSET] = (byte) LogChunkLayout.MAX_DATA_LENGTH;
        frame(1, MessageIds.LOGGING_DATA_ACKED, payload, payload.length, trial::onFrame);
    }

    private void block(LogTrial trial, int number) {
        byte[] payload = new byte[LogBlockLayout.BLOCK_LENGTH];
        payload[LogBlockLayout.NUMBER_OFFSET] = (byte) number;
        payload[LogBlockLayout.NUMBER_OFFSET + 1] = (byte) (number >> Byte.SIZE);
        payload[LogBlockLayout.TARGET_COMPONENT] = (byte) Vehicle.OWN_COMPONENT;
        frame(LogBlock.COMPONENT_ID, MessageIds.REMOTE_LOG_DATA_BLOCK, payload, payload.length, trial::onFrame);
    }

    private void answer(LogTrial trial, int command, int result) {
        byte[] payload = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new CommandAck(command, result, 0, 0, VEHICLE, Vehicle.OWN_COMPONENT).encodePayload(payload);
        frame(1, MessageIds.COMMAND_ACK, payload, length, trial::onFrame);
    }

    private void arm(LogTrial trial, int autopilot) {
        byte[] payload = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new Heartbeat(10, autopilot, ARMED, 0, 3).encodePayload(payload);
        frame(1, MessageIds.HEARTBEAT, payload, length, trial::onFrame);
    }

    /** Lets time pass until the trial has ended, with one piece of the log before each tick. */
    private void end(LogTrial trial, Runnable piece) {
        boolean isOver = false;
        for (int i = 0; i < 300 && !isOver; i++) {
            nowNs += TICK_NS;
            piece.run();
            isOver = trial.onTick(nowNs);
        }
        assertThat(isOver).isTrue();
    }

    @Test
    void aPx4ThatAcceptsIsAcknowledgedAndStopped() {
        LogTrial trial = px4();
        answer(trial, CommandLong.LOGGING_START, CommandAck.ACCEPTED);

        end(trial, () -> chunk(trial));

        assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.FLOWS);
        assertThat(sent).contains("ACK", "STOP");
    }

    /** Its acks would hide lost chunks from the vehicle, and STOP would end the recording. */
    @Test
    void aPx4ThatARecorderRecordsIsNeitherAcknowledgedNorStopped() {
        LogTrial trial = px4();
        chunk(trial);
        answer(trial, CommandLong.LOGGING_START, CommandAck.TEMPORARILY_REJECTED);

        end(trial, () -> chunk(trial));

        assertThat(sent).containsOnly("START");
        assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.REJECTED);
    }

    @Test
    void anArduPilotThatStreamsFromItsFirstBlockIsAcknowledgedAndStopped() {
        LogTrial trial = arduPilot();
        int[] number = {2}; // the first two are lost

        end(trial, () -> {
            if (!sent.contains("STOP")) {
                block(trial, number[0]++);
            }
        });

        assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.FLOWS);
        assertThat(sent).contains("ACK", "STOP");
    }

    @Test
    void anArduPilotThatARecorderRecordsIsNeitherAcknowledgedNorStopped() {
        LogTrial trial = arduPilot();

        end(trial, () -> block(trial, 40_000));

        assertThat(sent).containsOnly("START");
        assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.ELSEWHERE);
    }

    /** Its log may go to a recorder at another of its ports. */
    @Test
    void anArduPilotWhoseLogDoesNotComeIsNotStopped() {
        LogTrial trial = arduPilot();

        end(trial, () -> {});

        assertThat(sent).containsOnly("START");
        assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.NO_DATA);
    }

    @Test
    void aVehicleThatArmsIsAskedNoMore() {
        for (boolean isArduPilot : List.of(true, false)) {
            sent.clear();
            LogTrial trial = isArduPilot ? arduPilot() : px4();

            arm(trial, isArduPilot ? Heartbeat.AUTOPILOT_ARDUPILOT : Heartbeat.AUTOPILOT_PX4);
            end(trial, () -> {});

            assertThat(sent).containsExactly("START");
            assertThat(trial.result().outcome()).isEqualTo(LogStream.Outcome.NOT_ASKED);
        }
    }

    @Test
    void aVehicleThatArmsWhileItsLogComesIsStoppedAtOnce() {
        LogTrial trial = px4();
        answer(trial, CommandLong.LOGGING_START, CommandAck.ACCEPTED);
        chunk(trial);

        arm(trial, Heartbeat.AUTOPILOT_PX4);

        assertThat(sent).containsExactly("START", "ACK", "STOP");
    }
}
