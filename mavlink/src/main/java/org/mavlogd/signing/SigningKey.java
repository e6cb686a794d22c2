package org.mavlogd.signing;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.mavlogd.mavlink.FrameView;

/** The secret that sender and receiver share: 32 bytes, never printed. Immutable. */
public final class SigningKey {
    public static final int LENGTH = 32;

    private final byte[] bytes;

    private SigningKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A key of these bytes.
     *
     * @throws IllegalArgumentException unless there are 32
     */
    public static SigningKey of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a signing key has 32 bytes, not " + bytes.length);
        }
        return new SigningKey(bytes.clone());
    }

    /** The key that ground stations derive from a passphrase: the SHA-256 of its UTF-8 bytes. */
    public static SigningKey ofPassphrase(String passphrase) {
        return new SigningKey(FrameHash.newSha256().digest(passphrase.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether this is the public default key of vehicles that were given none. */
    public boolean isAllZero() {
        return Arrays.equals(bytes, new byte[LENGTH]);
    }

    void update(MessageDigest digest) {
        digest.update(bytes, 0, LENGTH);
    }

    /** Does not reveal the key. */
    @Override
    public String toString() {
        return "signing key";
    }

    /**
     * The hash of a signature: the first six bytes of the SHA-256 over key, frame, link id and timestamp. Owned by one
     * thread; allocates nothing. Hot path.
     */
    static final class FrameHash {
        private static final int SHA256_LENGTH = 32;

        private final SigningKey key;
        private final MessageDigest sha256 = newSha256();
        private final byte[] hash = new byte[SHA256_LENGTH];

        FrameHash(SigningKey key) {
            this.key = key;
        }

        static MessageDigest newSha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        /** Whether the hash of a frame with a complete signature is valid. */
        boolean isRight(FrameView frame) {
            key.update(sha256);
            frame.updateSigned(sha256);
            finish();
            return frame.hasSignatureHash(hash);
        }

        /**
         * The digest of the bytes from the frame's start to the timestamp's end; it starts with the hash. Valid until
         * the next call.
         */
        byte[] of(byte[] buffer, int offset, int length) {
            key.update(sha256);
            sha256.update(buffer, offset, length);
            finish();
            return hash;
        }

        private void finish() {
            try {
                sha256.digest(hash, 0, SHA256_LENGTH);
            } catch (DigestException e) {
                throw new IllegalStateException("a digest of 32 bytes fits into 32 bytes", e);
            }
        }
    }
}
