package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Decodes the recorded bytes of real vehicles; ORIGIN.md lists their origins. */
final class FrameDecoderCaptureTest {
    private static final int TIME_BYTES = 8;

    private final FrameLog log = new FrameLog();

    @Test
    void findsEveryFrameOnASerialLine() {
        byte[] bytes = resource("px4_serial_921600.bin.gz");
        for (int chunk : new int[] {1, 61, 4096, bytes.length}) {
            FrameLog seen = new FrameLog();

            seen.stream(bytes, chunk);

            // Counted by following the length bytes from the end of the noise.
            assertThat(seen.messageIds).hasSize(1394);
            assertThat(Collections.frequency(seen.messageIds, MessageIds.LOGGING_DATA_ACKED))
                    .isEqualTo(325);
            assertThat(Collections.frequency(seen.messageIds, MessageIds.HEARTBEAT))
                    .isEqualTo(4);
            assertThat(seen.counters.skippedBytes().get()).isEqualTo(19);
            assertThat(seen.counters.badChecksums().get()).isZero();
        }
    }

    @Test
    void takesSignedFrames() {
        List<byte[]> frames = tlog("px4_signed_frames.tlog.gz");

        frames.forEach(log::datagram);

        assertThat(log.messageIds).hasSize(500);
        assertThat(Collections.frequency(log.messageIds, MessageIds.LOGGING_DATA_ACKED))
                .isEqualTo(371);
        assertThat(Collections.frequency(log.messageIds, MessageIds.LOGGING_DATA))
                .isEqualTo(125);
        assertThat(log.cutSignatures).doesNotContain(true);
        assertThat(log.counters.skippedBytes().get()).isZero();
    }

    @Test
    void takesSignedFramesThatWereCut() {
        List<byte[]> whole = tlog("px4_signed_frames.tlog.gz");
        List<byte[]> cut = whole.stream()
                .map(frame -> Arrays.copyOf(frame, Math.min(267, frame.length)))
                .toList();
        FrameLog expected = new FrameLog();
        whole.forEach(expected::datagram);
        FrameLog stream = new FrameLog();

        cut.forEach(log::datagram);
        cut.forEach(stream::stream);
        stream.stream(new byte[FrameLayout.SIGNATURE_LENGTH + 1]);

        assertThat(log.frames).isEqualTo(expected.frames);
        assertThat(stream.frames).isEqualTo(expected.frames);
        assertThat(log.counters.cutSignatures().get())
                .isEqualTo(whole.stream().filter(frame -> frame.length > 267).count());
    }

    @Test
    void takesMavlink1() {
        tlog("ardupilot_mavlink1.tlog.gz").forEach(log::datagram);

        assertThat(log.messageIds).hasSize(600);
        assertThat(Collections.frequency(log.messageIds, 184)).isEqualTo(287);
        assertThat(Collections.frequency(log.messageIds, 185)).isEqualTo(287);
        assertThat(log.counters.skippedBytes().get()).isZero();
    }

    private static List<byte[]> tlog(String name) {
        byte[] bytes = resource(name);
        List<byte[]> frames = new ArrayList<>();
        for (int at = TIME_BYTES; at < bytes.length; ) {
            boolean v2 = bytes[at] == FrameLayout.START_V2;
            boolean signed = v2 && (bytes[at + 2] & 1) != 0;
            int length = (bytes[at + 1] & 0xFF) + (v2 ? 12 : 8) + (signed ? 13 : 0);
            frames.add(Arrays.copyOfRange(bytes, at, at + length));
            at += length + TIME_BYTES;
        }
        return frames;
    }

    private static byte[] resource(String name) {
        try (InputStream in = FrameDecoderCaptureTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            try (GZIPInputStream unpacked = new GZIPInputStream(in)) {
                return unpacked.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
