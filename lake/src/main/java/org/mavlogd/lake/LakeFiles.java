package org.mavlogd.lake;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names in the lake, which logs never choose, and durable writing of its files. docs/fleet.md shows the directories.
 */
final class LakeFiles {
    /** Directory of this program; readers of tables skip names that start with an underscore. */
    static final String OWN = "_mavlogd";
    /** Name of a partition with the value null, as in Hive, Spark, Trino and DuckDB. */
    static final String NO_VALUE = "__HIVE_DEFAULT_PARTITION__";

    private static final Pattern UNREADABLE = Pattern.compile("(?is)(vehicle|date)=.*|.*\\\\.*");
    private static final int MAX_NAME_LENGTH = 80;
    private static final int CODE_LENGTH = 12;

    private LakeFiles() {}

    /**
     * Checks the path of a lake.
     *
     * @throws IOException if readers of tables would take a directory of the path for a partition, or cannot read files
     *     there
     */
    static void requireReadable(Path lake) throws IOException {
        for (Path name : lake) {
            if (UNREADABLE.matcher(name.toString()).matches()) {
                throw new IOException(lake + ": a lake cannot be below a directory named \"" + name
                        + "\": readers of tables take \"vehicle=\" and \"date=\" for columns, and \"\\\" for \"/\"");
            }
        }
    }

    /** The directory of the rows of one vehicle and day, relative to the lake. */
    static String partition(String table, Optional<String> vehicle, Optional<String> date) {
        return table + "/vehicle=" + vehicle.map(LakeFiles::name).orElse(NO_VALUE) + "/date=" + date.orElse(NO_VALUE);
    }

    /** The directory of a topic, relative to the lake. */
    static String topic(String topic) {
        return "topics/" + name(topic);
    }

    /**
     * A name for a directory or file: keeps letters, digits, {@code _}, {@code -} and inner dots. A text that has other
     * characters or is too long gets a code at its end, so that different texts have different names.
     */
    static String name(String text) {
        String safe = text.replaceAll("[^A-Za-z0-9_.-]", "_").replaceAll("^[._]+", "x");
        if (safe.equals(text) && !safe.isEmpty() && safe.length() <= MAX_NAME_LENGTH) {
            return safe;
        }
        return safe.substring(0, Math.min(safe.length(), MAX_NAME_LENGTH)) + "-" + code(text);
    }

    /** A hash of a text, 12 hexadecimal digits. */
    static String code(String text) {
        byte[] hash = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash).substring(0, CODE_LENGTH);
    }

    /** Name of the file merged from these files. */
    static String dayFile(List<String> parts) {
        return "day-" + code(String.join("\n", parts)) + ".parquet";
    }

    static MessageDigest sha256() {
        return digest("SHA-256");
    }

    static MessageDigest md5() {
        return digest("MD5");
    }

    private static MessageDigest digest(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }

    /** Writes a small file that exists completely or not at all after a power cut. */
    static void writeDurably(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        Files.write(temporary, content);
        force(temporary);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceEntries(file);
    }

    static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Makes the creation, renaming or deletion of a file durable. */
    static void forceEntries(Path file) throws IOException {
        try (FileChannel directory = FileChannel.open(parent(file), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Paths of all files in a directory and below it, relative to it; none if it does not exist. */
    static Set<String> inside(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString().replace(File.separatorChar, '/'))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? Path.of("") : parent;
    }

    /** Deletes a directory of this program and its contents. */
    static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
