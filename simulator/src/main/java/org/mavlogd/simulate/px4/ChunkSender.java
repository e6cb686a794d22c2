package org.mavlogd.simulate.px4;

import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.LogChunkLayout;

/**
 * The sending half of PX4's log stream: stop-and-wait for acked chunks and, if requested, the link's rate limit and the
 * queue before it. Owned by the vehicle's thread. Hot path.
 *
 * <p>Only one acked chunk is in transit at a time; the logger waits until it is acknowledged or given up.
 */
public final class ChunkSender {
    /** PX4, UlogStreamAck.msg: ACK_TIMEOUT. */
    static final long ACK_TIMEOUT_NS = 50_000_000;
    /** PX4, UlogStreamAck.msg: ACK_MAX_TRIES. */
    static final int ACK_MAX_TRIES = 50;

    private static final long WINDOW_NS = 100_000_000;
    /** PX4: maximum share of the log in a link's rate. */
    private static final double RATE_SHARE = 0.7;

    private static final int BYTES_PER_FRAME = 267;

    private final FrameSender frames;
    private final StreamObserver observer;
    private final VehicleCounters counters;
    private final long ackedIntervalNs;
    private final int ackMaxTries;
    private final int framesPerWindow;
    private final ChunkQueue queue = new ChunkQueue();

    private long windowStartNs;
    private int sentInWindow;
    private byte[] waiting = new byte[0];
    private int waitingSequence;
    private int attempts;
    private long lastSendNs;
    private State state = State.FREE;

    private enum State {
        FREE,
        TO_SEND,
        SENT,
        GIVEN_UP
    }

    ChunkSender(
            Px4Settings settings, FrameSender frames, StreamObserver observer, VehicleCounters counters, long nowNs) {
        this.frames = frames;
        this.observer = observer;
        this.counters = counters;
        ackedIntervalNs = settings.ackedIntervalNs();
        ackMaxTries = settings.ackMaxTries();
        framesPerWindow = settings.queueLimit() ? framesPerWindow(settings.linkBytesPerSecond()) : Integer.MAX_VALUE;
        windowStartNs = nowNs;
        lastSendNs = nowNs - ackedIntervalNs;
    }

    public static int framesPerWindow(int linkBytesPerSecond) {
        return (int) Math.max(1, Math.ceil(0.1 * RATE_SHARE * linkBytesPerSecond / BYTES_PER_FRAME));
    }

    /** Discards everything in transit. */
    void reset() {
        state = State.FREE;
        queue.clear();
    }

    /** Sends a chunk or queues it. An acked chunk blocks the logger, and its buffer must not change meanwhile. */
    void publish(byte[] payload, int sequence, boolean acked, long nowNs) {
        if (acked) {
            waiting = payload;
            waitingSequence = sequence;
            attempts = 0;
            state = State.TO_SEND;
        } else if (framesPerWindow == Integer.MAX_VALUE) {
            sendUnacked(payload, 0, nowNs);
            return;
        } else if (queue.add(payload)) {
            counters.dropped.increment();
            observer.onChunkDropped(queue.droppedSequence(), nowNs);
        }
        run(nowNs);
    }

    boolean isBlocked() {
        return state == State.TO_SEND || state == State.SENT;
    }

    /** Whether all attempts to send the acked chunk failed; {@link #reset} ends this state. */
    boolean hasGivenUp() {
        return state == State.GIVEN_UP;
    }

    /** PX4 compares only the sequence, and only with that of the waiting chunk. */
    void onAck(int sequence, long nowNs) {
        if (state != State.SENT || sequence != waitingSequence) {
            counters.uselessAcks.increment();
            return;
        }
        state = State.FREE;
        counters.acks.increment();
        observer.onChunkAcked(sequence, nowNs);
    }

    void run(long nowNs) {
        if (nowNs - windowStartNs >= WINDOW_NS) {
            windowStartNs = nowNs;
            sentInWindow = 0;
        }
        while (!queue.isEmpty() && sentInWindow < framesPerWindow) {
            sendUnacked(queue.buffer(), queue.headOffset(), nowNs);
            queue.remove();
        }
        if (isBlocked() && nowNs - dueNs(nowNs) >= 0) {
            sendAcked(nowNs);
        }
    }

    /** Time of the next work in {@link #run}. */
    long dueNs(long nowNs) {
        boolean windowIsUsed = sentInWindow >= framesPerWindow && nowNs - windowStartNs < WINDOW_NS;
        long windowNs = windowIsUsed ? windowStartNs + WINDOW_NS : nowNs;
        if (!queue.isEmpty()) {
            return windowNs;
        }
        long sendNs = switch (state) {
            case TO_SEND -> lastSendNs + ackedIntervalNs;
            case SENT -> lastSendNs + ACK_TIMEOUT_NS;
            default -> nowNs + ACK_TIMEOUT_NS;
        };
        return sendNs - windowNs >= 0 ? sendNs : windowNs;
    }

    private void sendAcked(long nowNs) {
        if (attempts == ackMaxTries) {
            state = State.GIVEN_UP;
            counters.givenUp.increment();
            return;
        }
        attempts++;
        state = State.SENT;
        lastSendNs = nowNs;
        sentInWindow++;
        if (attempts == 1) {
            count(waiting, 0);
        } else {
            counters.repeats.increment();
        }
        observer.onChunkSent(waitingSequence, true, attempts, nowNs);
        frames.send(LogChunkLayout.LOGGING_DATA_ACKED, waiting, 0, ChunkWriter.PAYLOAD_LENGTH);
    }

    private void sendUnacked(byte[] buffer, int offset, long nowNs) {
        sentInWindow++;
        count(buffer, offset);
        observer.onChunkSent(sequence(buffer, offset), false, 1, nowNs);
        frames.send(LogChunkLayout.LOGGING_DATA, buffer, offset, ChunkWriter.PAYLOAD_LENGTH);
    }

    private void count(byte[] buffer, int offset) {
        counters.chunks.increment();
        counters.chunkBytes.add(buffer[offset + LogChunkLayout.LENGTH_OFFSET] & 0xff);
    }

    static int sequence(byte[] buffer, int offset) {
        return LittleEndian.uint16(buffer, offset);
    }

    /** The 16 chunks between PX4's logger and its MAVLink sender; when it is full, the oldest is dropped. Hot path. */
    private static final class ChunkQueue {
        /** PX4, UlogStream.msg: ORB_QUEUE_LENGTH. */
        static final int CAPACITY = 16;

        private final byte[] buffer = new byte[CAPACITY * ChunkWriter.PAYLOAD_LENGTH];
        private int head;
        private int count;
        private int droppedSequence;

        /** Returns whether the oldest chunk was dropped: {@link #droppedSequence}. */
        boolean add(byte[] payload) {
            boolean overflows = count == CAPACITY;
            if (overflows) {
                droppedSequence = ChunkSender.sequence(buffer, headOffset());
                remove();
            }
            int tail = (head + count) % CAPACITY;
            System.arraycopy(payload, 0, buffer, tail * ChunkWriter.PAYLOAD_LENGTH, ChunkWriter.PAYLOAD_LENGTH);
            count++;
            return overflows;
        }

        boolean isEmpty() {
            return count == 0;
        }

        byte[] buffer() {
            return buffer;
        }

        int headOffset() {
            return head * ChunkWriter.PAYLOAD_LENGTH;
        }

        void remove() {
            head = (head + 1) % CAPACITY;
            count--;
        }

        void clear() {
            count = 0;
        }

        int droppedSequence() {
            return droppedSequence;
        }
    }
}
