package org.mavlogd.store;

/**
 * Where a file starts to grow.
 *
 * @param stem of the name that it has while it grows
 * @param bytes that are there: of a new file none, of one of an earlier run those up to its last whole message or block
 * @param headEnd where the last message ends that those behind it need
 */
public record FileStart(String stem, LogKind kind, long bytes, long headEnd) {
    /** A new file. */
    static FileStart empty(String stem, LogKind kind) {
        return new FileStart(stem, kind, 0, 0);
    }
}
