package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.text.Failures;
import org.mavlogd.text.Words;

/**
 * A log to convert.
 *
 * @param file to read
 * @param id of the log in all tables
 * @param source address of the log, of which {@code file} may be a copy
 * @param folder of the log below the source: the vehicle's name if the log has no other
 */
public record SourceLog(Path file, String id, String source, Optional<String> folder, long sizeBytes, long modifiedMs) {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int MAX_PLACE = 2000;
    private static final int MAX_REASON = 400;

    /** Whether a file of this name may be a log. */
    public static boolean isLog(String name) {
        return name.toLowerCase(Locale.ROOT).matches("[^.].*\\.(ulg|bin)(\\.gz)?");
    }

    /** A log on a disk of this computer. */
    static SourceLog of(Path file, Optional<String> folder) throws IOException {
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
     * The id of a log in all tables.
     *
     * @param file name of its file
     * @param source its address
     */
    public static String id(String file, String source) {
        String plain = file.replaceFirst("(?i)\\.(ulg|bin)(\\.gz)?$", "");
        return LakeFiles.name(plain.isEmpty() ? "log" : plain) + "-" + LakeFiles.code(source);
    }

    /** The place shown to people: the file, or the address if the file is a copy. */
    String place() {
        return Words.line(source.equals(file.toUri().toString()) ? file.toString() : source, MAX_PLACE);
    }

    /** The reason for a refusal, without the place. */
    public String reason(Throwable failure) {
        if (failure instanceof IOException io) {
            String text = Failures.text(file, io);
            return text.startsWith(file + ": ") ? text.substring(file.toString().length() + 2) : text;
        }
        StackTraceElement[] stack = failure.getStackTrace();
        String text = failure + (stack.length == 0 ? "" : " at " + stack[0]);
        return "internal error, please report this: " + Words.line(text, MAX_REASON);
    }

    /** SHA-256 of its bytes, in hexadecimal. */
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

    /** Throws if the log has changed since it was listed. */
    void requireUnchanged() throws IOException {
        SourceLog now = of(file, folder);
        if (now.sizeBytes != sizeBytes || now.modifiedMs != modifiedMs) {
            throw new IOException("changed while it was read: convert it when it is complete");
        }
    }
}
