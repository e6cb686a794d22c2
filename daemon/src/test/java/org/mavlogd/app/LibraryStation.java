package org.mavlogd.app;

import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.ParamValue;
import io.dronefleet.mavlink.minimal.Heartbeat;
import io.dronefleet.mavlink.minimal.MavAutopilot;
import io.dronefleet.mavlink.minimal.MavState;
import io.dronefleet.mavlink.minimal.MavType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A ground station, or a component of a vehicle, that sends and receives with dronefleet's library only: over TCP, or
 * over UDP with one frame per datagram.
 */
final class LibraryStation implements Closeable {
    private static final int MAX_DATAGRAM = 2048;
    private static final int ACCEPT_MS = 20_000;
    // Enough of a flood for the checks.
    private static final int MAX_HEARD = 5000;
    private static final int RECEIVE_BYTES = 64 * 1024;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(50);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int system;
    private final int component;
    private final boolean speaksV1;
    private final Wire wire;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final MavlinkConnection encoder = MavlinkConnection.create(new ByteArrayInputStream(new byte[0]), sent);
    private final List<MavlinkMessage<?>> heard = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile Consumer<MavlinkMessage<?>> answer = message -> {};

    /** The transport of a station. */
    private interface Wire extends Closeable {
        void send(byte[] frame) throws IOException;

        /** Passes received frames to the station until it is closed. */
        void read(LibraryStation to) throws IOException;
    }

    private LibraryStation(int system, int component, boolean speaksV1, Wire wire) {
        this.system = system;
        this.component = component;
        this.speaksV1 = speaksV1;
        this.wire = wire;
        this.reader = new Thread(this::run, "station-" + system + '-' + component);
        reader.start();
    }

    static LibraryStation tcp(int port, int system, int component) throws IOException {
        return new LibraryStation(system, component, false, new Tcp(port));
    }

