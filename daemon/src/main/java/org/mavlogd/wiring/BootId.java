package org.mavlogd.wiring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells one run of this computer from the next. */
final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** As the kernel has it, with dashes; empty when it does not tell. */
    static String read() {
        try {
            return Files.readString(FILE, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
