package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A log to convert.
 *
 * @param file to read
 * @param id names the log in all tables
 * @param source address of the log, of which {@code file} may be a copy
 * @param folder below the source in which it is: the vehicle's name, where the log has no other
 */
public record SourceLog(Path file, String id, String source, Optional<String> folder, long sizeBytes, long modifiedMs) {
    private static final int BUFFER_BYTES = 1 << 20;

    /**
     * All logs of a folder and of those below it, by their names; or the one log that is named.
     *
     * @throws IOException if the folder, or one below it, cannot be read
     */
    static List<SourceLog> in(Path source) throws IOException {
        Path root = source.toRealPath();
        if (Files.isRegularFile(root)) {
            return List.of(of(root, Optional.empty()));
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(SourceLog::isLog).sorted().toList();
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
        List<SourceLog> logs = new ArrayList<>(files.size());
        for (Path file : files) {
            Path inside = root.relativize(file);
            logs.add(of(file, Optional.of(inside.getName(0).toString()).filter(name -> inside.getNameCount() > 1)));
        }
        return logs;
    }

    private static boolean isLog(Path file) {
        Path name = file.getFileName();
        return name != null && isLog(name.toString()) && Files.isRegularFile(file);
    }

    /** Whether a file of this name may be a log. */
    public static boolean isLog(String name) {
        return name.toLowerCase(Locale.ROOT).matches("[^.].*\\.(ulg|bin)(\\.gz)?");
    }

    private static SourceLog of(Path file, Optional<String> folder) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new SourceLog(
                file,
                id(String.valueOf(file.getFileName()), file.toUri().toString()),
                file.toUri().toString(),
                folder,
                attributes.size(),
                attributes.lastModifiedTime().toMillis());
    }

    /**
     * The name of a log in all tables.
     *
     * @param file its name
     * @param source its address
     */
    public static String id(String file, String source) {
        String plain = file.replaceFirst("(?i)\\.(ulg|bin)(\\.gz)?$", "");
        return LakeFiles.name(plain.isEmpty() ? "log" : plain) + "-" + LakeFiles.code(source);
    }

    /** Of its bytes, in hexadecimal. */
    public String sha256() throws IOException {
        MessageDigest digest = LakeFiles.sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Refuses a log that somebody wrote to since it was listed. */
    void requireUnchanged() throws IOException {
        SourceLog now = of(file, folder);
        if (now.sizeBytes != sizeBytes || now.modifiedMs != modifiedMs) {
            throw new IOException("changed while it was read: convert it when it is complete");
        }
    }
}
