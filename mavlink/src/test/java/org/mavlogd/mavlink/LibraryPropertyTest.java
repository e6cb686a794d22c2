package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.annotations.MavlinkFieldInfo;
import io.dronefleet.mavlink.annotations.MavlinkMessageInfo;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadDeserializer;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadSerializer;
import io.dronefleet.mavlink.util.EnumValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.generator.LibraryMessages;

/** For every message of dronefleet's library, our tables encode the same values to the same bytes as the library. */
final class LibraryPropertyTest {
    private static final ReflectionPayloadDeserializer DESERIALIZER = new ReflectionPayloadDeserializer();
    private static final ReflectionPayloadSerializer SERIALIZER = new ReflectionPayloadSerializer();
    private static final int SYSTEM = 7;
    private static final int COMPONENT = 191;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void payloadsAreEqualByteForByte(long seed) {
        Random random = new Random(seed);
        int fields = 0;
        for (Class<?> type : LibraryMessages.types()) {
            Object message = DESERIALIZER.deserialize(payload(random), type);
            MessageLayout layout = layout(type);
            byte[] theirs = Arrays.copyOf(SERIALIZER.serialize(message), layout.fullLength());

            ByteBuffer ours = ByteBuffer.allocate(layout.fullLength()).order(ByteOrder.LITTLE_ENDIAN);
            fields += write(message, layout, ours, theirs);

            assertThat(ours.array()).as("seed %d, %s", seed, message).isEqualTo(theirs);
        }
        assertThat(fields).isGreaterThan(2800);
    }

    /**
     * MAVLink 2. The library does not omit zeros at the end, so both frames are compared as the payload that they mean.
     */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void framesOfMavlink2AreEqual(long seed) throws IOException {
        Random random = new Random(seed);
        int compared = 0;
        int trimmed = 0;
        for (Class<?> type : LibraryMessages.types()) {
            MessageLayout layout = layout(type);
            if (MessageTable.standard().crcExtra(layout.id()) != layout.crcExtra()) {
                continue; // a message of another dialect has this id
            }
            Object message = DESERIALIZER.deserialize(payload(random), type);
            ByteArrayOutputStream theirs = new ByteArrayOutputStream();
            connection(theirs).send2(SYSTEM, COMPONENT, message);
            byte[] payload = Arrays.copyOf(SERIALIZER.serialize(message), layout.fullLength());

            byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
            int length = new FrameEncoder(COMPONENT).encode(SYSTEM, layout.id(), payload, payload.length, frame, 0);

            byte[] ours = FrameBytes.cut(frame, length);
            if (length == theirs.size()) {
                assertThat(ours).as("seed %d, %s", seed, message).isEqualTo(theirs.toByteArray());
                compared++;
            } else {
                assertThat(ours[length - FrameLayout.CHECKSUM_LENGTH - 1]).isNotZero();
                trimmed++;
            }
            assertThat(decoded(ours, layout)).as("seed %d, %s", seed, message).isEqualTo(payload);
            assertThat(decoded(theirs.toByteArray(), layout))
                    .as("seed %d, %s", seed, message)
                    .isEqualTo(payload);
        }
        assertThat(compared).isGreaterThan(200);
        assertThat(trimmed).isGreaterThan(50);
    }

    /**
     * MAVLink 1 has no extension fields, but the library sends them, so messages with extensions are compared by value.
     */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void framesOfMavlink1AreEqual(long seed) throws IOException {
        Random random = new Random(seed);
        int compared = 0;
        for (Class<?> type : LibraryMessages.types()) {
            MessageLayout layout = layout(type);
            if (layout.id() > 255 || MessageTable.standard().crcExtra(layout.id()) != layout.crcExtra()) {
                continue;
            }
            byte[] bytes = payload(random);
            Arrays.fill(bytes, layout.coreLength(), bytes.length, (byte) 0);
            Object message = DESERIALIZER.deserialize(bytes, type);
            ByteArrayOutputStream theirs = new ByteArrayOutputStream();
            connection(theirs).send1(SYSTEM, COMPONENT, message);
            byte[] payload = Arrays.copyOf(SERIALIZER.serialize(message), layout.coreLength());

            byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
            int length = new FrameEncoder(COMPONENT).encodeV1(SYSTEM, layout.id(), payload, payload.length, frame, 0);

            byte[] ours = FrameBytes.cut(frame, length);
            if (theirs.size() == length) {
                assertThat(ours).as("seed %d, %s", seed, message).isEqualTo(theirs.toByteArray());
                compared++;
            }
            assertThat(length)
                    .isEqualTo(FrameLayout.HEADER_LENGTH_V1 + layout.coreLength() + FrameLayout.CHECKSUM_LENGTH);
            byte[] whole = Arrays.copyOf(payload, layout.fullLength());
            assertThat(decoded(ours, layout)).as("seed %d, %s", seed, message).isEqualTo(whole);
            assertThat(decoded(theirs.toByteArray(), layout))
                    .as("seed %d, %s", seed, message)
                    .isEqualTo(whole);
        }
        assertThat(compared).isGreaterThan(140);
    }

