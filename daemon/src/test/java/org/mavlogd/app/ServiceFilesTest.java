package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    void driversOfSerialPortsOnUsbAreLoadedAtBootAndInstalledAndRemoved() throws IOException {
        assertThat(lines("systemd/mavlogd.modules")).containsExactly("cdc_acm", "usbserial");
        assertThat(text("scripts/install")).contains("systemd/mavlogd.modules\" \"$root/usr/lib/modules-load.d/mavlogd.conf");
        assertThat(text("scripts/uninstall")).contains("$root/usr/lib/modules-load.d/mavlogd.conf");
        // Loading of modules is over before any service of a running system starts, unless the unit refuses that order.
        assertThat(lines("systemd/mavlogd.service")).noneMatch(line -> line.startsWith("DefaultDependencies=no"));
    }
}
