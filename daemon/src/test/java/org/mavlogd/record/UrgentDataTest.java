package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.store.FakeDisk.Operation;

/** Data that may be the last of a flight is forced as soon as the recorder reads it. */
class UrgentDataTest {
    private final RecordingFixture fixture = new RecordingFixture();
    private int sequence;

    @Test
    void definitionsAreForcedWhenTheyAreComplete() {
        byte[] definitions = LogBytes.withTopic().toBytes();
        chunk(definitions);
        assertThat(forced()).isZero();

        chunk(sample(1));

        assertThat(forced()).isEqualTo(stored()).isGreaterThan(definitions.length);
    }

    @ParameterizedTest
    @EnumSource(names = {"ARMED", "DISARMED", "FAILSAFE", "CRITICAL_TEXT"})
    void eventsOfTheVehicleForceWhatIsThere(VehicleEvent event) {
        begin();
        chunk(sample(1));
        assertThat(forced()).isLessThan(appended());

        assertThat(fixture.publisher.vehicleEvent(2, 1, event, 0, fixture.nowNs()))
                .isTrue();
        fixture.work();
        assertThat(forced()).as("another vehicle's").isLessThan(appended());
        assertThat(fixture.publisher.vehicleEvent(1, 1, event, 0, fixture.nowNs()))
                .isTrue();
        fixture.work();

        assertThat(forced()).isEqualTo(appended());
    }

    @ParameterizedTest
    @ValueSource(ints = {'0', '2', 0, 2})
    void criticalTextsAreForced(int level) {
        begin();
        chunk(text('L', level));
        assertThat(forced()).isEqualTo(appended());

        fixture.advanceMs(60);
        chunk(text('C', level));

        assertThat(forced()).isEqualTo(appended());
    }

    @ParameterizedTest
    @ValueSource(ints = {'3', '7', 3, 7, 0xB2})
    void otherTextsAreNot(int level) {
        begin();

        chunk(text('L', level));
        chunk(text('C', level));

        assertThat(forced()).isLessThan(appended());
    }

    @Test
    void aTextWithoutALevelIsNoReason() {
        begin();

        chunk(LogBytes.encoded('L', new byte[0]));

        assertThat(forced()).isLessThan(appended());
    }

    @Test
    void aVehicleThatShoutsDoesNotKeepTheMediumBusy() {
        begin();
        int before = fixture.disk.count(Operation.FORCE);

        for (int i = 0; i < 2000; i++) {
            fixture.advanceMs(1);
            chunk(text('L', '2'));
        }
        assertThat(fixture.disk.count(Operation.FORCE) - before).isBetween(35, 41);
        fixture.advanceMs(50);
        fixture.work();

        assertThat(forced()).isEqualTo(appended());
    }

    /** Starts with definitions and a sample, all of it forced. */
    private void begin() {
        chunk(LogBytes.withTopic().toBytes());
        chunk(sample(0));
        fixture.workForMs(1000);
        assertThat(forced()).isEqualTo(appended());
    }

    private void chunk(byte[] bytes) {
        for (int offset = 0; offset < bytes.length; offset += LogBytes.CHUNK_LENGTH) {
            int length = Math.min(LogBytes.CHUNK_LENGTH, bytes.length - offset);
            assertThat(length).as("these tests send whole messages").isEqualTo(bytes.length);
            fixture.chunk(new BytesChunk(sequence++, 0, bytes, offset, length));
        }
    }

    private static byte[] sample(int number) {
        ByteBuffer payload = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
        payload.putShort((short) 7).putLong(2_000_000 + number * 1000L);
        return LogBytes.encoded('D', payload.array());
    }

    private static byte[] text(char type, int level) {
        ByteBuffer payload = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        payload.put((byte) level).putShort((short) 0).putLong(2_000_000);
        return LogBytes.encoded(type, payload.array());
    }

    private int forced() {
        return fixture.disk.forcedLength(fixture.names().get(0));
    }

    private int stored() {
        return fixture.disk.bytes(fixture.names().get(0)).length;
    }

    /** The length of the log, including data not written yet. */
    private int appended() {
        return (int) fixture.metric("record_stored_bytes");
    }
}
