package org.mavlogd.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Repeats one attack, at a steady rate or in bursts, on its own thread until closed. */
abstract class Attacker implements AutoCloseable {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MS = 20_000;

    private final Pace pace;
    private final AtomicLong done = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile String failure = "";

    /** The average number of attacks per second; all of them fall into the first {@code burstNs} of each period. */
    record Pace(int perSecond, long periodNs, long burstNs) {
        static Pace steady(int perSecond) {
            return new Pace(perSecond, TICK_NS, TICK_NS);
        }

        /** Twice the rate for half of the time. */
        static Pace bursts(int perSecond, long periodNs) {
            return new Pace(perSecond, periodNs, periodNs / 2);
        }

        long due(long sinceNs) {
            long periods = sinceNs / periodNs;
            long inPeriodNs = Math.min(sinceNs % periodNs, burstNs);
            double perNs = perSecond / (double) TimeUnit.SECONDS.toNanos(1);
            return (long) (perNs * periodNs * (periods + (double) inPeriodNs / burstNs));
        }
    }

    Attacker(String name, Pace pace) {
        this.pace = pace;
        this.thread = new Thread(this::run, name);
    }

    /** Attacks once. */
    abstract void attack() throws IOException;

    /** Closes what the attack uses. */
    abstract void disarm() throws IOException;

    final void start() {
        thread.start();
    }

    /** Number of attacks so far. */
    final long done() {
        return done.get();
    }

    final boolean isClosed() {
        return closed;
    }

    /** A socket with its own address, 127.0.0.{@code host}. */
    static DatagramChannel channel(int host, int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host}), 0));
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        return channel;
    }

    private void run() {
        long startNs = System.nanoTime();
        try {
            while (!closed) {
                long due = pace.due(System.nanoTime() - startNs);
                while (done.get() < due && !closed) {
                    attackOnce();
                    done.incrementAndGet();
                }
                LockSupport.parkNanos(TICK_NS);
            }
        } catch (IOException | RuntimeException e) {
            failure = e.toString();
        }
    }

    private void attackOnce() throws IOException {
        try {
            attack();
        } catch (PortUnreachableException e) {
            // The recorder is not listening yet or is ending: the flood continues.
        }
    }

    @Override
    public final void close() throws IOException {
        closed = true;
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        disarm();
        if (!failure.isEmpty()) {
            throw new AssertionError(thread.getName() + " gave up: " + failure);
        }
    }
}
