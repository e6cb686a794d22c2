package org.mavlogd.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Directories of sysfs, which are listed from time to time; {@link SmallFile} reads files at each turn. */
public final class SysDirectory {
    private static final int MAX_LINE = 256;
    private static final int MAX_CHILDREN = 4096;

    private SysDirectory() {}

    /** The children with this prefix, in the order of their numbers; none if there is no such directory. */
    public static List<Path> children(Path directory, String prefix) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(
                directory, path -> path.getFileName().toString().startsWith(prefix))) {
            for (Path path : stream) {
                if (found.size() < MAX_CHILDREN) {
                    found.add(path);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // missing, or removed meanwhile
        }
        found.sort(SysDirectory::byNumber);
        return found;
    }

    // hwmon2 before hwmon10. Not Comparator.comparing: the class archive does not contain its lambdas, which would cost
    // time at each start.
    private static int byNumber(Path one, Path other) {
        int lengths = Integer.compare(
                one.getFileName().toString().length(),
                other.getFileName().toString().length());
        return lengths != 0 ? lengths : one.compareTo(other);
    }

    /** The path with links resolved; unchanged if that fails. */
    public static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    /** The first line of a file, stripped; empty if there is none or it cannot be read. */
    public static String line(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_LINE), StandardCharsets.UTF_8);
            return text.lines().findFirst().orElse("").replace("\0", "").strip();
        } catch (IOException e) {
            return "";
        }
    }
}
