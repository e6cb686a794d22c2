package org.mavlogd.signing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** The secret that sender and receiver share: 32 bytes, never shown. Immutable. */
public final class SigningKey {
    public static final int LENGTH = 32;

    private final byte[] bytes;

    private SigningKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The key of these bytes.
     *
     * @throws IllegalArgumentException unless there are 32
     */
    public static SigningKey of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a signing key has 32 bytes, not " + bytes.length);
        }
        return new SigningKey(bytes.clone());
    }

    /** The key that ground stations make of a passphrase: the SHA-256 of its UTF-8 bytes. */
    public static SigningKey ofPassphrase(String passphrase) {
        return new SigningKey(FrameHash.newSha256().digest(passphrase.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether it is the key that vehicles sign with when nobody gave them one; everybody knows it. */
    public boolean isAllZero() {
        return Arrays.equals(bytes, new byte[LENGTH]);
    }

    void update(MessageDigest digest) {
        digest.update(bytes, 0, LENGTH);
    }

    /** Tells nothing. */
    @Override
    public String toString() {
        return "signing key";
    }
}
