package org.mavlogd.link;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainDatagramSocketAddress;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Another program that sends to a Unix datagram socket and can receive answers. Not thread-safe. */
public final class UnixSender implements AutoCloseable {
    private static final int LONGEST = 1 << 17;
    private static final Duration DEADLINE = Duration.ofSeconds(50);

    static {
        Epoll.ensureAvailability(); // loads the native library
    }

    private final Socket socket = Socket.newSocketDomainDgram();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LONGEST);
    private final byte[] to;

    private UnixSender(Path to) {
        this.to = to.toString().getBytes(StandardCharsets.UTF_8);
    }

    public static UnixSender nameless(Path to) {
        return new UnixSender(to);
    }

    public static UnixSender named(Path own, Path to) throws IOException {
        UnixSender sender = new UnixSender(to);
        sender.socket.bind(new DomainSocketAddress(own.toString()));
        return sender;
    }

    public void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        send(bytes, bytes.length);
    }

    /** Sends; waits while the receiver's queue is full, as a blocking socket does. */
    public void send(byte[] bytes, int length) throws IOException {
        buffer.clear().put(bytes, 0, length);
        long startNs = System.nanoTime();
        while (socket.sendToDomainSocket(buffer, 0, length, to) != length) {
            if (System.nanoTime() - startNs > DEADLINE.toNanos()) {
                throw new IOException("the receiver takes nothing");
            }
            LockSupport.parkNanos(20_000);
        }
    }

    /** Waits for the next answer. */
    public String receive() throws IOException {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < DEADLINE.toNanos()) {
            String text = poll();
            if (!text.isEmpty()) {
                return text;
            }
            LockSupport.parkNanos(20_000);
        }
        throw new IOException("no answer");
    }

    /** An answer that has already arrived; empty if there is none. */
    public String poll() throws IOException {
        DomainDatagramSocketAddress from = socket.recvFromDomainSocket(buffer.clear(), 0, LONGEST);
        if (from == null) {
            return "";
        }
        byte[] bytes = new byte[from.receivedAmount()];
        buffer.clear().get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Leaves a socket file without a server, as a crash does. */
    static void leaveBehind(Path path) throws IOException {
        Socket crashed = Socket.newSocketDomainDgram();
        crashed.bind(new DomainSocketAddress(path.toString()));
        crashed.close();
        if (!Files.exists(path)) {
            throw new IOException(path + " is not there");
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed anyway
        }
    }
}
