package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mavlogd.dataflash.CaptureTruth;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.record.MergedLog;

/**
 * The frames of a real ArduPilot, one by one through the whole recorder, give the logs that a correct receiver makes.
 */
class ArduPilotReplayTest {
    private static final String FOLDER = "/captures/ardupilot-stream/";
    private static final int V1_OVERHEAD = 8;
    private static final int V2_OVERHEAD = 12;

    /**
     * The expected result for one log.
     *
     * @param clientBytes bytes that the capture's client took before it stopped listening for a while
     * @param wireBytes bytes that the vehicle sent, all of which the recorder gets
     */
    private record Expected(String capture, int log, int clientBytes, String clientSha256, int wireBytes, String name) {
        /** Whether the client got all bytes: only then do the known facts about its log hold for the recorder's. */
        boolean isAllTheClients() {
            return clientBytes == wireBytes;
        }
    }

    @TestFactory
    Stream<DynamicTest> capturesBecomeTheExpectedLogs() {
        return captures().map(capture -> dynamicTest(capture, () -> check(capture, new Replay())));
    }

    /** As over TCP or a serial port: pieces of bytes that ignore the limits of frames. */
    @TestFactory
    Stream<DynamicTest> capturesBecomeTheExpectedLogsAsAStreamOfBytes() {
        return captures()
                .map(capture -> dynamicTest(capture, () -> {
                    Random random = new Random(capture.hashCode());
                    check(capture, new Replay(WholeRecorder.Setup.plain().asStream(), new Pieces(random, false)));
                }));
    }

    /** A booting vehicle prints other text on its serial port before and between frames. */
    @TestFactory
    Stream<DynamicTest> capturesBecomeTheExpectedLogsBehindABootText() {
        return captures()
                .map(capture -> dynamicTest(capture, () -> {
                    Random random = new Random(~capture.hashCode());
                    check(capture, new Replay(WholeRecorder.Setup.plain().asStream(), new Pieces(random, true)));
                }));
    }

    private static Stream<String> captures() {
        return expected().stream().map(Expected::capture).distinct();
    }

    private static void check(String capture, Replay replay) throws Exception {
        List<byte[]> files = replay.run(stream(capture));
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
        assertThat(replay.recorder.metric("contained_errors")).isZero();
        assertThat(replay.nacksBeforeFirstBlock).isZero();
        assertThat(replay.recorder.metric("record_lost_chunks")).isZero();
    }

