package org.mavlogd.page.export;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.mavlogd.series.SeriesStore.NotWanted;
import org.mavlogd.series.SeriesStore.Wanted;

/**
 * The body of an answer that a thread of its own writes. That thread waits while the browser accepts nothing, so that
 * at most 320 KiB are in memory, and gets an exception when the browser is gone. Nothing is sent before 64 KiB, or the
 * end, are written: until then an error can still be answered. Owned by the writing thread.
 */
public final class BrowserStream extends OutputStream {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int MAX_UNDERWAY = 4;
    private static final long LOOK_MS = 100;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    // The server closes connections that are silent for 60 s. More often would be too often: some clients accept only
    // five interim responses.
    private static final long SILENCE_MS = 45_000;

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Context loop;
    private final Wanted wanted;
    private final long silenceMs;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final Semaphore free = new Semaphore(MAX_UNDERWAY);
    // Read by the event loop, in a task that is submitted later.
    private String contentType = "application/octet-stream";
    private String disposition = "attachment";
    private int length;
    private boolean isStarted;
    private long sentNs;
    private boolean isGone;

    /**
     * @param loop of the event loop
     * @param wanted until the connection is closed
     */
    public BrowserStream(HttpServerRequest request, Context loop, Wanted wanted) {
        this(request, loop, wanted, SILENCE_MS);
    }

    /** @param silenceMs maximum interval between bytes, if there is anything to send */
    BrowserStream(HttpServerRequest request, Context loop, Wanted wanted, long silenceMs) {
        this.silenceMs = silenceMs;
        this.request = request;
        this.response = request.response();
        this.loop = loop;
        this.wanted = wanted;
    }

    /** Sets type and name of the answer, whose first byte may take long. */
    void begin(String type, String name) {
        loop.runOnContext(now -> response.putHeader("Connection", "close"));
        type(type, name);
    }

    /** Sets type and name of the answer. */
    void type(String type, String name) {
        contentType = type;
        disposition = disposition(name);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int done = 0;
        while (done < count) {
            int part = Math.min(count - done, CHUNK_BYTES - length);
            System.arraycopy(bytes, offset + done, chunk, length, part);
            length += part;
            done += part;
            if (length == CHUNK_BYTES) {
                send();
            }
        }
        if (isStarted && length > 0 && System.nanoTime() - sentNs >= TimeUnit.MILLISECONDS.toNanos(silenceMs)) {
            send();
        }
    }

    private void send() throws IOException {
        await();
        Buffer piece = Buffer.buffer(Arrays.copyOf(chunk, length));
        length = 0;
        isStarted = true;
        sentNs = System.nanoTime();
        loop.runOnContext(now -> {
            if (response.closed()) {
                free.release();
                return;
            }
            head();
            response.write(piece).onComplete(written -> free.release());
        });
    }

    private void head() {
        if (!response.headWritten()) {
            response.setChunked(true)
                    .putHeader("Content-Type", contentType)
                    .putHeader("Content-Disposition", disposition)
                    .putHeader("Cache-Control", "no-store")
                    // No compression on the event loop, which serves other browsers.
                    .putHeader("Content-Encoding", "identity");
        }
    }

    /** Waits until the browser accepts more. */
    private void await() throws IOException {
        long startedNs = System.nanoTime();
        try {
            while (!isGone && !free.tryAcquire(LOOK_MS, TimeUnit.MILLISECONDS)) {
                isGone = !wanted.isWanted() || System.nanoTime() - startedNs > PATIENCE_NS;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isGone = true;
        }
        if (isGone || !wanted.isWanted()) {
            isGone = true;
            loop.runOnContext(now -> request.connection().close());
            throw new NotWanted();
        }
    }

    /** Ends the answer. Without this call the browser reports it as incomplete. */
    void end() throws IOException {
        if (length > 0) {
            send();
        }
        loop.runOnContext(now -> {
            if (!response.closed() && !response.ended()) {
                head();
                response.end();
            }
        });
    }

    /** Content-Disposition by RFC 6266: any name, and a plain one for clients that do not support it. */
    public static String disposition(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            encoded.append(isPlain || b == '.' || b == '-' || b == '_' ? "" + (char) b : String.format("%%%02X", b));
        }
        String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded;
    }
}
