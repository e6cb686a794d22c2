package org.mavlogd.signing;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.mavlogd.mavlink.FrameView;

/**
 * The hash of a signature: the first six bytes of the SHA-256 over key, frame, link id and timestamp. Owned by one thread;
 * allocates nothing. Hot path.
 */
final class FrameHash {
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

    /** Of a frame with a whole signature: whether its hash is right. */
    boolean isRight(FrameView frame) {
        key.update(sha256);
        frame.updateSigned(sha256);
        finish();
        return frame.hasSignatureHash(hash);
    }

    /** Of the bytes from the frame's start to the timestamp's end. Valid until the next call; begins with the hash. */
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
