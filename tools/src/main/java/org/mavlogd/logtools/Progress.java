package org.mavlogd.logtools;

/** Receives the progress of a long operation. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (doneBytes, totalBytes) -> {};

    /** Called every 64 KiB: to be quick. */
    void onProgress(long doneBytes, long totalBytes);
}
