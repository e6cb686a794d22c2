package org.mavlogd.logtools;

/** Is told how far a long work has come. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (doneBytes, totalBytes) -> {};

    /** Called every 64 KiB: to be quick. */
    void onProgress(long doneBytes, long totalBytes);
}
