package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files below {@code systemd} and the scripts that install them, as far as their text can be checked. */
class ServiceFilesTest {
    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("..")
            .normalize();
    // Documentation/admin-guide/devices.txt of the Linux kernel
    private static final int MAJOR_ACM = 166;
    private static final int MAJOR_USB_SERIAL = 188;

    private static String text(String file) throws IOException {
        return Files.readString(PROJECT.resolve(file));
    }

    private static int shell(String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", script)
                .directory(PROJECT.toFile())
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    /** Assignments, without comments. */
    private static List<String> lines(String file) throws IOException {
        return text(file)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    @Test
    void serialPortsOnUsbAreAllowedAlsoBeforeTheirDriverIsLoaded() throws IOException {
        assertThat(lines("systemd/mavlogd.service"))
                .contains("DeviceAllow=char-" + MAJOR_ACM + " rw", "DeviceAllow=char-" + MAJOR_USB_SERIAL + " rw");
    }

    @Test
    void noticesOfACommandOfTheServiceAreTaken() throws IOException {
        assertThat(lines("systemd/mavlogd.service")).contains("NotifyAccess=all");
    }

    @Test
    void longestDelayBeforeAStartLeavesTimeToStart() throws IOException {
        assertThat(RestartDelay.MAX_DELAY_MS).isLessThanOrEqualTo(10_000);
        assertThat(lines("systemd/mavlogd.service"))
                .contains("TimeoutStartSec=30s", "RestartSec=200ms", "RuntimeDirectoryPreserve=restart");
    }

    @Test
    void systemsForOtherProcessorsAreRefusedBeforeAnythingIsInstalled(@TempDir Path root) throws Exception {
        Path program = Files.createDirectories(root.resolve("usr/bin")).resolve("env");
        byte[] elf = new byte[64];
        System.arraycopy(new byte[] {0x7F, 'E', 'L', 'F', 2, 1}, 0, elf, 0, 6);
        String check = ". scripts/lib.sh; require_architecture " + root;
        elf[18] = (byte) 0xB7; // EM_AARCH64
        Files.write(program, elf);
        assertThat(shell(check)).isZero();
        elf[18] = 0x3E; // EM_X86_64
        Files.write(program, elf);
        assertThat(shell(check)).isZero();
        elf[4] = 1; // 32 bits: x32
        Files.write(program, elf);
        assertThat(shell(check)).isNotZero();
        elf[18] = 0x28; // EM_ARM
        Files.write(program, elf);
        assertThat(shell(check)).isNotZero();
        elf[4] = 2;
        elf[18] = (byte) 0xF3; // EM_RISCV
        Files.write(program, elf);
        assertThat(shell(check)).isNotZero();
        assertThat(shell(". scripts/lib.sh; require_architecture ''")).isZero();
        assertThat(text("scripts/install"))
                .contains("require_architecture \"$root\"\nrequire_no_package\nbuild_if_needed");
    }

    @Test
    void receiveBufferOfOthersIsNotLowered() throws IOException {
        // sysctl.d(5): for each setting the last file by name wins; "10-" is the first prefix that others use.
        assertThat(text("scripts/apply-settings"))
                .contains("/usr/lib/sysctl.d/00-mavlogd.conf", "[ \"$current\" -lt \"$wanted\" ] || exit 0");
        assertThat(text("scripts/uninstall")).contains("/usr/lib/sysctl.d/00-mavlogd.conf", "sysctl.d/60-mavlogd.conf");
    }

    @Test
    void onlyWhoAsksForTheJournalIsInItsGroup() throws IOException {
        assertThat(lines("systemd/mavlogd.service")).contains("SupplementaryGroups=dialout");
        assertThat(lines("systemd/journal.conf")).containsExactly("[Service]", "SupplementaryGroups=systemd-journal");
    }

    /** The type by which ground stations search, and the port of the link that the configuration begins with. */
    @Test
    void avahiAnnouncesThePortOfTheFirstLink() throws IOException {
        List<String> announced = lines("contrib/avahi/mavlink.service").stream()
                .map(String::strip)
                .toList();
        assertThat(announced).containsSequence("<type>_mavlink._udp</type>", "<port>14600</port>");
        assertThat(text("config/mavlogd.toml")).contains("listen = \"127.0.0.1:14600\"");
    }

    /** The start script and the configuration know everything that the drop-in sets. */
    @Test
    void smallMemoryIsOneDropIn() throws IOException {
        assertThat(lines("systemd/small.conf"))
                .containsExactly(
                        "[Service]", "Environment=MAVLOGD_MEMORY=small", "Environment=MAVLOGD_RECORDER_RING_MIB=4");
        assertThat(lines("config/jvm-small.options")).contains("-Xmx24m");
        assertThat(text("scripts/files.sh")).contains("config/jvm-small.options", "systemd/small.conf");
    }

    /** No thread of the recorder waits for the slice of one of theirs: see docs/performance.md. */
    @ParameterizedTest
    @CsvSource({"mavlogd-page, 20", "mavlogd-upload, 10"})
    void pageAndUploaderGetOnlyTheProcessorTimeThatNothingElseWants(String unit, int weight) throws IOException {
        assertThat(lines("systemd/" + unit + ".service"))
                .contains("CPUSchedulingPolicy=idle", "IOSchedulingClass=idle")
                .containsSubsequence("CPUWeight=" + weight, "CPUWeight=idle");
    }

    @Test
    void uploadsMayOnlyReadLogsAndServeNothing() throws IOException {
        assertThat(lines("systemd/mavlogd-upload.service"))
                .contains(
                        "ExecStart=/usr/lib/mavlogd/mavlogd upload --config /etc/mavlogd/mavlogd.toml",
                        "ReadOnlyPaths=/var/lib/mavlogd",
                        "StateDirectory=mavlogd/upload",
                        "ProtectSystem=strict",
                        "SocketBindDeny=any",
                        "RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX",
                        "CapabilityBoundingSet=",
                        "IOSchedulingClass=idle",
                        "RestartPreventExitStatus=2 78")
                .noneMatch(line -> line.startsWith("ReadWritePaths") || line.startsWith("SocketBindAllow"));
        assertThat(text("scripts/install")).contains("enable mavlogd-upload.service");
        assertThat(text("scripts/uninstall")).contains("mavlogd-upload.service mavlogd-page.service");
        assertThat(text("packaging/debian/rules")).contains("-pmavlogd-fleet --no-enable --no-start");
    }

    /** The vendors named in each part of the rules. */
    private static List<String> vendors(String key) throws IOException {
        return lines("systemd/60-mavlogd.rules").stream()
                .map(Pattern.compile(Pattern.quote(key) + "==\"([0-9a-f|]+)\"")::matcher)
                .filter(Matcher::find)
                .flatMap(found -> Stream.of(found.group(1).split("\\|")))
                .sorted()
                .toList();
    }

    @Test
    void rulesKnowAutopilotsAndAdaptersAsDevicesAndAsPorts() throws IOException {
        assertThat(vendors("ATTR{idVendor}"))
                .contains("26ac", "1209", "0403", "10c4", "1a86")
                .doesNotHaveDuplicates()
                .isEqualTo(vendors("ENV{ID_VENDOR_ID}"));
        assertThat(text("scripts/apply-settings"))
                .contains("--subsystem-match=usb --property-match=DEVTYPE=usb_device", "--subsystem-match=tty");
    }

    @Test
    void purgeSaysWhereLogsBehindALinkAreKept(@TempDir Path directory) throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "scripts/uninstall needs root");
        Path root = Files.createDirectory(directory.resolve("root"));
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path log = Files.createFile(disk.resolve("flight.ulg"));
        Path state = Files.createDirectories(root.resolve("var/lib/mavlogd"));
        Path output = directory.resolve("told");
        String uninstall = "scripts/uninstall --purge --root " + root + " >" + output + " 2>&1";
        Files.createSymbolicLink(state.resolve("logs"), disk);

        assertThat(shell(uninstall)).isZero();

        assertThat(state).doesNotExist();
        assertThat(log).exists();
        assertThat(output)
                .content()
                .contains("logs are kept in " + disk.toRealPath())
                .doesNotContain("with its logs");

        Files.createDirectories(state.resolve("logs"));
        Path copies = Files.createDirectories(root.resolve("var/cache/mavlogd-page"));
        assertThat(shell(uninstall)).isZero();
        assertThat(state).doesNotExist();
        assertThat(copies).doesNotExist();
        assertThat(output).content().contains("with its logs in " + root.toRealPath());
    }

