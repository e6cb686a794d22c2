package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.AirVehicles.PERFECT;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.AirHub;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.DataFlashBytes;

/** Tests that long operations show their progress on a terminal, and nowhere else. */
@Timeout(120)
class ProgressSystemTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final int RECORD_LENGTH = 3 + 8 + 64;
    private static final String BAR = "\\[#*\\.*\\] +\\d+ %  ";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] binLog = DataFlashBytes.make(3, 700_000, 40_000);

    private record Result(int code, String text) {}

    /** Runs the program in its own process, on a terminal if {@code isTerminal}. */
    private Result run(boolean isTerminal, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint", // slows the program, so that work takes longer than a moment on any computer
                "-cp",
                System.getProperty("java.class.path"),
                "org.mavlogd.tools.Main"));
        command.addAll(List.of(arguments));
        if (isTerminal) {
            assumeTrue(Files.isExecutable(SCRIPT), "no " + SCRIPT);
            String line = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
            command = List.of(SCRIPT.toString(), "-qec", line, "/dev/null");
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), text);
    }

    private Result fetch(boolean isTerminal, String out) throws Exception {
        try (AirHub air = new AirHub(0, null);
                AirVehicles vehicles = new AirVehicles()) {
            vehicles.parkArduPilot(air.vehicleTarget(), binLog, false, PERFECT, 350_000);
            return run(
                    isTerminal,
                    "fetch",
                    "--link",
                    "udp:127.0.0.1:" + air.udpPort(),
                    "LAST",
                    "-o",
                    directory.resolve(out).toString());
        }
    }

    @Test
    void fetchShowsABarOnATerminalAndTakesItAway() throws Exception {
        Result result = fetch(true, "a");

        assertThat(result.code()).as(result.text()).isZero();
        assertThat(result.text()).containsPattern("\\rlog 1 " + BAR + "0\\.\\d of 0\\.7 MB, \\d+ KB/s\\033\\[K");
        assertThat(result.text().split("\\rlog 1 \\[", -1)).hasSizeGreaterThan(5);
        assertThat(result.text()
                        .substring(result.text().lastIndexOf("\033[K") + 3)
                        .strip())
                .isEqualTo("log 1: " + directory.resolve("a/sys001_log00001.bin") + ", " + binLog.length
                        + " bytes, checksum right");
    }

    @Test
    void fetchShowsNoBarElsewhere() throws Exception {
        Result result = fetch(false, "b");

        assertThat(result.code()).as(result.text()).isZero();
        assertThat(result.text().lines())
                .containsExactly("log 1: " + directory.resolve("b/sys001_log00001.bin") + ", " + binLog.length
                        + " bytes, checksum right");
    }

    /** A log that takes long enough to show a bar. */
    private Path longLog() throws IOException {
        byte[] head = DataFlashBuilder.aLog().fmt(1, "AAA", "QZ", "TimeUS,Text").toByteArray();
        ByteBuffer log =
                ByteBuffer.allocate(15_000_000).order(ByteOrder.LITTLE_ENDIAN).put(head);
        for (long timeUs = 1_000; log.remaining() >= RECORD_LENGTH; timeUs += 100) {
            int next = log.position() + RECORD_LENGTH;
            log.put((byte) 0xA3).put((byte) 0x95).put((byte) 1).putLong(timeUs).position(next);
        }
        return Files.write(directory.resolve("long.bin"), Arrays.copyOf(log.array(), log.position()));
    }

    @Test
    void convertShowsABarOnATerminalAndNoneElsewhere() throws Exception {
        String in = longLog().toString();
        String out = directory.resolve("long.ulg").toString();

        Result whole = run(true, "convert", in, out);
        assertThat(whole.code()).as(whole.text()).isZero();
        assertThat(whole.text()).containsPattern("\\r" + BAR + "[\\d.]+ of [\\d.]+ MB, \\d+ [kM]B/s\\033\\[K");
        assertThat(belowTheBar(whole)).startsWith(in + ": nothing lost");

        try (FileChannel channel = FileChannel.open(Path.of(in), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 3);
        }
        Result cut = run(true, "convert", "--strict", "--force", in, out);
        assertThat(cut.code()).as(cut.text()).isEqualTo(3);
        assertThat(belowTheBar(cut)).startsWith("mavlogd convert: " + in + ": lost: ");

        Result plain = run(false, "convert", "--strict", "--force", in, out);
        assertThat(plain.code()).isEqualTo(3);
        assertThat(plain.text())
                .startsWith("mavlogd convert: " + in)
                .hasLineCount(1)
                .doesNotContain("\r")
                .doesNotContain("\033");
    }

    private static String belowTheBar(Result result) {
        assertThat(result.text()).containsPattern("\\r" + BAR);
        return result.text().substring(result.text().lastIndexOf("\033[K") + 3).strip();
    }
}
