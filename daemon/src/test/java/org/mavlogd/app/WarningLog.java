package org.mavlogd.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the warnings that operators see. */
final class WarningLog extends Handler implements AutoCloseable {
    private final Logger source = Logger.getLogger("org.mavlogd");
    private final List<String> messages = new CopyOnWriteArrayList<>();

    WarningLog() {
        source.addHandler(this);
    }

    List<String> about(String text) {
        return messages.stream().filter(message -> message.contains(text)).toList();
    }

    @Override
    public void publish(LogRecord event) {
        if (event.getLevel().intValue() >= Level.WARNING.intValue()) {
            messages.add(event.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        source.removeHandler(this);
    }
}
