package org.mavlogd.store;

import java.io.IOException;

/** Says in words why a disk refused. */
public final class Reason {
    private Reason() {}

    public static String of(IOException e) {
        String message = e.getMessage();
        String kind = e.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return kind;
        }
        return e.getClass() == IOException.class ? message : message + " (" + kind + ")";
    }
}
