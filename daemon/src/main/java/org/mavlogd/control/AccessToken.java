package org.mavlogd.control;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The token that a request must have in its {@code Authorization} header. Only its hash is kept, and never shown.
 * Immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6750">RFC 6750, Bearer Token Usage</a>
 */
public final class AccessToken {
    private static final String SCHEME = "Bearer ";

    private final byte[] hash;

    private AccessToken(byte[] hash) {
        this.hash = hash;
    }

    public static AccessToken of(String token) {
        return new AccessToken(hash(token));
    }

    /** Whether the header contains this token. Hashes are compared, so that the duration reveals nothing. */
    boolean isIn(String authorization) {
        boolean isBearer = authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return isBearer
                && MessageDigest.isEqual(
                        hash, hash(authorization.substring(SCHEME.length()).strip()));
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Does not reveal the token. */
    @Override
    public String toString() {
        return "access token";
    }
}
