package org.mavlogd.link;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.mavlogd.contain.ContainedPart;

/**
 * Writes to a serial port, so that the link's thread does not wait when flow control stops the port.
 *
 * <p>One per open port, with its own thread. Takes complete frames from the link's thread through a bounded queue of
 * reused buffers.
 */
final class SerialTransmitter {
    /** Maximum number of waiting frames: about a second of acknowledgements. */
    static final int MAX_FRAMES = 32;

    /** The longest MAVLink 2 frame has 280 bytes. */
    static final int MAX_FRAME_LENGTH = 512;

    private static final int FEW_FRAMES = 4;
    private static final int FEW_BYTES = 1024;
    // How long an acknowledgement may wait behind less urgent bytes, and behind the frame that is being sent. An
    // ArduPilot repeats a block after 100 ms; the longest frame takes 49 ms at 57,600 bit/s.
    private static final int FEW_MS = 20;
    private static final int BITS_PER_BYTE = 10;

    /** Interval at which it checks whether the link's thread needs it. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long CLOSE_STEP_MS = 10;
    private static final int CLOSE_STEPS = 30;

    private final SerialDevice device;
    private final ContainedPart errors;
    private final Runnable meanwhile;
    private final OneToOneConcurrentArrayQueue<Frame> free = new OneToOneConcurrentArrayQueue<>(MAX_FRAMES);
    private final OneToOneConcurrentArrayQueue<Frame> queued = new OneToOneConcurrentArrayQueue<>(MAX_FRAMES);
    private final AtomicBoolean ending = new AtomicBoolean();
    private final Thread thread;
    private final int fewBytes;
    // Link's thread.
    private long queuedBytes;
    // Written by the transmitter's thread.
    private volatile long takenBytes;

    private static final class Frame {
        final byte[] bytes = new byte[MAX_FRAME_LENGTH];
        int length;
    }

    /** @param meanwhile called by this thread after {@link #wake}, between frames, and once a second */
    SerialTransmitter(LinkSettings.SerialPort settings, SerialDevice device, ContainedPart errors, Runnable meanwhile) {
        long inTime = (long) settings.baud() * FEW_MS / 1000 / BITS_PER_BYTE;
        this.fewBytes = (int) Math.max(1, Math.min(inTime, FEW_BYTES));
        this.device = device;
        this.meanwhile = meanwhile;
        this.errors = errors;
        for (int i = 0; i < MAX_FRAMES; i++) {
            free.offer(new Frame());
        }
        thread = new Thread(this::run, "link-" + settings.name() + "-tx");
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a frame. False if there is no room: the frame is dropped. Link's thread. */
    boolean send(byte[] buffer, int offset, int length) {
        if (length > MAX_FRAME_LENGTH) {
            return false;
        }
        Frame frame = free.poll();
        if (frame == null) {
            return false;
        }
        System.arraycopy(buffer, offset, frame.bytes, 0, length);
        frame.length = length;
        queuedBytes += length;
        queued.offer(frame);
        LockSupport.unpark(thread);
        return true;
    }

    /** Makes the thread run its other work. Any thread. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** How many less urgent bytes may be queued: few frames wait here, and few bytes here and in the driver. Link's thread. */
    int room() {
        if (queued.size() >= FEW_FRAMES) {
            return 0;
        }
        long waiting = queuedBytes - takenBytes + Math.max(0, device.waitingBytes());
        return (int) Math.max(0, fewBytes - waiting);
    }

    /** Ends the thread. False if a write does not return: the device must then stay open. Link's thread. */
    boolean close() {
        ending.set(true);
        LockSupport.unpark(thread);
        try {
            for (int step = 0; step < CLOSE_STEPS && thread.isAlive(); step++) {
                if (step > 0) {
                    discardOutput();
                }
                thread.join(CLOSE_STEP_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** If the library throws, the write may still return by itself. */
    private void discardOutput() {
        try {
            device.discardOutput();
        } catch (Throwable e) {
            errors.contain(e);
        }
    }

    private void run() {
        while (!ending.get()) {
            meanwhile.run();
            Frame frame = queued.poll();
            if (frame == null) {
                LockSupport.parkNanos(this, LOOK_NS);
            } else {
                write(frame);
                free.offer(frame);
            }
        }
    }

    /** A failed write means that the device is gone, which the reading side detects and handles. */
    private void write(Frame frame) {
        try {
            boolean unused = device.write(frame.bytes, frame.length);
        } catch (Throwable e) {
            errors.contain(e);
        }
        long taken = takenBytes + frame.length;
        takenBytes = taken;
    }
}
