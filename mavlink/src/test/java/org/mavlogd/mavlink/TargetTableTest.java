package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadDeserializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.generator.LibraryMessages;
import org.mavlogd.ulog.FieldType;

final class TargetTableTest {
    private static final ReflectionPayloadDeserializer DESERIALIZER = new ReflectionPayloadDeserializer();
    private static final int MAX_PAYLOAD = 255;

    private final TargetTable table = Dialect.standard().targets();

    /** The table finds the target fields of every message of dronefleet's library at their offsets. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void targetsAreThoseOfTheLibrary(long seed) throws Exception {
        Random random = new Random(seed);
        int withTarget = 0;
        int forEveryone = 0;
        for (Class<?> type : LibraryMessages.types()) {
            byte[] payload = new byte[MAX_PAYLOAD];
            random.nextBytes(payload);
            Object message = DESERIALIZER.deserialize(payload, type);
            Optional<Integer> target = target(message);
            for (int seen : targets(Dialect.standard(), sent(message))) {
                assertThat(seen).as("seed %d, %s", seed, message).isEqualTo(target.orElse(TargetTable.EVERYONE));
                withTarget += target.isPresent() ? 1 : 0;
                forEveryone += target.isPresent() ? 0 : 1;
            }
        }
        assertThat(withTarget).isGreaterThan(80);
        assertThat(forEveryone).isGreaterThan(150);
    }

    private static Optional<Integer> target(Object message) throws ReflectiveOperationException {
        Optional<Integer> system = value(message, "targetSystem");
        Optional<Integer> component = value(message, "targetComponent");
        return system.map(id -> id == 0 ? 0 : id << 8 | component.orElse(0));
    }

    private static Optional<Integer> value(Object message, String name) throws ReflectiveOperationException {
        Optional<Method> method = Stream.of(message.getClass().getMethods())
                .filter(m -> m.getName().equals(name) && m.getParameterCount() == 0)
                .findFirst();
        return method.isPresent() ? Optional.of((Integer) method.get().invoke(message)) : Optional.empty();
    }

    private static byte[] sent(Object message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MavlinkConnection.create(new ByteArrayInputStream(new byte[0]), bytes).send2(7, 1, message);
        return bytes.toByteArray();
    }

    private List<Integer> targets(Dialect dialect, byte[] bytes) {
        TargetTable targets = dialect == Dialect.standard() ? table : dialect.targets();
        List<Integer> seen = new ArrayList<>();
        new FrameDecoder((frame, nowNs) -> seen.add(targets.target(frame)), FrameCounters.unregistered(), dialect)
                .decode(bytes, 0, bytes.length, 0);
        return seen;
    }

    /** MAVLink 2 omits zeros at the end: a missing target is 0, which means everyone. */
    @Test
    void aTargetThatWasLeftOutIsEveryone() {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(1).encode(7, MessageIds.TIMESYNC, new byte[18], 16, frame, 0);

        assertThat(targets(Dialect.standard(), FrameBytes.cut(frame, length))).containsExactly(TargetTable.EVERYONE);
    }

    /** A frame with a target component but no target system is for everyone. */
    @Test
    void aComponentOfAllSystemsIsEveryone() {
        byte[] payload = new byte[CommandLongLayout.FULL_LENGTH];
        CommandLongLayout.putTargetComponent(payload, 1);

        assertThat(targets(Dialect.standard(), encoded(MessageIds.COMMAND_LONG, payload)))
                .containsExactly(TargetTable.EVERYONE);
    }

    @Test
    void aSystemWithoutComponentsIsWhole() {
        byte[] payload = new byte[4];
        payload[0] = 9;
        payload[3] = 1;

        // CHANGE_OPERATOR_CONTROL has only a target_system.
        assertThat(targets(Dialect.standard(), encoded(5, payload))).containsExactly(9 << 8);
    }

    @Test
    void messagesThatAreGivenHaveTheirTargets() {
        MessageLayout given = MessageLayout.of(
                60_123,
                "OF_OURS",
                List.of(
                        field("target_component"),
                        new MessageLayout.Field(FieldType.UINT32, MessageLayout.Field.SCALAR, "x", false, false, ""),
                        field("target_system")));
        Dialect dialect = Dialect.with(List.of(given));
        byte[] payload = {1, 2, 3, 4, 20, 10};
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        System.arraycopy(
                new byte[] {(byte) 0xFD, 6, 0, 0, 1, 7, 1, (byte) 60_123, (byte) (60_123 >> 8), 0}, 0, frame, 0, 10);
        System.arraycopy(payload, 0, frame, 10, 6);
        int crc = Crc16.update(Crc16.update(Crc16.START, frame, 1, 15), (byte) given.crcExtra());
        frame[16] = (byte) crc;
        frame[17] = (byte) (crc >>> 8);

        assertThat(targets(dialect, FrameBytes.cut(frame, 18))).containsExactly(10 << 8 | 20);
    }

    /** The message is unknown, but a router forwards it. */
    @Test
    void anUnknownMessageIsShownAndForEveryone() {
        byte[] unknown = {(byte) 0xFD, 1, 0, 0, 5, 7, 1, 3, 0, 0, 42, 1, 2};
        List<byte[]> seen = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(
                new FrameDecoder.Handler() {
                    @Override
                    public void onFrame(FrameView frame, long nowNs) {
                        throw new AssertionError("message 3 is not known");
                    }

                    @Override
                    public void onUnknownFrame(FrameView frame, long nowNs) {
                        assertThat(table.target(frame)).isEqualTo(TargetTable.EVERYONE);
                        byte[] copy = new byte[frame.length()];
                        frame.copyFrame(copy, 0);
                        seen.add(copy);
                    }
                },
                FrameCounters.unregistered());

        decoder.decodeDatagram(unknown, 0, unknown.length, 0);

        assertThat(seen).containsExactly(unknown);
    }

    private static MessageLayout.Field field(String name) {
        return new MessageLayout.Field(FieldType.UINT8, MessageLayout.Field.SCALAR, name, false, false, "");
    }

    private static byte[] encoded(int messageId, byte[] payload) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        return FrameBytes.cut(frame, new FrameEncoder(1).encode(7, messageId, payload, payload.length, frame, 0));
    }
}
