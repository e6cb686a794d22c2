package org.mavlogd.control;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what a class logs, as level and message, instead of the console. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Level levelBefore;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public LogLines(Class<?> type) {
        this.logger = Logger.getLogger(type.getName());
        this.levelBefore = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    public List<String> all() {
        return lines;
    }

    @Override
    public void publish(LogRecord event) {
        lines.add(event.getLevel() + " " + event.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
        logger.setLevel(levelBefore);
    }
}
