package org.mavlogd.logtools;

/** Receives the progress of a long operation. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (doneBytes, totalBytes) -> {};

    /** Called every 64 KiB; must return quickly. */
    void onProgress(long doneBytes, long totalBytes);
}