    private static MavlinkConnection connection(ByteArrayOutputStream out) {
        return MavlinkConnection.create(new ByteArrayInputStream(new byte[0]), out);
    }

    /** A payload of letters without zeros, since a text ends at the first NUL. Its end may be omitted like zeros. */
    private static byte[] payload(Random random) {
        byte[] bytes = new byte[FrameLayout.MAX_PAYLOAD_LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (1 + random.nextInt(126));
        }
        int end = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : bytes.length;
        Arrays.fill(bytes, end, bytes.length, (byte) 0);
        return bytes;
    }

    private static byte[] decoded(byte[] frame, MessageLayout layout) {
        byte[] payload = new byte[layout.fullLength()];
        int[] seen = new int[1];
        FrameDecoder decoder = new FrameDecoder(
                (view, nowNs) -> {
                    seen[0]++;
                    assertThat(view.messageId()).isEqualTo(layout.id());
                    assertThat(Dialect.standard().layout(view.definition()).crcExtra())
                            .isEqualTo(layout.crcExtra());
                    view.copyPayload(0, payload, 0, payload.length);
                },
                FrameCounters.unregistered());
        decoder.decodeDatagram(frame, 0, frame.length, 0);
        assertThat(seen).containsExactly(1);
        return payload;
    }

    private static MessageLayout layout(Class<?> type) {
        MavlinkMessageInfo info = type.getAnnotation(MavlinkMessageInfo.class);
        Dialect dialect = Dialect.standard();
        for (int i = 0; i < dialect.count(); i++) {
            if (dialect.id(i) == info.id() && dialect.layout(i).crcExtra() == info.crc()) {
                return dialect.layout(i);
            }
        }
        throw new AssertionError("no layout of " + type);
    }

    /** Writes a message's values at the offsets of our layout, and returns the number of compared fields. */
    private static int write(Object message, MessageLayout layout, ByteBuffer into, byte[] theirs) {
        List<Method> methods = Arrays.stream(message.getClass().getMethods())
                .filter(method -> method.isAnnotationPresent(MavlinkFieldInfo.class))
                .toList();
        int fields = 0;
        for (MessageLayout.Field field : layout.fields()) {
            int end = into.position() + field.length();
            for (Method method : methods) {
                if (plain(method.getName()).equals(plain(field.name()))) {
                    if (field.arrayLength() != MessageLayout.Field.SCALAR
                            && method.getReturnType() == EnumValue.class) {
                        // The library encodes an array of enum values as one number.
                        into.put(theirs, into.position(), field.length());
                    } else {
                        put(into, field, value(method, message));
                        fields++;
                    }
                }
            }
            into.position(end);
        }
        assertThat(layout.fields()).hasSizeGreaterThanOrEqualTo(methods.size());
        return fields;
    }

    private static Object value(Method method, Object message) {
        try {
            return method.invoke(message);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.toString(), e);
        }
    }

    private static void put(ByteBuffer into, MessageLayout.Field field, Object value) {
        if (value instanceof String text) {
            into.put(text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] bytes) {
            into.put(bytes);
        } else if (value instanceof Collection<?> elements) {
            assertThat(elements).hasSize(field.arrayLength());
            elements.forEach(element -> putOne(into, field, element));
        } else {
            putOne(into, field, value);
        }
    }

    private static void putOne(ByteBuffer into, MessageLayout.Field field, Object value) {
        Number number = value instanceof EnumValue<?> choice ? choice.value() : (Number) value;
        switch (field.type()) {
            case INT8, UINT8, CHAR -> into.put(number.byteValue());
            case INT16, UINT16 -> into.putShort(number.shortValue());
            case INT32, UINT32 -> into.putInt(number.intValue());
            case INT64, UINT64 -> into.putLong(number instanceof BigInteger big ? big.longValue() : number.longValue());
            case FLOAT -> into.putFloat(number.floatValue());
            case DOUBLE -> into.putDouble(number.doubleValue());
            case BOOL -> throw new AssertionError("MAVLink has no bool");
        }
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
