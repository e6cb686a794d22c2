package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadSerializer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The message records are encoded and decoded. */
final class MessagesTest {
    private final byte[] payload = new byte[FrameLayout.MAX_PAYLOAD_LENGTH];

    @Test
    void heartbeatGoesThereAndBack() {
        Heartbeat heartbeat = new Heartbeat(10, Heartbeat.AUTOPILOT_PX4, 0x81, 0xFFFF_FFF0L, 4);

        assertThat(decode(0, heartbeat.encodePayload(payload), Heartbeat::decode))
                .isEqualTo(heartbeat);
        assertThat(heartbeat.isArmed()).isTrue();
        assertThat(new Heartbeat(10, 12, 0x7F, 0, 4).isArmed()).isFalse();
    }

    @Test
    void commandLongGoesThereAndBack() {
        CommandLong command =
                new CommandLong(CommandLong.LOGGING_START, 3, 1, 2, 0, -1.5f, 2, 3, 4, 5, Float.MAX_VALUE);

        assertThat(decode(76, command.encodePayload(payload), CommandLong::decode))
                .isEqualTo(command);
    }

    @Test
    void commandAckGoesThereAndBack() {
        CommandAck ack = new CommandAck(CommandLong.LOGGING_STOP, CommandAck.IN_PROGRESS, 40, -5, 255, 190);

        assertThat(decode(77, ack.encodePayload(payload), CommandAck::decode)).isEqualTo(ack);
    }

    @Test
    void commandAckOfMavlink1HasZerosForWhatItLacks() {
        CommandAck[] seen = new CommandAck[1];
        byte[] frame = FrameBytes.v1(77).payload(0xCE, 0x09, 2).bytes();

        new FrameDecoder((view, nowNs) -> seen[0] = CommandAck.decode(view), FrameCounters.unregistered())
                .decode(frame, 0, frame.length, 0);

        assertThat(seen).containsExactly(new CommandAck(CommandLong.LOGGING_START, CommandAck.DENIED, 0, 0, 0, 0));
    }

    @Test
    void statusTextGoesThereAndBack() {
        StatusText text = new StatusText(4, "Not enough bandwidth to enable log streaming", 513, 2);
        StatusText full = new StatusText(0, "x".repeat(50), 7, 9);

        assertThat(decode(253, text.encodePayload(payload), StatusText::decode)).isEqualTo(text);
        assertThat(decode(253, full.encodePayload(payload), StatusText::decode)).isEqualTo(full);
    }

    @Test
    void statusTextRefusesWhatDoesNotFit() {
        StatusText text = new StatusText(0, "é".repeat(25) + "x", 7, 9);

        assertThatThrownBy(() -> text.encodePayload(payload))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("51 bytes");
    }

    @Test
    void loggingAckIsWhatTheLibraryMakes() {
        LoggingAck ack = new LoggingAck(1, 191, 0xFEDC);
        byte[] expected = new ReflectionPayloadSerializer()
                .serialize(io.dronefleet.mavlink.common.LoggingAck.builder()
                        .targetSystem(1)
                        .targetComponent(191)
                        .sequence(0xFEDC)
                        .build());

        int length = ack.encodePayload(payload);

        assertThat(FrameBytes.cut(payload, length)).isEqualTo(expected);
        assertThat(decode(268, length, LoggingAck::decode)).isEqualTo(ack);
    }

    @Test
    void anyPayloadOfAnyLengthIsDecoded() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            random.nextBytes(payload);
            int length = seed == 1 ? 0 : random.nextInt(256);
            assertThat(decode(0, length, Heartbeat::decode)).as("seed %d", seed).isNotNull();
            assertThat(decode(76, length, CommandLong::decode))
                    .as("seed %d", seed)
                    .isNotNull();
            assertThat(decode(77, length, CommandAck::decode))
                    .as("seed %d", seed)
                    .isNotNull();
            assertThat(decode(253, length, StatusText::decode).text())
                    .as("seed %d", seed)
                    .isNotNull();
            assertThat(decode(268, length, LoggingAck::decode))
                    .as("seed %d", seed)
                    .isNotNull();
        }
    }

    @Test
    void unsignedFieldsStayUnsigned() {
        Arrays.fill(payload, (byte) 0xFF);

        assertThat(decode(0, 9, Heartbeat::decode)).isEqualTo(new Heartbeat(255, 255, 255, 0xFFFF_FFFFL, 255));
        CommandLong command = decode(76, 33, CommandLong::decode);
        assertThat(command.command()).isEqualTo(0xFFFF);
        assertThat(command.targetSystem()).isEqualTo(255);
        assertThat(decode(77, 10, CommandAck::decode)).isEqualTo(new CommandAck(0xFFFF, 255, 255, -1, 255, 255));
        assertThat(decode(253, 54, StatusText::decode).id()).isEqualTo(0xFFFF);
    }

    private <T> T decode(int messageId, int length, Function<FrameView, T> decode) {
        byte[] bytes = FrameBytes.v2(messageId)
                .payload(FrameBytes.cut(payload, length))
                .bytes();
        FrameView frame = new FrameView();
        frame.wrap(bytes, 0, bytes.length, false);
        return decode.apply(frame);
    }
}
