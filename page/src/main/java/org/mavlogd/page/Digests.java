package org.mavlogd.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of contents, derived from their SHA-256. */
final class Digests {
    private Digests() {}

    static String hex(String text) {
        return hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The first 32 hexadecimal digits. */
    static String hex(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
