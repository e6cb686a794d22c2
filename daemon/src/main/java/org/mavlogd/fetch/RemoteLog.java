package org.mavlogd.fetch;

/**
 * One log that the vehicle keeps.
 *
 * @param id what it is called in the list, 0 to 65535
 * @param length in bytes when it was listed, 0 to 4 GiB - 1; it may still grow
 * @param utcS seconds since 1970 of its time, as the vehicle reports it; 0 when it does not
 * @param path on the vehicle, for its file server; empty when it is read by messages
 */
public record RemoteLog(int id, long length, long utcS, String path) {
    /** Whether another list means the same log, which may have grown. */
    boolean isSame(RemoteLog other) {
        return id == other.id && utcS == other.utcS && path.equals(other.path);
    }
}
