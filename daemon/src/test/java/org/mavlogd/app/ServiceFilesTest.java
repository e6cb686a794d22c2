package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files below {@code systemd} and the scripts that install them, as far as reading them shows it. */
class ServiceFilesTest {
    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();
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

    /** Assignments without comments. */
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
        assertThat(text("scripts/install")).contains("require_architecture \"$root\"\nbuild_if_needed");
    }

    @Test
    void driversOfSerialPortsOnUsbAreLoadedAtBootAndInstalledAndRemoved() throws IOException {
        assertThat(lines("systemd/mavlogd.modules")).containsExactly("cdc_acm", "usbserial");
        assertThat(text("scripts/install")).contains("systemd/mavlogd.modules\" \"$root/usr/lib/modules-load.d/mavlogd.conf");
        assertThat(text("scripts/uninstall")).contains("$root/usr/lib/modules-load.d/mavlogd.conf");
        // Loading of modules is over before any service of a running system starts, unless the unit refuses that order.
        assertThat(lines("systemd/mavlogd.service")).noneMatch(line -> line.startsWith("DefaultDependencies=no"));
    }
}
