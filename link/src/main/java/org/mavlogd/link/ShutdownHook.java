package org.mavlogd.link;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Work to do when a signal ends the program, before any serial port is closed.
 *
 * <p>The JVM runs all its shutdown hooks at the same time, and jSerialComm has one that closes every open port: an orderly
 * end that still reads from a port must come before it. {@link SerialDevice} makes that hook wait for all that are added
 * here. Any thread.
 */
public final class ShutdownHook {
    private static final Set<ShutdownHook> ADDED = ConcurrentHashMap.newKeySet();

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    private ShutdownHook(String name, Runnable work) {
        this.thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } finally {
                        ended.countDown();
                    }
                },
                name);
    }

    /** Runs {@code work} on a thread of that name when the JVM ends. */
    public static ShutdownHook add(String name, Runnable work) {
        ShutdownHook hook = new ShutdownHook(name, work);
        Runtime.getRuntime().addShutdownHook(hook.thread);
        ADDED.add(hook);
        return hook;
    }

    /** Takes it back; without effect once the end has begun. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            return; // it runs
        }
        ADDED.remove(this);
    }

    /** Returns when the work of all hooks is done. Only once the JVM is ending. */
    static void awaitAll() {
        try {
            for (ShutdownHook hook : ADDED) {
                hook.ended.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
