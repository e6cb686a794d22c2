package org.mavlogd.fetch;

/**
 * One log on a vehicle's card.
 *
 * @param id its id in the list, 0 to 65535
 * @param length in bytes when it was listed, 0 to 4 GiB - 1; it may still grow
 * @param utcS its time as reported by the vehicle, in seconds since 1970; 0 if not reported
 * @param path on the vehicle's file server; empty if it is fetched by messages
 */
public record RemoteLog(int id, long length, long utcS, String path) {
    /** Whether an entry of another list is the same log, which may have become longer. */
    boolean isSame(RemoteLog other) {
        return id == other.id && utcS == other.utcS && path.equals(other.path);
    }
}
