package org.mavlogd.mavlink;

/** Puts signatures behind the frames that we send. */
public interface FrameSeal {
    /** Leaves frames as they are. */
    FrameSeal NONE = new FrameSeal() {
        @Override
        public boolean isSigning() {
            return false;
        }

        @Override
        public int seal(byte[] frame, int offset, int length) {
            return length;
        }
    };

    /** Whether frames are to say that they are signed. */
    boolean isSigning();

    /** Signs the frame of that length, checksum included; there is room behind it. Returns the new length. */
    int seal(byte[] frame, int offset, int length);
}
