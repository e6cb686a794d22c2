package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mavlogd.record.MergedLog;

/** The bytes of real vehicles, through the whole recorder, give the logs that a correct receiver makes of them. */
class CaptureReplayTest {
    private static final int V1_OVERHEAD = 8;
    private static final int V2_OVERHEAD = 12;
    private static final int SIGNATURE_LENGTH = 13;
    // 921600 baud, ten bits a byte.
    private static final long SERIAL_BYTES_PER_SECOND = 92_160;
    private static final int SERIAL_READ_BYTES = 300;
    private static final long EMPTY_LOG = 0;

    private record Expected(String capture, int file, long vehicleBytes, String vehicleSha256, int dropouts) {}

    @TestFactory
    Stream<DynamicTest> capturesBecomeTheExpectedLogs() {
        return expected().stream()
                .map(Expected::capture)
                .distinct()
                .map(capture -> dynamicTest(capture, () -> check(capture)));
    }

    @Test
    void blamesTheVehicleForWhatItNeverSent() throws IOException {
        WholeRecorder recorder = serialRecorder();

        replaySerial(recorder, "08_serial_921600");

        assertThat(recorder.lostChunks("vehicle") + recorder.lostChunks("link")).isEqualTo(1829);
        assertThat(recorder.lostChunks("vehicle")).isGreaterThan(0.99 * 1829);
    }

    @Test
    void blamesTheLinkForFramesThatAreMissing() throws IOException {
        WholeRecorder recorder = datagramRecorder();

        replayDatagrams(recorder, "02_loss5");

        assertThat(recorder.lostChunks("vehicle") + recorder.lostChunks("link")).isEqualTo(241);
        assertThat(recorder.lostChunks("link")).isGreaterThan(0.99 * 241);
    }

    private static void check(String capture) throws Exception {
        List<Expected> expected = expected().stream()
                .filter(log -> log.capture().equals(capture) && log.vehicleBytes() > EMPTY_LOG)
                .toList();

        List<LogContent> logs = capture.contains("serial")
                ? replaySerial(serialRecorder(), capture)
                : replayDatagrams(datagramRecorder(), capture);

        assertThat(logs).hasSize(expected.size());
        for (Expected log : expected) {
            LogContent actual = logs.get(log.file());
            assertThat(actual.isComplete()).isTrue();
            assertThat(actual.messages().stream().filter(actual::isRecorderInfo))
                    .hasSizeBetween(2, 3); // its name, its start, and the start by the clock of a vehicle that is ahead
            // Gaps with no timed message between them are marked as one.
            assertThat(actual.count('O')).isBetween((long) log.dropouts() - 2, (long) log.dropouts());
            assertThat(actual.fromVehicle()).hasSize((int) log.vehicleBytes());
            assertThat(sha256(actual.fromVehicle())).isEqualTo(log.vehicleSha256());
        }
    }

    @TestFactory
    Stream<DynamicTest> mergedLogsWithoutTheLocalMessagesAreTheSame() {
        return expected().stream()
                .map(Expected::capture)
                .distinct()
                .map(capture -> dynamicTest(capture, () -> checkMerged(capture)));
    }

    private static void checkMerged(String capture) throws Exception {
        List<LogContent> plain = replay(recorder(capture), capture);
        WholeRecorder merging = recorder(capture);
        Companion companion = Companion.of(merging);

        List<LogContent> merged = replay(merging, capture);

        assertThat(merged).hasSameSizeAs(plain);
        int samples = 0;
        for (int i = 0; i < plain.size(); i++) {
            byte[] file = merged.get(i).bytes();
            assertThat(MergedLog.withoutLocal(file)).isEqualTo(plain.get(i).bytes());
            samples += companion.check(MergedLog.of(file));
        }
        assertThat(samples).isEqualTo((int) merging.metric("merge_stored_samples"));
        if (plain.stream().anyMatch(log -> log.count('D') > 0)) {
            assertThat(samples).isPositive();
        }
    }

    private static WholeRecorder recorder(String capture) {
        return capture.contains("serial") ? serialRecorder() : datagramRecorder();
    }

    private static List<LogContent> replay(WholeRecorder recorder, String capture) throws IOException {
        return capture.contains("serial") ? replaySerial(recorder, capture) : replayDatagrams(recorder, capture);
    }

    private static WholeRecorder datagramRecorder() {
        return new WholeRecorder(WholeRecorder.Setup.plain(), (frame, offset, length) -> {});
    }

    private static WholeRecorder serialRecorder() {
        return new WholeRecorder(WholeRecorder.Setup.plain().asStream(), (frame, offset, length) -> {});
    }

    private static List<LogContent> replayDatagrams(WholeRecorder recorder, String capture) throws IOException {
        byte[] tlog = resource(capture + ".tlog.gz");
        ByteBuffer buffer = ByteBuffer.wrap(tlog);
        long beginNs = recorder.nowNs();
        long beginUs = buffer.getLong(0);
        while (buffer.remaining() > Long.BYTES) {
            long timeNs = beginNs + (buffer.getLong() - beginUs) * 1000;
            int length = frameLength(tlog, buffer.position());
            recorder.advanceTo(Math.max(timeNs, recorder.nowNs()));
            recorder.receive(tlog, buffer.position(), length);
            buffer.position(buffer.position() + length);
        }
        return finish(recorder);
    }

    private static int frameLength(byte[] tlog, int offset) {
        int payload = tlog[offset + 1] & 0xFF;
        if ((tlog[offset] & 0xFF) == 0xFE) {
            return payload + V1_OVERHEAD;
        }
        boolean signed = (tlog[offset + 2] & 1) != 0;
        return payload + V2_OVERHEAD + (signed ? SIGNATURE_LENGTH : 0);
    }

    private static List<LogContent> replaySerial(WholeRecorder recorder, String capture) throws IOException {
        byte[] bytes = resource(capture + ".serial.bin.gz");
        long beginNs = recorder.nowNs();
        for (int offset = 0; offset < bytes.length; offset += SERIAL_READ_BYTES) {
            recorder.advanceTo(beginNs + offset * WholeRecorder.SECOND_NS / SERIAL_BYTES_PER_SECOND);
            recorder.receive(bytes, offset, Math.min(SERIAL_READ_BYTES, bytes.length - offset));
        }
        return finish(recorder);
    }

    private static List<LogContent> finish(WholeRecorder recorder) {
        recorder.advanceTo(recorder.nowNs() + 40 * WholeRecorder.SECOND_NS);
        recorder.close();
        return recorder.logs();
    }

    private static List<Expected> expected() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                CaptureReplayTest.class.getResourceAsStream("/captures/px4/expected.csv"), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(","))
                    .map(cell -> new Expected(
                            cell[0],
                            Integer.parseInt(cell[1]),
                            Long.parseLong(cell[3]),
                            cell[4],
                            Integer.parseInt(cell[5])))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in =
                new GZIPInputStream(CaptureReplayTest.class.getResourceAsStream("/captures/px4/" + name))) {
            return in.readAllBytes();
        }
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