    /** Checks the live ULog against the known facts about the log, and against a conversion of the complete file. */
    private static void checkULog(Expected log, byte[] file, Mapped live) throws IOException {
        CaptureTruth.checkRows(log.name(), live);
        if (log.isAllTheClients()) {
            CaptureTruth.checkCounts(log.name(), live);
        }
        Mapped converted = Mapped.of(file, ULogMapper.Values.RAW, 4096);
        assertThat(live.samples()).isEqualTo(converted.samples());
        assertThat(live.texts()).isEqualTo(converted.texts());
        assertThat(live.formatNames()).containsAll(converted.formatNames());
        // This needs a satellite fix, which comes later in the log.
        assertThat(live.infoNames()).containsAll(without(converted.infoNames(), "boot_time_utc_us"));
        // Values that a vehicle sends at first are first values; a value of a parameter that comes much later is a
        // change.
        assertThat(converted.parameters()).containsAllEntriesOf(live.parameters());
        assertThat(live.parameters()).hasSizeGreaterThan(1200);
        // No block is missing, but some vehicles dropped messages themselves, as their DMS records show.
        assertThat(live.dropouts()).isEqualTo(VehicleDrops.of(file).dropoutsMs());
        assertThat(converted.dropouts()).isEqualTo(live.dropouts());
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

    /** Cuts the vehicle's bytes into pieces of up to 700 bytes, most of them small. */
    private static final class Pieces {
        private static final byte[] BOOT_TEXT =
                "\n\nArduRover V4.7.0-dev (90700977)\n\nFree RAM: 131072\nInit complete\n~"
                        .getBytes(StandardCharsets.US_ASCII);
        private static final int TEXTS = 40;

        private final Random random;
        private final boolean hasText;
        private byte[] rest = new byte[0];
        private int frames;

        Pieces(Random random, boolean hasText) {
            this.random = random;
            this.hasText = hasText;
        }

        void send(WholeRecorder to, byte[] bytes, int offset, int length) {
            // Before the first frames, and directly between them.
            int text = hasText && frames++ < TEXTS ? random.nextInt(BOOT_TEXT.length + 1) : 0;
            byte[] all = Arrays.copyOf(rest, rest.length + text + length);
            System.arraycopy(BOOT_TEXT, 0, all, rest.length, text);
            System.arraycopy(bytes, offset, all, rest.length + text, length);
            int at = 0;
            for (int piece = next(); at + piece <= all.length; piece = next()) {
                to.receive(all, at, piece);
                at += piece;
            }
            rest = Arrays.copyOfRange(all, at, all.length);
        }

        private int next() {
            return 1 + random.nextInt(random.nextInt(4) == 0 ? 700 : 60);
        }

        void end(WholeRecorder to) {
            to.receive(rest, 0, rest.length);
        }
    }

    /** One replay: takes the vehicle's frames, and counts the recorder's. */
    private static final class Replay {
        private final WholeRecorder recorder;
        // Null if each frame is a datagram.
        private final @Nullable Pieces pieces;
        private final FrameDecoder ours = new FrameDecoder(this::onOurFrame, FrameCounters.unregistered());
        private final FrameDecoder theirs = new FrameDecoder(this::onTheirFrame, FrameCounters.unregistered());
        private boolean seen;
        private long nacksBeforeFirstBlock;
        private long acks;
        private long starts;

        Replay() {
            this(WholeRecorder.Setup.plain(), null);
        }

        Replay(WholeRecorder.Setup setup, @Nullable Pieces pieces) {
            this.recorder = new WholeRecorder(setup, this::onOurs);
            this.pieces = pieces;
        }

        private List<byte[]> run(byte[] tlog) {
            ByteBuffer buffer = ByteBuffer.wrap(tlog);
            long beginNs = recorder.nowNs();
            long beginUs = buffer.getLong(0);
            while (buffer.remaining() > Long.BYTES) {
                long timeNs = beginNs + (buffer.getLong() - beginUs) * 1000;
                int length = frameLength(tlog, buffer.position());
                recorder.advanceTo(Math.max(timeNs, recorder.nowNs()));
                theirs.decodeDatagram(tlog, buffer.position(), length, timeNs);
                if (pieces == null) {
                    recorder.receive(tlog, buffer.position(), length);
                } else {
                    pieces.send(recorder, tlog, buffer.position(), length);
                }
                buffer.position(buffer.position() + length);
            }
            if (pieces != null) {
                pieces.end(recorder);
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

    /** The capture's frames, each after its time. */
    private static byte[] stream(String capture) throws IOException {
        return capture.equals("s1_clean_rover") ? withLog(capture) : resource(capture + ".tlog.gz");
    }

    /** See ORIGIN.md. */
    private static byte[] withLog(String capture) throws IOException {
        byte[] frames = resource(capture + ".frames.gz");
        byte[] log = resource("../ardupilot/" + capture + ".mav.bin.gz");
        ByteBuffer in = ByteBuffer.wrap(frames).order(ByteOrder.LITTLE_ENDIAN);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (in.hasRemaining()) {
            int begin = in.position();
            int payload = frames[begin + Long.BYTES + 1] & 0xFF;
            boolean isBlock = (frames[begin + Long.BYTES + 7] & 0xFF) == MessageIds.REMOTE_LOG_DATA_BLOCK;
            int head = Long.BYTES + 10 + (isBlock ? LogBlockLayout.DATA_OFFSET : payload);
            out.write(frames, begin, head);
            if (isBlock) {
                int number = in.getInt(begin + Long.BYTES + 10);
                out.write(log, number * LogBlockLayout.DATA_LENGTH, payload - LogBlockLayout.DATA_OFFSET);
            }
            out.write(frames, begin + head, 2);
            in.position(begin + head + 2);
        }
        return out.toByteArray();
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
