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
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mavlogd.dataflash.CaptureTruth;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.Values;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.record.MergedLog;

/** What a real ArduPilot sent, frame by frame through the whole recorder, gives the logs that a correct receiver makes. */
class ArduPilotReplayTest {
    private static final String FOLDER = "/captures/ardupilot-stream/";
    private static final int V1_OVERHEAD = 8;
    private static final int V2_OVERHEAD = 12;

    /**
     * What is expected of one log.
     *
     * @param clientBytes what the client took before it stopped listening for a while
     * @param wireBytes what the vehicle sent: we listen all the time
     */
    private record Expected(String capture, int log, int clientBytes, String clientSha256, int wireBytes, String name) {
        /** Whether the client had what we have, so that what is known of its log is true of ours. */
        boolean isAllTheClients() {
            return clientBytes == wireBytes;
        }
    }

    @TestFactory
    Stream<DynamicTest> capturesBecomeTheExpectedLogs() {
        return expected().stream()
                .map(Expected::capture)
                .distinct()
                .map(capture -> dynamicTest(capture, () -> check(capture)));
    }

    private static void check(String capture) throws Exception {
        Replay replay = new Replay();

        List<byte[]> files = replay.run(resource(capture + ".tlog.gz"));
        List<byte[]> ulogs = replay.files(".ulg");

        List<Expected> expected =
                expected().stream().filter(log -> log.capture().equals(capture)).toList();
        assertThat(files).hasSize(expected.size());
        for (Expected log : expected) {
            byte[] file = files.get(log.log());
            assertThat(file).hasSize(log.wireBytes());
            assertThat(sha256(Arrays.copyOf(file, log.clientBytes()))).isEqualTo(log.clientSha256());
            checkULog(log, file, Mapped.read(ulogs.get(log.log())));
        }
        assertThat(ulogs).hasSize(expected.size());
        assertThat(replay.recorder.metric("record_mapping_failures")).isZero();
        assertThat(replay.nacksBeforeFirstBlock).isZero();
        assertThat(replay.recorder.metric("record_lost_chunks")).isZero();
    }

    /** What is known of the log, and what is converted of the whole file afterwards, is in the live one. */
    private static void checkULog(Expected log, byte[] file, Mapped live) throws IOException {
        CaptureTruth.checkRows(log.name(), live);
        if (log.isAllTheClients()) {
            CaptureTruth.checkCounts(log.name(), live);
        }
        Mapped converted = Mapped.of(file, Values.RAW, 4096);
        assertThat(live.samples()).isEqualTo(converted.samples());
        assertThat(live.texts()).isEqualTo(converted.texts());
        assertThat(live.formatNames()).containsAll(converted.formatNames());
        // That needs a fix of the satellites, which comes later.
        assertThat(live.infoNames()).containsAll(without(converted.infoNames(), "boot_time_utc_us"));
        // What a vehicle tells at first are first values; a parameter that it tells much later is a change.
        assertThat(converted.parameters()).containsAllEntriesOf(live.parameters());
        assertThat(live.parameters()).hasSizeGreaterThan(1200);
        assertThat(live.dropouts()).isEmpty();
    }

    private static Set<String> without(Set<String> names, String name) {
        Set<String> rest = new HashSet<>(names);
        rest.remove(name);
        return rest;
    }

    @Test
    void companionDataCanBeTakenOutAgain() throws Exception {
        byte[] stream = resource("s7_mavlink1.tlog.gz");
        Replay alone = new Replay();
        alone.run(stream);
        Replay merged = new Replay();
        Companion companion = Companion.of(merged.recorder);
        merged.run(stream);

        byte[] log = merged.files(".ulg").get(0);

        assertThat(companion.check(MergedLog.of(log))).isGreaterThan(500);
        assertThat(MergedLog.of(log).texts()).isNotEmpty();
        assertThat(MergedLog.withoutLocal(log)).isEqualTo(alone.files(".ulg").get(0));
        assertThat(merged.files(".bin").get(0)).isEqualTo(alone.files(".bin").get(0));
    }

    @Test
    void everyBlockIsAcknowledgedOnceForEachTimeItCame() throws Exception {
        Replay replay = new Replay();

        replay.run(resource("s7_mavlink1.tlog.gz"));

        assertThat(replay.acks).isEqualTo(3294);
        assertThat(replay.starts).isGreaterThanOrEqualTo(1);
    }

    /** One replay: the vehicle's frames in, ours counted. */
    private static final class Replay {
        private final WholeRecorder recorder = new WholeRecorder(WholeRecorder.Setup.plain(), this::onOurs);
        private final FrameDecoder ours = new FrameDecoder(this::onOurFrame, FrameCounters.unregistered());
        private final FrameDecoder theirs = new FrameDecoder(this::onTheirFrame, FrameCounters.unregistered());
        private boolean seen;
        private long nacksBeforeFirstBlock;
        private long acks;
        private long starts;

        private List<byte[]> run(byte[] tlog) {
            ByteBuffer buffer = ByteBuffer.wrap(tlog);
            long beginNs = recorder.nowNs();
            long beginUs = buffer.getLong(0);
            while (buffer.remaining() > Long.BYTES) {
                long timeNs = beginNs + (buffer.getLong() - beginUs) * 1000;
                int length = frameLength(tlog, buffer.position());
                recorder.advanceTo(Math.max(timeNs, recorder.nowNs()));
                theirs.decodeDatagram(tlog, buffer.position(), length, timeNs);
                recorder.receive(tlog, buffer.position(), length);
                buffer.position(buffer.position() + length);
            }
            recorder.advanceTo(recorder.nowNs() + 40 * WholeRecorder.SECOND_NS);
            recorder.close();
            return files(".bin");
        }

        private List<byte[]> files(String kind) {
            return recorder.disk().contents().entrySet().stream()
                    .filter(file -> file.getKey().endsWith(kind))
                    .map(file -> file.getValue())
                    .toList();
        }

        private void onTheirFrame(FrameView frame, long now) {
            if (frame.messageId() == MessageIds.REMOTE_LOG_DATA_BLOCK) {
                seen |= frame.uint32(LogBlockLayout.NUMBER_OFFSET) == 0;
            }
        }

        private void onOurs(byte[] frame, int offset, int length) {
            ours.decodeDatagram(frame, offset, length, 0);
        }

        private void onOurFrame(FrameView frame, long now) {
            if (frame.messageId() != MessageIds.REMOTE_LOG_BLOCK_STATUS) {
                return;
            }
            LogBlockStatus status = LogBlockStatus.decode(frame);
            if (status.status() == LogBlockStatus.NACK && !seen) {
                nacksBeforeFirstBlock++;
            } else if (status.number() == LogBlockStatus.START) {
                starts++;
            } else if (status.status() == LogBlockStatus.ACK && status.number() < LogBlockStatus.STOP) {
                acks++;
            }
        }
    }

    private static int frameLength(byte[] tlog, int offset) {
        int payload = tlog[offset + 1] & 0xFF;
        return payload + ((tlog[offset] & 0xFF) == 0xFE ? V1_OVERHEAD : V2_OVERHEAD);
    }

    private static List<Expected> expected() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                ArduPilotReplayTest.class.getResourceAsStream(FOLDER + "expected.csv"), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(","))
                    .map(cell -> new Expected(
                            cell[0],
                            Integer.parseInt(cell[1]),
                            Integer.parseInt(cell[2]),
                            cell[3],
                            Integer.parseInt(cell[4]),
                            cell[5]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(ArduPilotReplayTest.class.getResourceAsStream(FOLDER + name))) {
            return in.readAllBytes();
        }
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
