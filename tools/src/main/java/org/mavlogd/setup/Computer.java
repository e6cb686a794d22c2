package org.mavlogd.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A computer as its files under /dev, /proc and /etc show it.
 *
 * @param root the directory that stands for /; tests give one of their own
 */
public record Computer(Path root) {
    private static final int MAX_BYTES = 64 * 1024;

    /** The one that this program runs on. */
    public static Computer here() {
        return new Computer(Path.of("/"));
    }

    /** Where a file is that has this name on the computer; relative names start at the working directory. */
    public Path path(String name) {
        return name.startsWith("/") ? root.resolve(name.substring(1)) : Path.of(name);
    }

    /** The name of a file as programs of that computer know it. */
    String name(Path file) {
        return file.startsWith(root) ? "/" + root.relativize(file) : file.toString();
    }

    /** The file behind symbolic links; the path itself where there is none. */
    Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file;
        }
    }

    /** The text of a small file, at most 64 KiB of it; empty when it cannot be read. */
    String text(String name) {
        return text(path(name));
    }

    static String text(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    List<String> lines(String name) {
        return text(name).lines().toList();
    }

    boolean isRaspberryPi() {
        return text("/proc/device-tree/model").startsWith("Raspberry Pi");
    }
}
