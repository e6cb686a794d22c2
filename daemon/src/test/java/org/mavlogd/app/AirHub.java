package org.mavlogd.app;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * A relay between a simulated vehicle and its listeners, like a router with open ports: every listener, over UDP or
 * TCP, receives everything that the vehicle sends. It can be cut, records the log that the vehicle streams, and may
 * sign for the vehicle.
 */
public final class AirHub implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int MAX_DATAGRAM = 65_536;
    private static final int WRITE_BYTES = 65_536;
    private static final int DATAGRAMS_A_ROUND = 32;
    /** Half a second of a fast vehicle: what answers a request would come too late behind more. */
    private static final int MAX_WAITING = 4_000;

    private final AirTap tap = new AirTap();
    private final @Nullable AirSigner signer;
    private final DatagramChannel vehicle;
    private final DatagramChannel listeners;
    private final ServerSocketChannel server;
    private final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
    private final Set<SocketAddress> addresses = new LinkedHashSet<>();
    private final List<Connection> connections = new ArrayList<>();
    private final AtomicIntegerArray said = new AtomicIntegerArray(512);
    private final FrameDecoder fromVehicle = new FrameDecoder(this::onVehicleFrame, FrameCounters.unregistered());
    private final ByteBuffer in = ByteBuffer.allocate(MAX_DATAGRAM);
    private final Thread hearing = new Thread(this::hear, "air-in");
    private final Thread thread = new Thread(this::run, "air");
    private volatile @Nullable SocketAddress vehicleAddress;
    private final AtomicLong toldBytes = new AtomicLong();
    private volatile boolean isCut;
    private volatile boolean closed;
    private volatile String failure = "";
    private final AtomicInteger checksumsAsked = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** A listener connected over TCP. One that does not read, because its disk is busy, is disconnected at last. */
    private static final class Connection {
        private final SocketChannel channel;
        private final FrameDecoder decoder;
        // Twice the limit: what waits is moved once for each full buffer, not for each frame.
        private final ByteBuffer out = ByteBuffer.allocate(2 * BUFFER_BYTES);
        private int sent;
        private boolean isOverrun;

        Connection(SocketChannel channel, AirHub hub) {
            this.channel = channel;
            this.decoder =
                    new FrameDecoder((frame, nowNs) -> hub.onListenerFrame(this, frame), FrameCounters.unregistered());
        }

        void send(byte[] bytes) {
            isOverrun |= out.position() - sent + bytes.length > BUFFER_BYTES;
            if (isOverrun) {
                return;
            }
            if (out.remaining() < bytes.length) {
                out.flip().position(sent);
                out.compact();
                sent = 0;
            }
            out.put(bytes);
        }

        /** Returns whether the listener took bytes. */
        boolean flush() throws IOException {
            int end = Math.min(out.position(), sent + WRITE_BYTES); // the channel copies first all that it is given
            int count = channel.write(ByteBuffer.wrap(out.array(), sent, end - sent));
            sent += count;
            return count > 0;
        }
    }

    /**
     * Starts at once.
     *
     * @param port a UDP port on this computer that gets everything from the start; 0 for none
     * @param signer null for a vehicle that does not sign
     */
    public AirHub(int port, @Nullable AirSigner signer) throws IOException {
        this.signer = signer;
        this.vehicle = datagrams();
        this.listeners = datagrams();
        listeners.configureBlocking(false);
        this.server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.configureBlocking(false);
        if (port != 0) {
            addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        hearing.start();
        thread.start();
    }

    private static DatagramChannel datagrams() throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return channel;
    }

    /** The address that the vehicle sends to. */
    public LinkSettings vehicleTarget() {
        return new LinkSettings.UdpConnect(
                "vehicle", "127.0.0.1", vehicle.socket().getLocalPort(), false);
    }

    /** A UDP port: each sender to it gets everything from then on. */
    public int udpPort() {
        return listeners.socket().getLocalPort();
    }

    public int tcpPort() {
        return server.socket().getLocalPort();
    }

    /** The log that the vehicle streamed. */
    public AirTap tap() {
        return tap;
    }

    /** While cut, all frames are lost, and TCP connections end. */
    public void cut(boolean value) {
        isCut = value;
    }

    /** Bytes that the vehicle sent while the relay was not cut. */
    public long toldBytes() {
        return toldBytes.get();
    }

    /** Number of messages with this id that listeners sent and the vehicle accepted. */
    public int said(int messageId) {
        return said.get(messageId);
    }

    /** Number of requests for the checksum of a file. */
    public int checksumsAsked() {
        return checksumsAsked.get();
    }

    /** Number of messages that a vehicle with signing rejected. */
    public int refused() {
        return refused.get();
    }

    private void run() {
        try {
            while (!closed) {
                boolean worked = takeFromVehicle();
                worked |= takeDatagrams();
                worked |= takeConnections();
                if (!worked) {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure = e.toString();
        }
    }

    /**
     * Does nothing else, so that the kernel loses nothing on a busy machine. While too much waits to be sent, only the
     * log that is streamed is kept: other data is asked for again.
     */
    private void hear() {
        ByteBuffer datagram = ByteBuffer.allocate(MAX_DATAGRAM);
        try {
            while (!closed) {
                datagram.clear();
                vehicleAddress = vehicle.receive(datagram);
                byte[] frame = Arrays.copyOf(datagram.array(), datagram.position());
                if (heard.size() < MAX_WAITING || isOfStream(frame)) {
                    heard.add(frame);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!closed) {
                failure = e.toString();
            }
        }
    }

    private static boolean isOfStream(byte[] frame) {
        int id = FrameLayout.messageId(frame, 0);
        return id == LogChunkLayout.LOGGING_DATA
                || id == LogChunkLayout.LOGGING_DATA_ACKED
                || id == MessageIds.REMOTE_LOG_DATA_BLOCK;
    }

    private boolean takeFromVehicle() {
        for (int i = 0; i < DATAGRAMS_A_ROUND; i++) {
            byte[] datagram = heard.poll();
            if (datagram == null) {
                return i > 0;
            }
            fromVehicle.decodeDatagram(datagram, 0, datagram.length, System.nanoTime());
        }
        return true;
    }

    private void onVehicleFrame(FrameView frame, long nowNs) {
        tap.onFrame(frame);
        byte[] bytes = bytes(frame);
        if (!isCut) {
            toldBytes.addAndGet(bytes.length);
            sendToListeners(bytes, this);
        }
    }

    private void sendToListeners(byte[] bytes, Object exceptThis) {
        for (SocketAddress address : addresses) {
            if (!address.equals(exceptThis)) {
                send(listeners, bytes, bytes.length, address);
            }
        }
        for (Connection connection : connections) {
            if (connection != exceptThis) {
                connection.send(bytes);
            }
        }
    }

    private byte[] bytes(FrameView frame) {
        AirSigner signing = signer;
        if (signing != null) {
            return signing.signed(frame);
        }
        byte[] bytes = new byte[frame.length()];
        frame.copyFrame(bytes, 0);
        return bytes;
    }

    private static void send(DatagramChannel channel, byte[] bytes, int length, SocketAddress to) {
        try {
            channel.send(ByteBuffer.wrap(bytes, 0, length), to);
        } catch (IOException e) {
            // No listener at this address: lost, as on any network.
        }
    }

    private boolean takeDatagrams() throws IOException {
        in.clear();
        SocketAddress from = listeners.receive(in);
        if (from == null) {
            return false;
        }
        addresses.add(from);
        new FrameDecoder((frame, nowNs) -> onListenerFrame(from, frame), FrameCounters.unregistered())
                .decodeDatagram(in.array(), 0, in.position(), System.nanoTime());
        return true;
    }

    private boolean takeConnections() throws IOException {
        SocketChannel accepted = server.accept();
        if (accepted != null) {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connections.add(new Connection(accepted, this));
        }
        boolean worked = accepted != null;
        for (Connection connection : List.copyOf(connections)) {
            worked |= take(connection);
        }
        return worked;
    }

    private boolean take(Connection connection) {
        try {
            boolean worked = connection.flush();
            in.clear();
            int length = connection.channel.read(in);
            if (length < 0 || isCut || connection.isOverrun) {
                throw new IOException("closed");
            }
            connection.decoder.decode(in.array(), 0, length, System.nanoTime());
            return worked || length > 0;
        } catch (IOException e) {
            connections.remove(connection);
            close(connection.channel);
            return true;
        }
    }

    private void onListenerFrame(Object from, FrameView frame) {
        SocketAddress to = vehicleAddress;
        if (isCut || to == null) {
            return;
        }
        if (signer != null && !signer.takes(frame)) {
            refused.incrementAndGet();
            return;
        }
        if (frame.messageId() < said.length()) {
            said.incrementAndGet(frame.messageId());
        }
        boolean isChecksum = frame.messageId() == MessageIds.FILE_TRANSFER_PROTOCOL
                && frame.uint8(FtpLayout.OPCODE) == FtpLayout.CALC_FILE_CRC32;
        checksumsAsked.addAndGet(isChecksum ? 1 : 0);
        byte[] bytes = new byte[frame.length()];
        frame.copyFrame(bytes, 0);
        send(vehicle, bytes, bytes.length, to);
        if (frame.messageId() == MessageIds.HEARTBEAT) {
            sendToListeners(bytes, from); // as routers do with broadcasts
        }
    }

    private static void close(Closeable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        close(vehicle);
        join(thread);
        join(hearing);
        connections.forEach(connection -> close(connection.channel));
        close(server);
        close(listeners);
        if (!failure.isEmpty()) {
            throw new AssertionError("air: " + failure);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
