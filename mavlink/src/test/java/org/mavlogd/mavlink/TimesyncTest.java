package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimesyncTest {
    private final List<Timesync> heard = new ArrayList<>();
    private final FrameDecoder decoder =
            new FrameDecoder((frame, now) -> heard.add(Timesync.decode(frame)), FrameCounters.unregistered());

    @Test
    void comesBackAsItWasSent() {
        byte[] payload = new byte[255];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        List<Timesync> sent = List.of(
                new Timesync(Long.MAX_VALUE, Long.MIN_VALUE, 255, 1),
                new Timesync(0, 1, 0, 0),
                Timesync.request(123_456_789_012L, 7, 1));

        for (Timesync message : sent) {
            int length = message.encodePayload(payload);
            assertThat(length).isEqualTo(18);
            decoder.decodeDatagram(
                    frame, 0, new FrameEncoder(191).encode(7, MessageIds.TIMESYNC, payload, length, frame, 0), 0);
        }

        assertThat(heard).containsExactlyElementsOf(sent);
    }

    @Test
    void mavlink1HasNoTargets() {
        // MAVLink 1: start, length, sequence, system, component, message, payload, checksum with CRC_EXTRA 34.
        byte[] frame = new byte[6 + 16 + 2];
        frame[0] = (byte) 0xFE;
        frame[1] = 16;
        frame[3] = 7;
        frame[4] = 1;
        frame[5] = MessageIds.TIMESYNC;
        frame[6] = 42;
        frame[14] = 43;
        int crc = Crc16.update(Crc16.update(Crc16.START, frame, 1, 21), (byte) 34);
        frame[22] = (byte) crc;
        frame[23] = (byte) (crc >>> 8);

        decoder.decodeDatagram(frame, 0, frame.length, 0);

        assertThat(heard).containsExactly(new Timesync(42, 43, 0, 0));
        assertThat(heard.get(0).isFor(7, 191)).isTrue();
    }

    @Test
    void knowsWhomItIsFor() {
        assertThat(new Timesync(1, 1, 0, 0).isFor(7, 191)).isTrue();
        assertThat(new Timesync(1, 1, 7, 0).isFor(7, 191)).isTrue();
        assertThat(new Timesync(1, 1, 7, 191).isFor(7, 191)).isTrue();
        assertThat(new Timesync(1, 1, 7, 190).isFor(7, 191)).isFalse();
        assertThat(new Timesync(1, 1, 8, 191).isFor(7, 191)).isFalse();
    }
}
