package org.mavlogd.link;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * A serial port: one thread opens it, reads it, and opens it again after it was unplugged. {@link SerialTransmitter}
 * sends.
 *
 * <p>A read cannot be interrupted. While the link's thread reads, the transmitter's thread runs tasks that send:
 * whichever thread holds the lock owns the state of the link's thread. The transmitter's thread also ticks and runs all
 * tasks if a read does not end in time, because another program, such as one that searches for modems, changed the
 * port's settings, or because the kernel's worker, for which a read waits, gets no processor.
 */
final class SerialLink implements Link, Peer {
    /** The kind in {@link Link.Status#kind}. */
    static final String KIND = "serial";

    /** Time to the next attempt to open. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long BUSY_WITH_TASKS_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long TASK_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A read that takes longer is stuck: it should end within {@link SerialDevice#READ_TIMEOUT_MS}. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final String GONE = "device is gone, waiting";
    private static final int READ_LENGTH = 8192;
    private static final int MAX_TASKS = 1024;
    private static final long CLOSE_TIMEOUT_MS = 2500;

    private final LinkSettings.SerialPort settings;
    private final ContainedListener guard;
    private final Opener opener;
    private final LinkCounters counters;
    private final LongSupplier clock;
    private final LinkReport report;
    private final Cadence cadence;
    private final Thread thread;
    private final byte[] bytes = new byte[READ_LENGTH];
    private final ManyToOneConcurrentArrayQueue<Runnable> tasks = new ManyToOneConcurrentArrayQueue<>(MAX_TASKS);
    private final ManyToOneConcurrentArrayQueue<Runnable> sendings = new ManyToOneConcurrentArrayQueue<>(MAX_TASKS);
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closeAsked = new AtomicBoolean();
    private @Nullable SerialDevice device;
    private volatile @Nullable SerialTransmitter transmitter;
    private boolean wasOpen;
    private long lastAttemptNs;
    private long lastTaskNs;
    // Start of the current or last read.
    private volatile long readSinceNs;
    // Owned by the transmitter's thread: the last read that it saw, since when, and the last one that it reported.
    private long suspectReadNs;
    private long suspectSinceNs;
    private long toldReadNs;

    /** Opens the device. */
    @FunctionalInterface
    interface Opener {
        SerialDevice open(LinkSettings.SerialPort settings) throws IOException;
    }

    SerialLink(LinkSettings.SerialPort settings, ContainedListener guard, LinkCounters counters, LongSupplier clock) {
        this(settings, guard, counters, clock, SerialDevice::open);
    }

