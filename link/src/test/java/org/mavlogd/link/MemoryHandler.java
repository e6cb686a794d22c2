package org.mavlogd.link;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Keeps the messages of a log in a list. */
final class MemoryHandler extends Handler {
    private final List<String> logged;

    /** @param logged safe for any thread if the log is */
    MemoryHandler(List<String> logged) {
        this.logged = logged;
    }

    @Override
    public void publish(LogRecord event) {
        logged.add(new SimpleFormatter().formatMessage(event));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
