package org.mavlogd.signing;

import org.mavlogd.mavlink.FrameSeal;

/** Signs what one link sends. Owned by the link's thread; allocates nothing. */
final class KeySeal implements FrameSeal {
    private static final int STAMP_LENGTH = 6;
    private static final int HASH_LENGTH = 6;

    private final byte signatureLink;
    private final SigningClock clock;
    private final FrameHash hash;

    /** @param signatureLink tells this link's frames from those of our other links, 0 to 255 */
    KeySeal(int signatureLink, SigningKey key, SigningClock clock) {
        this.signatureLink = (byte) signatureLink;
        this.clock = clock;
        this.hash = new FrameHash(key);
    }

    @Override
    public boolean isSigning() {
        return true;
    }

    @Override
    public int seal(byte[] frame, int offset, int length) {
        int at = offset + length;
        frame[at++] = signatureLink;
        long stamp = clock.next();
        for (int i = 0; i < STAMP_LENGTH; i++) {
            frame[at++] = (byte) (stamp >>> (Byte.SIZE * i));
        }
        System.arraycopy(hash.of(frame, offset, at - offset), 0, frame, at, HASH_LENGTH);
        return at + HASH_LENGTH - offset;
    }
}
