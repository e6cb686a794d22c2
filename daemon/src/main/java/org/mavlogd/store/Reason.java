package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** Describes why a disk operation failed. */
public final class Reason {
    private Reason() {}

    public static String of(IOException e) {
        if (e instanceof AccessDeniedException) {
            return e.getMessage() + ": permission denied";
        }
        String message = e.getMessage();
        String kind = e.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return kind;
        }
        return e.getClass() == IOException.class ? message : message + " (" + kind + ")";
    }

    /** Whether a reason is a full disk or quota, by the kernel's messages for ENOSPC and EDQUOT. */
    static boolean isFull(String reason) {
        return reason.contains("No space left on device") || reason.contains("Disk quota exceeded");
    }
}