    /** Nobody can be asked here. */
    @Test
    void purgeOfThePackageKeepsLogsWhereverTheyAreInItsDirectory(@TempDir Path directory) throws Exception {
        Path state = Files.createDirectories(directory.resolve("state"));
        Path script = Files.writeString(
                directory.resolve("postrm"),
                text("packaging/debian/mavlogd.postrm")
                        .replace("/var/lib/mavlogd", state.toString())
                        .replace("/usr/share/debconf", directory.resolve("none").toString())
                        .replace("/etc/mavlogd", directory.resolve("etc").toString())
                        .replace("/var/log/mavlogd", directory.resolve("log").toString()));
        Files.createDirectories(state.resolve("logs"));
        Path log =
                Files.createFile(Files.createDirectories(state.resolve("card")).resolve("flight.bin.part"));

        assertThat(shell("sh " + script + " purge")).isZero();
        assertThat(log).exists();

        Files.delete(log);
        Files.createFile(
                Files.createDirectories(state.resolve("upload/transfers")).resolve("flight.bin.note"));
        assertThat(shell("sh " + script + " purge")).isZero();
        assertThat(state).doesNotExist();
    }

    @Test
    void upgradeKeepsTheRecorderWhoseConfigurationTheNewOneRefuses(@TempDir Path directory) throws Exception {
        ProcessBuilder waiting = new ProcessBuilder("sh", "-c", "read line", "run", "--config", "/own file.toml");
        waiting.environment().put("MAVLOGD_LOG_MODE", "always; armed");
        Process recorder = waiting.start();
        Path asked = directory.resolve("asked");
        Path handOver = Files.copy(PROJECT.resolve("scripts/hand-over"), directory.resolve("hand-over"));
        program(
                directory.resolve("bin/systemctl"),
                "case $* in *MainPID*) echo " + recorder.pid() + " ;; *ActiveState*) echo failed ;; esac");
        String upgrade = "PATH=" + directory + "/bin:$PATH sh " + handOver;

        program(directory.resolve("mavlogd"), "echo \"$MAVLOGD_LOG_MODE $*\" >" + asked + "; exit 78");
        assertThat(shell(upgrade)).isEqualTo(1);
        assertThat(asked).hasContent("always; armed run --config /own file.toml --check-config\n");
        assertThat(recorder.isAlive()).isTrue();

        program(directory.resolve("mavlogd"), "exit 1"); // such as a key that cannot be read now
        shell(upgrade);
        assertThat(recorder.waitFor()).isEqualTo(128 + 9);
    }

