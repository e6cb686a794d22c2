package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import io.dronefleet.mavlink.MavlinkDialect;
import io.dronefleet.mavlink.annotations.MavlinkFieldInfo;
import io.dronefleet.mavlink.annotations.MavlinkMessageInfo;
import io.dronefleet.mavlink.ardupilotmega.ArdupilotmegaDialect;
import io.dronefleet.mavlink.asluav.AsluavDialect;
import io.dronefleet.mavlink.autoquad.AutoquadDialect;
import io.dronefleet.mavlink.avssuas.AvssuasDialect;
import io.dronefleet.mavlink.matrixpilot.MatrixpilotDialect;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadDeserializer;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadSerializer;
import io.dronefleet.mavlink.slugs.SlugsDialect;
import io.dronefleet.mavlink.storm32.Storm32Dialect;
import io.dronefleet.mavlink.util.EnumValue;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.ulog.Column;

/** For every message that another implementation can encode, the topic's fields have the same values. */
class HeardWirePropertyTest {
    private static final ReflectionPayloadDeserializer DESERIALIZER = new ReflectionPayloadDeserializer();
    private static final ReflectionPayloadSerializer SERIALIZER = new ReflectionPayloadSerializer();
    private static final Set<String> LEFT_OUT = Set.of(
            "LoggingData",
            "LoggingDataAcked",
            "LoggingAck",
            "LogData",
            "RemoteLogDataBlock",
            "RemoteLogBlockStatus",
            "SetupSigning",
            "AuthKey",
            "ChangeOperatorControl",
            "WifiConfigAp",
            "CellularConfig");

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void everyFieldHasTheValueThatWasSent(long seed) {
        Random random = new Random(seed);
        HeardLink link = new HeardLink(HeardLink.ALL);
        int compared = 0;
        for (Class<?> type : types()) {
            if (LEFT_OUT.contains(type.getSimpleName())) {
                continue;
            }
            Object message = DESERIALIZER.deserialize(payload(random), type);
            link.send(HeardFrames.of(layout(type)).payload(SERIALIZER.serialize(message)));

            List<HeardLink.Sample> samples = link.take();
            assertThat(samples).as("seed %d, %s", seed, type).hasSize(1);
            compare(message, samples.get(0), "seed " + seed + ", " + message);
            compared++;
        }
        assertThat(compared).isGreaterThan(330);
    }

    /**
     * A payload of letters without zeros, since a text ends at the first NUL; its end may be cut off, as for zeros that
     * MAVLink 2 does not send.
     */
    private static byte[] payload(Random random) {
        byte[] bytes = new byte[255];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (1 + random.nextInt(126));
        }
        int end = random.nextInt(4) == 0 ? random.nextInt(40) : bytes.length;
        Arrays.fill(bytes, end, bytes.length, (byte) 0);
        return bytes;
    }

    private static void compare(Object message, HeardLink.Sample sample, String what) {
        List<String> seen = new ArrayList<>();
        for (Method method : message.getClass().getMethods()) {
            if (!method.isAnnotationPresent(MavlinkFieldInfo.class)) {
                continue;
            }
            Column column = column(sample, method.getName());
            seen.add(column.path());
            if (column.isArray() && method.getReturnType() == EnumValue.class) {
                continue; // for one number the library requires an array of choices
            }
            assertThat(value(sample, column)).as("%s: %s", what, column.path()).isEqualTo(plain(method, message));
        }
        assertThat(seen).isNotEmpty().doesNotHaveDuplicates();
    }

    private static Column column(HeardLink.Sample sample, String camel) {
        String wanted = plainName(camel.equals("timestamp") ? "timestamp2" : camel);
        return sample.topic().layout().columns().stream()
                .filter(column -> plainName(column.path()).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new AssertionError(sample.name() + " has no field for " + camel));
    }

    private static String plainName(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** Numbers as decimals, arrays as lists of them. */
    private static Object value(HeardLink.Sample sample, Column column) {
        ByteBuffer bytes = ByteBuffer.wrap(sample.field(column.path())).order(ByteOrder.LITTLE_ENDIAN);
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < column.count(); i++) {
            elements.add(
                    switch (column.type()) {
                        case INT8 -> String.valueOf(bytes.get());
                        case UINT8 -> String.valueOf(bytes.get() & 0xFF);
                        case CHAR -> String.valueOf((char) (bytes.get() & 0xFF));
                        case INT16 -> String.valueOf(bytes.getShort());
                        case UINT16 -> String.valueOf(bytes.getShort() & 0xFFFF);
                        case INT32 -> String.valueOf(bytes.getInt());
                        case UINT32 -> Integer.toUnsignedString(bytes.getInt());
                        case INT64 -> String.valueOf(bytes.getLong());
                        case UINT64 -> Long.toUnsignedString(bytes.getLong());
                        case FLOAT -> String.valueOf(bytes.getFloat());
                        case DOUBLE -> String.valueOf(bytes.getDouble());
                        case BOOL -> throw new AssertionError("MAVLink has no bool");
                    });
        }
        return column.type() == org.mavlogd.ulog.FieldType.CHAR
                ? String.join("", elements).replace("\0", "")
                : elements;
    }

    private static Object plain(Method method, Object message) {
        try {
            Object value = method.invoke(message);
            if (value instanceof String text) {
                return text.replace("\0", "");
            }
            if (value instanceof byte[] bytes) {
                List<String> elements = new ArrayList<>();
                for (byte element : bytes) {
                    elements.add(String.valueOf(element));
                }
                return elements;
            }
            if (value instanceof List<?> list) {
                return list.stream().map(HeardWirePropertyTest::number).toList();
            }
            return List.of(number(value));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.toString(), e);
        }
    }

    private static String number(Object value) {
        if (value instanceof EnumValue<?> choice) {
            return String.valueOf(choice.value());
        }
        return value instanceof BigInteger big ? big.toString() : String.valueOf(value);
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

    private static List<Class<?>> types() {
        List<MavlinkDialect> dialects = List.of(
                new ArdupilotmegaDialect(),
                new AsluavDialect(),
                new AutoquadDialect(),
                new AvssuasDialect(),
                new MatrixpilotDialect(),
                new SlugsDialect(),
                new Storm32Dialect());
        Stream<Class<?>> types = dialects.stream()
                .flatMap(dialect -> dialect.messageTypes().stream())
                .map(type -> (Class<?>) type);
        return types.distinct()
                .sorted(java.util.Comparator.comparing(Class::getName))
                .toList();
    }
}
