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
 * @param folder below the source in which it is: the vehicle's name, where the log has no other
 */
record SourceLog(Path file, Optional<String> folder, long sizeBytes, long modifiedMs) {
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
        return name != null
                && name.toString().toLowerCase(Locale.ROOT).matches("[^.].*\\.(ulg|bin)(\\.gz)?")
                && Files.isRegularFile(file);
    }

    private static SourceLog of(Path file, Optional<String> folder) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new SourceLog(
                file, folder, attributes.size(), attributes.lastModifiedTime().toMillis());
    }

    /** Its address. */
    String source() {
        return file.toUri().toString();
    }

    /** Names the log in all tables. */
    String id() {
        Path name = file.getFileName();
        String plain = name == null ? "" : name.toString().replaceFirst("(?i)\\.(ulg|bin)(\\.gz)?$", "");
        String safe = LakeFiles.name(plain.isEmpty() ? "log" : plain);
        return safe + "-" + LakeFiles.code(source());
    }

    String sha256() throws IOException {
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
