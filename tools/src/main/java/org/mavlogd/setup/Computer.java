package org.mavlogd.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A computer, seen through its files under /dev, /proc and /etc.
 *
 * @param root directory used as /; tests use their own
 */
public record Computer(Path root) {
    private static final int MAX_BYTES = 64 * 1024;

    /** The computer on which this program runs. */
    public static Computer here() {
        return new Computer(Path.of("/"));
    }

    /** The path of a file with this name on the computer; relative names start at the working directory. */
    public Path path(String name) {
        return name.startsWith("/") ? root.resolve(name.substring(1)) : Path.of(name);
    }

    /** The name of a file for programs on that computer. */
    String name(Path file) {
        return file.startsWith(root) ? "/" + root.relativize(file) : file.toString();
    }

    /** The target of symbolic links; the path itself if there is none. */
    Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file;
        }
    }

    /** The text of a small file, up to 64 KiB; empty if it cannot be read. */
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
