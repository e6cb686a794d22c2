package org.mavlogd.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The unit of systemd that mounts the disk of a directory: systemd.mount(5). */
final class MountUnit {
    private static final String DEVICE = "unix:dev";

    private MountUnit() {}

    /** The name of the unit; empty if the directory is on the system's own disk. It need not exist. */
    static Optional<String> of(Path directory) {
        try {
            Path at = directory;
            while (!Files.exists(at)) {
                at = Objects.requireNonNull(at.getParent());
            }
            Object disk = Files.getAttribute(at, DEVICE);
            for (Path above = at.getParent(); above != null; above = at.getParent()) {
                if (!Files.getAttribute(above, DEVICE).equals(disk)) {
                    return Optional.of(name(at));
                }
                at = above;
            }
        } catch (IOException e) {
            // Then nothing is known of it.
        }
        return Optional.empty();
    }

    /** As "systemd-escape -p --suffix=mount" prints it: systemd.unit(5). */
    static String name(Path mountPoint) {
        StringBuilder unit = new StringBuilder();
        for (byte one : mountPoint.toString().substring(1).getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xFF);
            if (c == '/') {
                unit.append('-');
            } else if (c < 128 && (Character.isLetterOrDigit(c) || ":_.".indexOf(c) >= 0)) {
                unit.append(c);
            } else {
                unit.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
            }
        }
        return unit + ".mount";
    }
}