    /** Its secrets may belong to that user. */
    @Test
    void upgradeChecksTheConfigurationAsTheUserOfTheRecorder(@TempDir Path directory) throws Exception {
        assumeTrue(Files.isWritable(Path.of("/etc/passwd")), "only root can start programs of other users");
        Process recorder = new ProcessBuilder(
                        "setpriv", "--reuid=daemon", "--regid=daemon", "--clear-groups", "sh", "-c", "read line")
                .start();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path asked = directory.resolve("asked");
        Path handOver = Files.copy(PROJECT.resolve("scripts/hand-over"), directory.resolve("hand-over"));
        program(
                directory.resolve("bin/systemctl"),
                "case $* in *MainPID*) echo " + recorder.pid() + " ;; *ActiveState*) echo failed ;; esac");
        program(directory.resolve("mavlogd"), "id -un >" + asked + "; exit 78");
        String upgrade = "PATH=" + directory + "/bin:$PATH sh " + handOver;
        await().atMost(Duration.ofSeconds(50))
                .untilAsserted(() -> assertThat(Files.getOwner(Path.of("/proc/" + recorder.pid())))
                        .hasToString("daemon"));

        assertThat(shell(upgrade)).isEqualTo(1);

        assertThat(asked).hasContent("daemon\n");
        recorder.destroyForcibly().waitFor();
    }

    private static void program(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void driversOfSerialPortsOnUsbAreLoadedAtBootAndInstalledAndRemoved() throws IOException {
        assertThat(lines("systemd/mavlogd.modules")).containsExactly("cdc_acm", "usbserial");
        assertThat(text("scripts/files.sh"))
                .contains("systemd/mavlogd.modules\" \"$1/usr/lib/modules-load.d/mavlogd.conf");
        assertThat(text("scripts/uninstall")).contains("$root/usr/lib/modules-load.d/mavlogd.conf");
        // A running system loads its modules before any service starts, unless the unit refuses this order.
        assertThat(lines("systemd/mavlogd.service")).noneMatch(line -> line.startsWith("DefaultDependencies=no"));
    }
}
