package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.ulog.FieldType;

final class DialectTest {
    private static final MessageLayout.Field LOAD =
            new MessageLayout.Field(FieldType.FLOAT, 0, "load", false, false, "kg");
    private static final MessageLayout WINCH = MessageLayout.of(42_000, "WINCH_LOAD", List.of(LOAD));

    private final Dialect standard = Dialect.standard();

    @Test
    void everyKnownMessageHasALayoutOfItsLength() {
        for (int i = 0; i < standard.count(); i++) {
            MessageTable.Definition definition =
                    MessageTable.standard().definitions().get(i);

            MessageLayout layout = standard.layout(i);

            assertThat(layout.id()).isEqualTo(definition.id());
            assertThat(layout.name()).isEqualTo(definition.name());
            assertThat(layout.coreLength()).as(layout.name()).isEqualTo(definition.coreLength());
            assertThat(layout.fullLength()).as(layout.name()).isEqualTo(definition.fullLength());
        }
    }

    @Test
    void fieldsAreInTheOrderOfTheWire() {
        MessageLayout layout = standard.layout(definition(standard, "GPS_RAW_INT"));

        assertThat(layout.fields())
                .extracting(MessageLayout.Field::name)
                .startsWith(
                        "time_usec", "lat", "lon", "alt", "eph", "epv", "vel", "cog", "fix_type", "satellites_visible")
                .endsWith("alt_ellipsoid", "h_acc", "v_acc", "vel_acc", "hdg_acc", "yaw");
        assertThat(layout.fields().get(1))
                .isEqualTo(new MessageLayout.Field(FieldType.INT32, 0, "lat", false, false, "degE7"));
        assertThat(standard.layout(definition(standard, "BATTERY_STATUS")).fields())
                .filteredOn(MessageLayout.Field::isInstance)
                .extracting(MessageLayout.Field::name)
                .containsExactly("id");
    }

    @Test
    void furtherMessagesAreTaken() {
        Dialect dialect = Dialect.with(List.of(WINCH));
        List<Integer> ids = new ArrayList<>();
        List<String> names = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(
                (frame, nowNs) -> {
                    ids.add(frame.messageId());
                    names.add(dialect.name(frame.definition()));
                },
                FrameCounters.unregistered(),
                dialect);
        byte[] frame = FrameBytes.v2(WINCH.id())
                .crcExtra(WINCH.crcExtra())
                .payload(1, 2, 3, 4)
                .bytes();
        byte[] both = FrameBytes.join(frame, FrameBytes.heartbeat(0));

        decoder.decode(both, 0, both.length, 0);

        assertThat(ids).containsExactly(WINCH.id(), 0);
        assertThat(names).containsExactly("WINCH_LOAD", "HEARTBEAT");
        assertThat(dialect.layout(definition(dialect, "WINCH_LOAD"))).isEqualTo(WINCH);
        assertThat(dialect.count()).isEqualTo(standard.count() + 1);
    }

    @Test
    void checksumTellsWhichOfTwoMeaningsOfANumberIsMeant() {
        MessageLayout other = MessageLayout.of(30, "MY_ATTITUDE", List.of(LOAD));
        Dialect dialect = Dialect.with(List.of(other));
        List<String> names = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder(
                (frame, nowNs) -> names.add(dialect.name(frame.definition())), FrameCounters.unregistered(), dialect);
        byte[] bytes = FrameBytes.join(
                FrameBytes.v2(30).payload(new byte[28]).bytes(),
                FrameBytes.v2(30).crcExtra(other.crcExtra()).payload(1, 2, 3, 4).bytes());

        decoder.decode(bytes, 0, bytes.length, 0);

        assertThat(names).containsExactly("ATTITUDE", "MY_ATTITUDE");
        assertThat(dialect.table().crcExtra(30))
                .isEqualTo(MessageTable.standard().crcExtra(30));
    }

    @Test
    void newerVersionOfAMessageTakesItsPlace() {
        MessageLayout known = standard.layout(definition(standard, "ATTITUDE"));
        List<MessageLayout.Field> fields = new ArrayList<>(known.fields());
        fields.add(new MessageLayout.Field(FieldType.FLOAT, 0, "slip", true, false, "rad"));

        Dialect dialect = Dialect.with(List.of(MessageLayout.of(30, "ATTITUDE", fields)));

        assertThat(dialect.count()).isEqualTo(standard.count());
        assertThat(dialect.layout(definition(dialect, "ATTITUDE")).fields())
                .extracting(MessageLayout.Field::name)
                .endsWith("yawspeed", "slip");
    }

    @Test
    void messagesThatThisProgramUsesCannotBeGivenAnotherMeaning() {
        MessageLayout chunk = MessageLayout.of(MessageIds.LOGGING_DATA, "MY_DATA", List.of(LOAD));

        assertThat(Dialect.isMistakable(chunk)).isTrue();
        assertThat(Dialect.isMistakable(standard.layout(definition(standard, "LOGGING_DATA"))))
                .isFalse();
        assertThatThrownBy(() -> Dialect.with(List.of(chunk))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noMessageThatThisProgramHandlesByNameCanBeGivenAnotherMeaning() throws IllegalAccessException {
        for (Field constant : MessageIds.class.getFields()) {
            MessageLayout other = MessageLayout.of(constant.getInt(null), "MY_DATA", List.of(LOAD));

            assertThat(Dialect.isMistakable(other)).as(constant.getName()).isTrue();
        }
    }

    private static int definition(Dialect dialect, String name) {
        for (int i = 0; i < dialect.count(); i++) {
            if (dialect.name(i).equals(name)) {
                return i;
            }
        }
        throw new AssertionError(name);
    }
}
