package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.AirVehicles.PERFECT;
import static org.mavlogd.app.SystemTests.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.AirVehicles;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.SystemTests;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.dataflash.DataFlashBytes;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.LossySettings;

/** The command with a simulated vehicle over UDP. */
@Timeout(120)
class FetchSystemTest {
    private static final LossySettings LOSSY =
            PERFECT.withLoss(5, 2).withDuplicates(2).withReordering(2);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();
    private final String link = "udp-listen:127.0.0.1:" + port;
    private final byte[] log = DataFlashBytes.make(7, 1_200_000, 40_000);
    private final LinkSettings target = new LinkSettings.UdpConnect("vehicle", "127.0.0.1", port, false);
    private final AirVehicles vehicles = new AirVehicles();
    private final Shell shell = new Shell("fetch");

    @AfterEach
    void land() throws Exception {
        vehicles.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp", "messages"})
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesArduPilotsLogByteForByteOverALossyLink(String way) throws Exception {
        arduPilot(false, LOSSY, 2_000_000);

        assertThat(shell.run("--link", link, "--by", way, "LAST", "-o", directory.toString()))
                .as(shell.err())
                .isZero();

        assertThat(onlyFile("sys001_log00001.bin")).hasBinaryContent(log);
        assertThat(shell.out()).contains(log.length + " bytes");
        assertThat(shell.out().contains("checksum right")).isEqualTo(way.equals("ftp"));
        assertThat(shell.out().contains("until this ends, the ArduPilot logs nothing, streams no log and does not arm"))
                .isEqualTo(way.equals("messages"));
        assertThat(shell.run("--link", link, "--by", way, "1", "-o", directory.toString()))
                .isZero();
        assertThat(shell.out()).contains("is there already");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp", "messages"})
    @Execution(ExecutionMode.CONCURRENT)
    void fetchesPx4sLogByteForByte(String way) throws Exception {
        px4();

        assertThat(shell.run("--link", link, "--by", way, "LAST", "-o", directory.toString()))
                .as(shell.err())
                .isZero();

        String id = way.equals("ftp") ? "00001" : "00000";
        assertThat(onlyFile("2026-11-20_12-34-56_sys001_log" + id + ".ulg")).hasBinaryContent(SystemTests.roverLog());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void listsWhatThereIs() throws Exception {
        px4();

        assertThat(shell.run("--link", link, "--list")).isZero();

        assertThat(shell.out())
                .contains(
                        "2026-11-20T12:34:56Z", "/fs/microsd/log/2026-11-20/12_34_56.ulg", "1 log, ", "by MAVLink FTP");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void asksNothingOfAnArmedVehicle() throws Exception {
        arduPilot(true, PERFECT, 0);

        assertThat(shell.run("--link", link, "LAST", "-o", directory.toString()))
                .isEqualTo(1);

        assertThat(shell.err()).contains("ArduPilot 1 is armed: logs are fetched only while it is disarmed");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aLogThatIsNotThereIsWrongUsage() throws Exception {
        arduPilot(false, PERFECT, 0);

        assertThat(shell.run("--link", link, "7", "-o", directory.toString())).isEqualTo(2);

        assertThat(shell.err()).contains("there is no log 7: --list shows all");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void nobodyThereIsSaidInOneLine() {
        assertThat(shell.run("--link", link, "--wait", "2", "LAST", "-o", directory.toString()))
                .isEqualTo(1);

        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.err()).contains("no vehicle was heard on link \"fetch\"");
    }

    @Test
    void aPortThatSomebodyElseHasIsSaidSoon() throws Exception {
        try (RunningDaemon daemon =
                RunningDaemon.in(directory).udpListen("air", port).start()) {
            await(
                    "bound",
                    () -> daemon.status("links").stream()
                            .anyMatch(air -> String.valueOf(air.get("detail")).startsWith("listening")));
            assertThat(shell.run("--link", link, "--wait", "60", "LAST", "-o", directory.toString()))
                    .isEqualTo(1);
        }
        assertThat(shell.err()).contains("in use");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theRunningMavlogdKeepsItsLinks() throws Exception {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path config = Files.writeString(
                directory.resolve("mavlogd.toml"),
                "[log]\ndirectory = \"" + logs + "\"\n[[link]]\nname = \"air\"\ntype = \"udp\"\nlisten = \"127.0.0.1:"
                        + port + "\"\n");
        try (DirectoryLock lock = DirectoryLock.take(logs)) {
            assertThat(lock).isNotNull();
            assertThat(shell.run("--config", config.toString(), "LAST")).isEqualTo(1);
            assertThat(shell.err())
                    .contains("link \"air\" is in use by the running mavlogd")
                    .contains("after_disarm");
        }
        arduPilot(false, PERFECT, 0);
        assertThat(shell.run("--config", config.toString(), "--list"))
                .as(shell.err())
                .isZero();
    }

    private Path onlyFile(String name) {
        assertThat(directory.toFile().list()).containsExactly(name);
        return directory.resolve(name);
    }

    private void arduPilot(boolean isArmed, LossySettings loss, long rate) {
        vehicles.parkArduPilot(target, log, isArmed, loss, rate);
    }

    private void px4() {
        vehicles.parkPx4(target, SystemTests.roverLog(), false, 3_000_000);
    }
}
