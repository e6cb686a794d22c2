package org.mavlogd.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What {@code init} prints about logs on another disk. */
class SetupTextTest {
    private static final Path CONFIG = Path.of("/etc/mavlogd/mavlogd.toml");

    @Test
    void namesTheUnitOfADiskAsSystemdDoes() {
        assertThat(MountUnit.name(Path.of("/media/logs"))).isEqualTo("media-logs.mount");
        assertThat(MountUnit.name(Path.of("/mnt/usb-disk 1/fl\u00fcge")))
                .isEqualTo("mnt-usb\\x2ddisk\\x201-fl\\xc3\\xbcge.mount");
    }

    @Test
    void logsOnAnotherDiskDoNotKeepTheRecorderOffWhileItIsMissing() {
        assertThat(SetupText.next(CONFIG, Path.of("/proc/none"))) // a file system of its own
                .contains("      Wants=proc.mount", "      After=proc.mount", "      ReadWritePaths=-/proc/none")
                .noneMatch(line -> line.contains("Requires"));
        assertThat(SetupText.next(CONFIG, Path.of("/none")))
                .contains("      ReadWritePaths=-/none")
                .noneMatch(line -> line.contains("mount"));
    }
}