    /** Makes a station that waits for one TCP connection. */
    static LibraryStation tcpAt(int port, int system, int component) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(ACCEPT_MS);
            return new LibraryStation(system, component, false, new Tcp(server.accept()));
        }
    }

    static LibraryStation udp(int port, int system, int component) throws IOException {
        return new LibraryStation(system, component, false, new Udp(port));
    }

    /** Makes a station that learns addresses from the datagrams sent to its port. */
    static LibraryStation udpAt(int port, int system, int component) throws IOException {
        return new LibraryStation(system, component, false, new UdpServer(port));
    }

    /** Makes a station that hears what is broadcast to its port, and answers the sender. */
    static LibraryStation udpAtAny(int port, int system, int component) throws IOException {
        return new LibraryStation(
                system, component, false, new UdpServer(new DatagramSocket(new InetSocketAddress("0.0.0.0", port))));
    }

    /** Makes a member of a multicast group on this computer, which also hears what it sends itself. */
    static LibraryStation multicast(String group, int port, int system, int component) throws IOException {
        return new LibraryStation(system, component, false, new Multicast(new InetSocketAddress(group, port)));
    }

    static LibraryStation udpOfMavlink1(int port, int system, int component) throws IOException {
        return new LibraryStation(system, component, true, new Udp(port));
    }

    /** Sets the action for each received message, which runs on the station's thread. */
    LibraryStation answering(Consumer<MavlinkMessage<?>> value) {
        answer = value;
        return this;
    }

    void heartbeat() {
        say(Heartbeat.builder()
                .type(MavType.MAV_TYPE_GCS)
                .autopilot(MavAutopilot.MAV_AUTOPILOT_INVALID)
                .systemStatus(MavState.MAV_STATE_ACTIVE)
                .mavlinkVersion(3)
                .build());
    }

    synchronized void say(Object message) {
        try {
            sent.reset();
            if (speaksV1) {
                encoder.send1(system, component, message);
            } else {
                encoder.send2(system, component, message);
            }
            wire.send(sent.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether its connection has not ended. */
    boolean isConnected() {
        return reader.isAlive();
    }

    List<MavlinkMessage<?>> heard() {
        return heard;
    }

    long count(Class<?> payload) {
        return heard.stream()
                .filter(message -> payload.isInstance(message.getPayload()))
                .count();
    }

    long countFrom(int systemId) {
        return heard.stream()
                .filter(message -> message.getOriginSystemId() == systemId)
                .count();
    }

    private void take(MavlinkConnection from) throws IOException {
        try {
            for (MavlinkMessage<?> message = from.next(); message != null; message = from.next()) {
                if (heard.size() < MAX_HEARD || !(message.getPayload() instanceof ParamValue)) {
                    heard.add(message);
                }
                answer.accept(message);
            }
        } catch (EOFException e) {
            // The library's exception at the end of the stream.
        }
    }

    private void run() {
        try {
            wire.read(this);
        } catch (SocketException e) {
            // closed
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Tcp implements Wire {
        private final Socket socket;

        Tcp(int port) throws IOException {
            this(connect(port));
        }

        /** Connects as soon as the port is open. */
        private static Socket connect(int port) throws IOException {
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (true) {
                Socket tried = new Socket();
                try {
                    tried.setReceiveBufferSize(RECEIVE_BYTES); // catches up soon after a flood
                    tried.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    return tried;
                } catch (ConnectException e) {
                    tried.close();
                    if (System.nanoTime() - endNs >= 0) {
                        throw e;
                    }
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }

        Tcp(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void send(byte[] frame) throws IOException {
            socket.getOutputStream().write(frame);
        }

        @Override
        public void read(LibraryStation to) throws IOException {
            to.take(MavlinkConnection.create(socket.getInputStream(), socket.getOutputStream()));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static class Udp implements Wire {
        final DatagramSocket socket;

        Udp(DatagramSocket socket) throws IOException {
            this.socket = socket;
            socket.setReceiveBufferSize(1 << 22);
        }

        Udp(int port) throws IOException {
            this(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        @Override
        public void send(byte[] frame) throws IOException {
            try {
                socket.send(new DatagramPacket(frame, frame.length));
            } catch (PortUnreachableException e) {
                // No listener at this address now: lost, as on any network.
            }
        }

        /** Notes the address of a sender. */
        void heard(SocketAddress from) {}

        @Override
        public void read(LibraryStation to) throws IOException {
            DatagramPacket packet = new DatagramPacket(new byte[MAX_DATAGRAM], MAX_DATAGRAM);
            while (!socket.isClosed()) {
                packet.setLength(MAX_DATAGRAM);
                try {
                    socket.receive(packet);
                } catch (PortUnreachableException e) {
                    continue; // an earlier datagram of this station was not delivered
                }
                heard(packet.getSocketAddress());
                byte[] datagram = Arrays.copyOf(packet.getData(), packet.getLength());
                to.take(MavlinkConnection.create(new ByteArrayInputStream(datagram), new ByteArrayOutputStream()));
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private static final class Multicast extends Udp {
        private final InetSocketAddress group;

        Multicast(InetSocketAddress group) throws IOException {
            super(new MulticastSocket(group.getPort()));
            this.group = group;
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            socket.joinGroup(group, loopback);
        }

        @Override
        public void send(byte[] frame) throws IOException {
            socket.send(new DatagramPacket(frame, frame.length, group));
        }
    }

    private static final class UdpServer extends Udp {
        private volatile @Nullable SocketAddress remote;

        UdpServer(int port) throws IOException {
            this(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        }

        UdpServer(DatagramSocket socket) throws IOException {
            super(socket);
        }

        @Override
        void heard(SocketAddress from) {
            remote = from;
        }

        @Override
        public void send(byte[] frame) throws IOException {
            SocketAddress to = remote;
            if (to != null) {
                socket.send(new DatagramPacket(frame, frame.length, to));
            }
        }
    }
}
