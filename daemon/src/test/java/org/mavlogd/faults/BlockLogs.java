package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.app.FlyingArduPilot;
import org.mavlogd.app.SentBlocks;
import org.mavlogd.app.SystemTests;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.whole.LogContent;

/** The files that a recorder left of an ArduPilot's logs: blocks in their places, and the ULogs made of them. */
final class BlockLogs {
    static final int BLOCK = 200;

    private static final int LOG_BYTES = 400_000;
    private static final int FILLER_TEXT = 136;

    private BlockLogs() {}

    /**
     * A vehicle that drives, streams an endless log in blocks, and keeps each for more than a second. A disarmed one that
     * was silent for 3 s, as on a machine that stands still, would be asked to begin another log.
     */
    static FlyingArduPilot fly(int port, int bytesPerSecond, long rebootNs) {
        ArduPilotSettings settings = SystemTests.arduPilot()
                .bufferKb(53)
                .rateBytesPerSecond(bytesPerSecond)
                .rebootNs(rebootNs)
                .loops(true)
                .startsArmed(true)
                .build();
        DataFlashImage log = DataFlashImage.of(DataFlashBytes.make(7, LOG_BYTES, bytesPerSecond));
        return new FlyingArduPilot(VehicleWire.udpTo(port), settings, log);
    }

    static List<Path> files(Path directory) throws IOException {
        return LogDirectory.files(directory, "bin");
    }

    /** The only file of blocks that starts like this log; empty if there is none. */
    static byte[] onlyFileOf(SentBlocks sent, Path directory) throws IOException {
        byte[] first = Arrays.copyOf(sent.bytes(), BLOCK);
        List<byte[]> found = new ArrayList<>();
        for (Path file : files(directory)) {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length >= BLOCK && Arrays.equals(first, Arrays.copyOf(bytes, BLOCK))) {
                found.add(bytes);
            }
        }
        assertThat(found).as("files of the log").hasSizeLessThanOrEqualTo(1);
        return found.isEmpty() ? new byte[0] : found.get(0);
    }

    /**
     * Checks that each block is in its place as it was sent, or replaced by a filler; returns the numbers of the
     * fillers.
     */
    static Set<Integer> fillers(byte[] file, byte[] sent) {
        Set<Integer> fillers = new HashSet<>();
        assertThat(file.length % BLOCK).as("part of a block at the end").isZero();
        assertThat(file.length).as("bytes").isLessThanOrEqualTo(sent.length);
        for (int at = 0; at < file.length; at += BLOCK) {
            if (isFiller(file, at)) {
                fillers.add(at / BLOCK);
            } else {
                assertThat(Arrays.equals(file, at, at + BLOCK, sent, at, at + BLOCK))
                        .as("block %d is as it was sent", at / BLOCK)
                        .isTrue();
            }
        }
        return fillers;
    }

    private static boolean isFiller(byte[] file, int at) {
        String text = new String(file, at + FILLER_TEXT, BLOCK - FILLER_TEXT, StandardCharsets.US_ASCII);
        return text.startsWith("mavlogd: log block " + at / BLOCK + " never came\n");
    }

    /** Converts blocks. */
    static Mapped mapped(byte[] blocks) throws IOException {
        return Mapped.of(blocks, ULogMapper.Values.RAW, LOG_BYTES);
    }

    /** All samples as text; none occurs twice in a log. */
    static Set<String> samples(Mapped log) {
        Set<String> all = new HashSet<>();
        for (Map.Entry<String, List<Map<String, Object>>> series : log.samples().entrySet()) {
            for (Map<String, Object> sample : series.getValue()) {
                all.add(series.getKey() + sample);
            }
        }
        return all;
    }

    /** Reads a ULog up to its last complete message; a file that ended before its first sample has none. */
    static Mapped ulog(Path file) throws IOException {
        return ulog(Files.readAllBytes(file));
    }

    static Mapped ulog(byte[] bytes) throws IOException {
        return Mapped.read(Arrays.copyOf(bytes, LogContent.of("stored", bytes).completeLength()));
    }
}
