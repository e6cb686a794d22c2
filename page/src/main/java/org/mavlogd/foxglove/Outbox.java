package org.mavlogd.foxglove;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.mavlogd.foxglove.Protocol.Level;

/**
 * The bytes that wait to be sent to a client, up to a limit. Messages that do not fit are dropped, and the client is
 * told their number. Messages are sent in batches, so that the event loop wakes once for many; owned by the reading
 * thread, except where stated.
 */
final class Outbox {
    static final long MAX_BYTES = 1 << 20;

    /** Limit including data that must be sent: descriptions of channels. */
    static final long MOST_BYTES = 8 << 20;

    private static final int BATCH_BYTES = 64 * 1024;
    /** Approximate size of a frame without its content. */
    private static final int OVERHEAD = 100;

    private static final short TRY_LATER = 1013;

    private final ServerWebSocket socket;
    private final Context loop;
    private final AtomicLong bytes = new AtomicLong();
    private List<Buffer> batch = new ArrayList<>();
    private int batchBytes;
    private long dropped;
    private long toldNs = System.nanoTime();
    private volatile boolean isClosed;

    Outbox(ServerWebSocket socket, Context loop) {
        this.socket = socket;
        this.loop = loop;
    }

    /** Any thread. */
    boolean isClosed() {
        return isClosed;
    }

    /** Stops sending. Any thread. */
    void close() {
        isClosed = true;
    }

    /** Ends the connection. Any thread. */
    void end(short code, String reason) {
        isClosed = true;
        loop.runOnContext(now -> socket.close(code, reason));
    }

    /** Sends a message, or drops it. */
    void data(long subscription, long timeNs, byte[] message, int offset, int length) {
        if (!hasRoom(Protocol.DATA_HEADER + length)) {
            dropped++;
            return;
        }
        add(Protocol.data(subscription, timeNs, message, offset, length));
    }

    /** Sends a time if there is room: the next one replaces it. */
    void time(long timeNs) {
        if (hasRoom(OVERHEAD)) {
            add(Protocol.time(timeNs));
        }
    }

    private boolean hasRoom(int length) {
        return bytes.get() + batchBytes + length + OVERHEAD <= MAX_BYTES;
    }

    private void add(Buffer frame) {
        batch.add(frame);
        batchBytes += frame.length() + OVERHEAD;
        if (batchBytes >= BATCH_BYTES) {
            flush();
        }
    }

    /** Sends the batch. */
    void flush() {
        if (!batch.isEmpty()) {
            List<Buffer> frames = batch;
            int length = batchBytes;
            batch = new ArrayList<>();
            batchBytes = 0;
            bytes.addAndGet(length);
            loop.runOnContext(now -> frames.forEach(this::write));
        }
    }

    private void write(Buffer frame) {
        if (isClosed) {
            return; // the client is gone
        }
        int length = frame.length() + OVERHEAD;
        socket.writeBinaryMessage(frame).onComplete(done -> bytes.addAndGet(-length));
    }

    /** Reports the number of dropped messages from time to time. */
    void tellDropped(long nowNs, long everyNs) {
        if (dropped > 0 && nowNs - toldNs > everyNs && hasRoom(OVERHEAD)) {
            text(Protocol.status(
                    Level.WARNING,
                    dropped + (dropped == 1 ? " message was" : " messages were")
                            + " not sent: the connection is too slow"));
            toldNs = nowNs;
            dropped = 0;
        }
    }

    /** Whether some dropped messages have not been reported. */
    boolean hasDropped() {
        return dropped > 0;
    }

    /** Sends an object after the batch, regardless of the limit. */
    void text(String object) {
        flush();
        send(object);
    }

    /** Answers the client, unless it does not read: then it cannot expect an answer. Any thread. */
    void answer(String object) {
        if (bytes.get() + object.length() <= MAX_BYTES) {
            send(object);
        }
    }

    private void send(String object) {
        int length = object.length() + OVERHEAD;
        if (bytes.addAndGet(length) > MOST_BYTES) {
            end(TRY_LATER, "the connection is too slow");
            return;
        }
        loop.runOnContext(now -> {
            if (!isClosed) {
                socket.writeTextMessage(object).onComplete(done -> bytes.addAndGet(-length));
            }
        });
    }
}
