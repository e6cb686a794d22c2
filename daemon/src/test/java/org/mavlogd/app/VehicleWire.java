package org.mavlogd.app;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.PseudoTerminals;

/**
 * The vehicle's end of a cable that can be pulled: a UDP or TCP socket on loopback, or a pseudo terminal. Frames sent
 * while it is pulled are lost. Any thread may call {@link #plug} and {@link #unplug}; the vehicle's thread calls the
 * rest.
 */
public abstract class VehicleWire implements AutoCloseable {
    private static final int MAX_DATAGRAM_LENGTH = 65_536;
    private static final int UDP_SEND_BUFFER_BYTES = 1 << 20;
    // The default holds 35 ms of a fast vehicle's log: a thread may have to wait longer for a processor.
    private static final int UDP_RECEIVE_BUFFER_BYTES = 4 << 20;

    private volatile boolean plugged = true;

    public static VehicleWire udpTo(int port) {
        return new Udp(0, port);
    }

    /** Sends to the first sender. */
    public static VehicleWire udpAt(int port) {
        return new Udp(port, 0);
    }

    public static VehicleWire tcpTo(int port) {
        return new TcpClient(port);
    }

    public static VehicleWire tcpAt(int port) {
        return new TcpServer(port);
    }

    /** A pseudo terminal that the recorder finds under this name. */
    public static VehicleWire pty(Path device) {
        return new Pty(device);
    }

    public void plug() {
        plugged = true;
    }

    public void unplug() {
        plugged = false;
    }

    public final boolean isPlugged() {
        return plugged;
    }

    public abstract boolean isDatagram();

    /** Sends a frame, or loses it if the other end is closed. */
    public abstract void send(byte[] frame, int offset, int length);

    /** Reads up to the buffer's length; 0 if nothing arrived. Also carries out a plug or unplug that is due. */
    public abstract int receive(byte[] buffer);

    @Override
    public abstract void close();

    private static final class Udp extends VehicleWire {
        private final DatagramChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_DATAGRAM_LENGTH);
        private @Nullable SocketAddress remote;

        Udp(int ownPort, int remotePort) {
            try {
                channel = DatagramChannel.open();
                channel.setOption(StandardSocketOptions.SO_SNDBUF, UDP_SEND_BUFFER_BYTES);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, UDP_RECEIVE_BUFFER_BYTES);
                channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), ownPort));
                channel.configureBlocking(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            remote = remotePort == 0 ? null : new InetSocketAddress(InetAddress.getLoopbackAddress(), remotePort);
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] frame, int offset, int length) {
            SocketAddress to = remote;
            if (!isPlugged() || to == null) {
                return;
            }
            out.clear();
            out.put(frame, offset, length).flip();
            try {
                channel.send(out, to);
            } catch (IOException e) {
                // No listener at this address: lost, as on any network.
            }
        }

        @Override
        public int receive(byte[] buffer) {
            ByteBuffer in = ByteBuffer.wrap(buffer);
            try {
                SocketAddress from = channel.receive(in);
                if (from == null || !isPlugged()) {
                    return 0;
                }
                remote = from;
                return in.position();
            } catch (IOException e) {
                return 0;
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A TCP connection; subclasses connect or listen. */
    private abstract static class Tcp extends VehicleWire {
        private static final int OUT_BYTES = 1 << 20;

        private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);
        private @Nullable SocketChannel channel;

        /** A new connection, or null if there is none now. */
        abstract @Nullable SocketChannel connect() throws IOException;

        abstract void disconnected() throws IOException;

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] frame, int offset, int length) {
            if (channel != null && out.remaining() >= length) {
                out.put(frame, offset, length);
                flush();
            }
        }

        private void flush() {
            SocketChannel to = channel;
            if (to == null || out.position() == 0) {
                return;
            }
            out.flip();
            try {
                to.write(out);
                out.compact();
            } catch (IOException e) {
                drop();
            }
        }

        @Override
        public int receive(byte[] buffer) {
            try {
                if (!isPlugged()) {
                    drop();
                    disconnected();
                    return 0;
                }
                if (channel == null) {
                    channel = connect();
                }
                flush();
                SocketChannel from = channel;
                if (from == null) {
                    return 0;
                }
                int length = from.read(ByteBuffer.wrap(buffer));
                if (length < 0) {
                    drop();
                }
                return Math.max(0, length);
            } catch (IOException e) {
                drop();
                return 0;
            }
        }

        private void drop() {
            SocketChannel old = channel;
            channel = null;
            out.clear();
            if (old != null) {
                try {
                    old.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() {
            drop();
            try {
                disconnected();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class TcpServer extends Tcp {
        private final int port;
        private @Nullable ServerSocketChannel server;

        TcpServer(int port) {
            this.port = port;
        }

        @Override
        @Nullable
        SocketChannel connect() throws IOException {
            ServerSocketChannel open = server;
            if (open == null) {
                open = ServerSocketChannel.open();
                server = open;
                open.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                open.configureBlocking(false);
            }
            SocketChannel accepted = open.accept();
            if (accepted != null) {
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                accepted.configureBlocking(false);
            }
            return accepted;
        }

        @Override
        void disconnected() throws IOException {
            ServerSocketChannel open = server;
            server = null;
            if (open != null) {
                open.close();
            }
        }
    }

    private static final class TcpClient extends Tcp {
        private final int port;

        TcpClient(int port) {
            this.port = port;
        }

        @Override
        @Nullable
        SocketChannel connect() throws IOException {
            SocketChannel connected = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            connected.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected.configureBlocking(false);
            return connected;
        }

        @Override
        void disconnected() {}
    }

    /** socat makes the terminal; its standard input and output are the vehicle's UART. */
    private static final class Pty extends VehicleWire {
        private final Path device;
        private volatile @Nullable Process socat;

        Pty(Path device) {
            this.device = device;
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] frame, int offset, int length) {
            Process cable = socat;
            if (cable == null) {
                return;
            }
            try {
                cable.getOutputStream().write(frame, offset, length);
                cable.getOutputStream().flush();
            } catch (IOException e) {
                pull();
            }
        }

        @Override
        public int receive(byte[] buffer) {
            try {
                if (!isPlugged()) {
                    pull();
                } else if (socat == null) {
                    socat = PseudoTerminals.open(device);
                }
                Process cable = socat;
                int available = cable == null ? 0 : cable.getInputStream().available();
                return cable == null || available == 0
                        ? 0
                        : cable.getInputStream().read(buffer, 0, Math.min(available, buffer.length));
            } catch (IOException e) {
                pull();
                return 0;
            }
        }

        private void pull() {
            Process cable = socat;
            socat = null;
            if (cable == null) {
                return;
            }
            cable.destroyForcibly();
            try {
                cable.waitFor(50, TimeUnit.SECONDS);
                Files.deleteIfExists(device);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            pull();
        }
    }
}
