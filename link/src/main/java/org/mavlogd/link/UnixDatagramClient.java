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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The client end of a Unix datagram socket: sends to one server and receives its answers, with time-outs. Uses the
 * socket of Netty's native transport without an event loop. Owned by one thread.
 */
public final class UnixDatagramClient implements AutoCloseable {
    private static final int MAX_ANSWER = 64 * 1024;
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private final Path server;
    private final byte[] serverPath;
    private final Socket socket;
    private final Path own;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_ANSWER);

    private UnixDatagramClient(Path server, Socket socket, Path own) {
        this.server = server;
        this.serverPath = bytes(server);
        this.socket = socket;
        this.own = own;
    }

    /**
     * Opens a socket with a path next to the server's, where a server in a sandbox sees it, or else in the directory
     * for temporary files.
     *
     * @throws IOException if there is no such server, or access is denied
     */
    public static UnixDatagramClient open(Path server) throws IOException {
        if (!Epoll.isAvailable()) {
            throw new IOException("Netty's native library does not load here", Epoll.unavailabilityCause());
        }
        if (!Files.exists(server)) {
            throw new IOException("there is no socket " + server + "; is mavlogd running, and [publish] enabled?");
        }
        String name = "." + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + ".sock";
        List<Path> places = List.of(
                server.resolveSibling(name), Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "mavlogd" + name));
        IOException failure = new IOException("no directory for the program's own socket");
        for (Path place : places) {
            Socket socket = Socket.newSocketDomainDgram();
            try {
                if (bytes(place).length > LinkSettings.MAX_UNIX_PATH_BYTES) {
                    throw new IOException("the path of the program's own socket would be too long: " + place);
                }
                socket.bind(new DomainSocketAddress(place.toString()));
                if (!SocketPath.isSocket(place)) {
                    throw new IOException(place + " was replaced by another file");
                }
                Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rw-rw-rw-"));
                return new UnixDatagramClient(server, socket, place);
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure;
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Whether the socket is next to the server's: a server with another directory for temporary files can answer only
     * then.
     */
    public boolean isBesideServer() {
        return String.valueOf(own.getParent()).equals(String.valueOf(server.getParent()));
    }

    /** Sends one datagram; waits while the server's queue is full. */
    public void send(byte[] datagram, long timeoutMs) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(datagram.length).put(datagram);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try {
            while (socket.sendToDomainSocket(bytes, 0, datagram.length, serverPath) != datagram.length) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new IOException(server + " accepts no data: its queue is full for " + timeoutMs + " ms");
                }
                LockSupport.parkNanos(POLL_NS);
            }
        } catch (io.netty.channel.unix.Errors.NativeIoException e) {
            throw new IOException(server + ": " + NettyLink.reason(e), e);
        }
    }

    /** The next answer; empty if none arrives in time. */
    public String receive(long timeoutMs) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        do {
            DomainDatagramSocketAddress from = socket.recvFromDomainSocket(buffer.clear(), 0, MAX_ANSWER);
            if (from != null) {
                byte[] bytes = new byte[from.receivedAmount()];
                buffer.clear().get(bytes);
                return new String(bytes, StandardCharsets.UTF_8);
            }
            LockSupport.parkNanos(POLL_NS);
        } while (System.nanoTime() - deadlineNs < 0);
        return "";
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(own);
            socket.close();
        } catch (IOException e) {
            // The path was only needed for answers.
        }
    }
}
