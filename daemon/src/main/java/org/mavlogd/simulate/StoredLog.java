package org.mavlogd.simulate;

/**
 * A log on a simulated vehicle's SD card. Immutable, but its bytes are not copied.
 *
 * @param name in the directory of logs, as {@code 00000001.BIN}
 * @param utcS seconds since 1970, 0 when the vehicle does not know
 */
record StoredLog(String name, byte[] bytes, long utcS) {
    static final StoredLog NONE = new StoredLog("", new byte[0], 0);

    long length() {
        return bytes.length;
    }

    void copy(long position, byte[] target, int offset, int length) {
        if (length > 0) {
            System.arraycopy(bytes, (int) position, target, offset, length);
        }
    }
}
