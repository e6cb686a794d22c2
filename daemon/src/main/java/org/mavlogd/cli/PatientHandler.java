package org.mavlogd.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.mavlogd.text.Words;

/**
 * Passes log lines to another handler on a separate thread, so that no thread that records waits for the reader of
 * standard error: a stopped terminal, a pager, or a journal that hangs. Meanwhile lines wait in a bounded queue; those
 * that do not fit are counted, and a later line reports their number.
 */
final class PatientHandler extends Handler {
    static final int QUEUED_LINES = 1024;

    // A thread that adds a line wakes it.
    private static final long IDLE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long FLUSH_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Handler target;
    private final ManyToOneConcurrentArrayQueue<LogRecord> queue = new ManyToOneConcurrentArrayQueue<>(QUEUED_LINES);
    private final AtomicLong onTheirWay = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final Thread writer = new Thread(this::run, "log");

    /** @param target takes lines on one thread; never throws */
    PatientHandler(Handler target) {
        this.target = target;
        setLevel(target.getLevel());
        setFilter(target.getFilter());
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public void publish(LogRecord line) {
        if (!isLoggable(line)) {
            return;
        }
        onTheirWay.incrementAndGet();
        if (queue.offer(line)) {
            LockSupport.unpark(writer);
        } else {
            onTheirWay.decrementAndGet();
            lost.incrementAndGet();
        }
    }

    private void run() {
        while (true) {
            LogRecord line = queue.poll();
            if (line == null) {
                LockSupport.parkNanos(this, IDLE_NS);
                continue;
            }
            target.publish(line);
            tellLost();
            onTheirWay.decrementAndGet();
        }
    }

    private void tellLost() {
        long count = queue.isEmpty() ? lost.getAndSet(0) : 0;
        if (count > 0) {
            LogRecord line = new LogRecord(
                    Level.WARNING,
                    "standard error was not read: " + Words.count(count, "log line") + " lost before this one");
            line.setLoggerName(PatientHandler.class.getName());
            target.publish(line);
        }
    }

    /** Waits a moment until queued lines are written. */
    @Override
    public void flush() {
        long deadlineNs = System.nanoTime() + FLUSH_NS;
        while (onTheirWay.get() > 0 && deadlineNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Waits a moment until queued lines are written; the thread ends with the process. */
    @Override
    public void close() {
        flush();
    }
}
