package org.mavlogd.simulate;

/** A log on a simulated vehicle's SD card. Immutable, but its bytes are not copied. */
public final class StoredLog {
    static final StoredLog NONE = new StoredLog("", new byte[0], 0);

    private final String name;
    private final byte[] bytes;
    private final long utcS;

    /**
     * A log.
     *
     * @param name in the directory of logs, as {@code 00000001.BIN}
     * @param utcS seconds since 1970, 0 when the vehicle does not know
     */
    StoredLog(String name, byte[] bytes, long utcS) {
        this.name = name;
        this.bytes = bytes;
        this.utcS = utcS;
    }

    String name() {
        return name;
    }

    /** Not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    long utcS() {
        return utcS;
    }

    long length() {
        return bytes.length;
    }

    void copy(long position, byte[] target, int offset, int length) {
        if (length > 0) {
            System.arraycopy(bytes, (int) position, target, offset, length);
        }
    }
}