    SerialLink(
            LinkSettings.SerialPort settings,
            ContainedListener guard,
            LinkCounters counters,
            LongSupplier clock,
            Opener opener) {
        this.opener = opener;
        this.settings = settings;
        this.guard = guard;
        this.counters = counters;
        this.clock = clock;
        this.report = new LinkReport(settings.name(), KIND, settings.device(), counters.reconnects());
        this.cadence = new Cadence(true, clock.getAsLong());
        this.thread = new Thread(this::run, "link-" + settings.name());
        thread.setDaemon(true);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Link.Status status() {
        return report.status();
    }

    @Override
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("link \"" + name() + "\" was started before");
        }
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        offer(tasks, task);
        LockSupport.unpark(thread);
    }

    @Override
    public void executeSending(Runnable task) {
        offer(sendings, task);
        SerialTransmitter out = transmitter;
        if (out == null) {
            LockSupport.unpark(thread);
        } else {
            out.wake();
        }
    }

    private void offer(ManyToOneConcurrentArrayQueue<Runnable> queue, Runnable task) {
        if (!queue.offer(task) && !closeAsked.get()) {
            throw new IllegalStateException("link \"" + name() + "\" has " + MAX_TASKS + " tasks waiting");
        }
    }

    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("link \"" + name() + "\" cannot be closed from its own thread");
        }
        closeAsked.set(true);
        LockSupport.unpark(thread);
        if (!started.get()) {
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            report.advise("its thread did not end in time");
        }
    }

    @Override
    public String address() {
        return settings.device();
    }

    @Override
    public boolean isDatagram() {
        return false;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        if (!turn.isHeldByCurrentThread()) {
            throw new IllegalStateException("link \"" + name() + "\": send from thread "
                    + Thread.currentThread().getName());
        }
        SerialTransmitter out = transmitter;
        if (out != null && out.send(buffer, offset, length)) {
            counters.sentBytes().add(length);
        } else {
            counters.droppedSends().increment();
        }
    }

    @Override
    public int room() {
        SerialTransmitter out = transmitter;
        return out == null ? 0 : out.room();
    }

    private void run() {
        turn.lock();
        try {
            runWithTurn();
        } finally {
            turn.unlock();
        }
    }

    private void runWithTurn() {
        lastAttemptNs = clock.getAsLong() - RETRY_NS;
        lastTaskNs = clock.getAsLong() - BUSY_WITH_TASKS_NS;
        while (!closeAsked.get() && !guard.isBroken()) {
            try {
                round();
            } catch (Throwable e) {
                failed(e);
            }
        }
        closeDevice();
        report.closed(guard.isBroken() ? "stopped by an internal error" : "");
    }

    private void round() {
        runTasks();
        runSendings();
        SerialDevice open = device;
        if (open == null) {
            waitForDevice();
        } else {
            read(open);
        }
    }

    /** Handles an exception of the serial library or the link itself: opens the port again after a growing delay. */
    private void failed(Throwable error) {
        counters.errors().contain(error);
        closeDevice();
        long nowNs = clock.getAsLong();
        lastAttemptNs = nowNs;
        report.trouble(
                settings.device() + ": internal error: " + NettyLink.reason(error) + ", opening it again", nowNs);
    }

    private void runTasks() {
        // Bounded, so that tasks that queue tasks cannot keep the thread from reading.
        for (int i = 0; i < MAX_TASKS; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            lastTaskNs = clock.getAsLong();
            guard.run(task);
        }
    }

    private void runSendings() {
        for (int i = 0; i < MAX_TASKS; i++) {
            Runnable task = sendings.poll();
            if (task == null) {
                return;
            }
            guard.run(task);
        }
    }

    /**
     * Runs sending tasks while the link's thread reads, and all tasks if the read is stuck; otherwise that thread runs
     * them before its next read. Transmitter's thread.
     */
    private void actMeanwhile() {
        if ((!sendings.isEmpty() || isReadStuck()) && turn.tryLock()) {
            try {
                runSendings();
                SerialDevice open = device;
                if (open != null && isReadStuck()) {
                    actForStuckRead(open);
                }
            } finally {
                turn.unlock();
            }
        }
    }

    /**
     * Whether the read is stuck. Its time counts from the first look at it: if the whole program was suspended, the
     * read ends before the second look. Transmitter's thread.
     */
    private boolean isReadStuck() {
        long sinceNs = readSinceNs;
        long nowNs = clock.getAsLong();
        if (sinceNs != suspectReadNs) {
            suspectReadNs = sinceNs;
            suspectSinceNs = nowNs;
        }
        return nowNs - suspectSinceNs >= STUCK_NS;
    }

    /**
     * Sets the time-outs again, and does the work of the link's thread: the read ends with the next byte, and the
     * vehicle must be asked for one.
     */
    private void actForStuckRead(SerialDevice open) {
        if (toldReadNs != readSinceNs) {
            toldReadNs = readSinceNs;
            report.advise("a read of " + settings.device() + " does not end: either another program changed the port's"
                    + " settings, which are set again, or the kernel is late");
            open.setTimeouts();
        }
        runTasks();
        tickWhenDue();
    }

    private void waitForDevice() {
        long nowNs = clock.getAsLong();
        if (nowNs - lastAttemptNs >= RETRY_NS) {
            lastAttemptNs = nowNs;
            if (counters.errors().mayRun()) {
                tryOpen(nowNs);
            }
        } else {
            LockSupport.parkNanos(Math.min(Cadence.QUIET_TICK_NS, RETRY_NS - (nowNs - lastAttemptNs)));
        }
        tickWhenDue();
    }

    private void tryOpen(long nowNs) {
        try {
            SerialDevice opened = opener.open(settings);
            device = opened;
            transmitter = new SerialTransmitter(settings, opened, counters.errors(), this::actMeanwhile);
            wasOpen = true;
            report.up("", 1, nowNs);
            guard.onPeerUp(this, nowNs);
        } catch (FileNotFoundException e) {
            // The wording of lost(), so that an unplugged device is reported once.
            report.trouble(settings.device() + ": " + (wasOpen ? GONE : e.getMessage()), nowNs);
        } catch (IOException e) {
            report.trouble(settings.device() + ": " + e.getMessage(), nowNs);
        }
    }

    /** Hot path. */
    private void read(SerialDevice open) {
        // A read cannot be interrupted and may take a tenth of a second. While tasks follow one another, as from a
        // simulated vehicle, they must not wait that long.
        if (clock.getAsLong() - lastTaskNs < BUSY_WITH_TASKS_NS && !open.isReadable()) {
            tickWhenDue();
            LockSupport.parkNanos(TASK_POLL_NS);
            return;
        }
        int length = readWithoutTurn(open);
        if (length < 0) {
            lost();
            return;
        }
        if (length > 0) {
            counters.receivedBytes().add(length);
            guard.onBytes(this, bytes, length, clock.getAsLong());
        }
        tickWhenDue();
        if (length > 0 && guard.mayWait()) {
            LockSupport.parkNanos(cadence.serialPauseNs(length, guard.bulk() != null));
        }
    }

    /** Reads without the lock, so that the transmitter's thread may send. Hot path. */
    private int readWithoutTurn(SerialDevice open) {
        readSinceNs = clock.getAsLong();
        turn.unlock();
        try {
            // No other thread runs the sending tasks requested before the lock was released.
            return sendings.isEmpty() ? open.read(bytes) : 0;
        } finally {
            turn.lock();
        }
    }

    private void tickWhenDue() {
        long nowNs = clock.getAsLong();
        if (cadence.isTickDue(nowNs)) {
            cadence.ticked(nowNs);
            guard.onTick(nowNs);
            report.settle(nowNs);
        }
    }

    private void lost() {
        closeDevice();
        long nowNs = clock.getAsLong();
        lastAttemptNs = nowNs;
        report.trouble(settings.device() + ": " + GONE, nowNs);
    }

    private void closeDevice() {
        SerialDevice open = device;
        SerialTransmitter out = transmitter;
        device = null;
        transmitter = null;
        if (out != null && open != null) {
            try {
                if (out.close()) {
                    open.close();
                } else {
                    report.advise(settings.device() + " blocks a write; the port stays open");
                }
            } catch (Throwable e) {
                counters.errors().contain(e);
            }
            guard.onPeerDown(this, clock.getAsLong());
        }
    }
}
