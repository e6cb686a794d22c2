package org.mavlogd.link;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Work to do when a signal ends the program, before any serial port is closed.
 *
 * <p>The JVM runs all shutdown hooks concurrently, and the hook of jSerialComm closes every open port. An orderly end
 * that still reads from a port must precede it: {@link SerialDevice} makes that hook wait for all hooks added here. Any
 * thread.
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

    /** Adds a hook: {@code work} runs on a thread of this name when the JVM ends. */
    public static ShutdownHook add(String name, Runnable work) {
        ShutdownHook hook = new ShutdownHook(name, work);
        Runtime.getRuntime().addShutdownHook(hook.thread);
        ADDED.add(hook);
        return hook;
    }

    /** Removes the hook; without effect if the JVM is already ending. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            return; // it is running
        }
        ADDED.remove(this);
    }

    /** Waits until the work of all hooks is done. Call it only while the JVM ends. */
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
