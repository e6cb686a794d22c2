package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;

/**
 * Ground stations. Each counts the stamped frames that a router sends to it, measures how old they are, and sends a
 * heartbeat each second. One thread serves all, so that they take little CPU time.
 */
final class RouterEndpoints implements AutoCloseable {
    private static final int GROUND_STATION = 255;
    private static final int FIRST_COMPONENT = 190;
    private static final int TYPE_GCS = 6;
    private static final int PAYLOAD_LENGTH = 255;
    private static final int STREAM_BYTES = 64 * 1024;
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;
    private static final int SELECT_MS = 100;
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);

    private final Selector selector = Selector.open();
    private final List<Station> stations = new ArrayList<>();
    private final AtomicLongArray received;
    private final Thread thread;
    private volatile @Nullable Latencies into;
    private volatile boolean stopping;

    /** One ground station. Only the endpoints' thread uses it. */
    private abstract static class Station {
        final FrameEncoder encoder;
        final ByteBuffer in;
        final int index;
        final byte[] heartbeat = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        private final byte[] payload = new byte[PAYLOAD_LENGTH];
        long heartbeatNs;

        Station(int index) {
            this.index = index;
            this.encoder = new FrameEncoder(FIRST_COMPONENT + index);
            this.in = ByteBuffer.allocate(STREAM_BYTES);
        }

        abstract SelectableChannel channel();

        /** Reads once, after the bytes that {@link #in} still contains; false when nothing is available. */
        abstract boolean read() throws IOException;

        abstract void send(ByteBuffer frame) throws IOException;

        void sayHeartbeat() throws IOException {
            int length = new Heartbeat(TYPE_GCS, Heartbeat.AUTOPILOT_INVALID, 0, 0, 4).encodePayload(payload);
            int frame = encoder.encode(GROUND_STATION, MessageIds.HEARTBEAT, payload, length, heartbeat, 0);
            send(ByteBuffer.wrap(heartbeat, 0, frame));
        }
    }

    private static final class UdpStation extends Station {
        private final DatagramChannel channel;
        private @Nullable SocketAddress router;

        UdpStation(int index, @Nullable SocketAddress router) throws IOException {
            super(index);
            this.router = router;
            channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }

        int port() throws IOException {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        @Override
        SelectableChannel channel() {
            return channel;
        }

        @Override
        boolean read() throws IOException {
            in.clear();
            try {
                SocketAddress from = channel.receive(in);
                router = from == null ? router : from;
                return from != null;
            } catch (PortUnreachableException e) {
                return false;
            }
        }

        @Override
        void send(ByteBuffer frame) throws IOException {
            SocketAddress to = router;
            if (to != null) {
                channel.send(frame, to);
            }
        }
    }

    private static final class TcpStation extends Station {
        private final SocketChannel channel;

        TcpStation(int index, SocketAddress router) throws IOException {
            super(index);
            channel = SocketChannel.open(router);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        @Override
        SelectableChannel channel() {
            return channel;
        }

        @Override
        boolean read() throws IOException {
            return channel.read(in) > 0;
        }

        @Override
        void send(ByteBuffer frame) throws IOException {
            channel.write(frame);
        }
    }

    private RouterEndpoints(List<? extends Station> all) throws IOException {
        stations.addAll(all);
        received = new AtomicLongArray(stations.size());
        for (Station station : stations) {
            station.channel().configureBlocking(false);
            station.channel().register(selector, SelectionKey.OP_READ, station);
        }
        thread = new Thread(this::run, "bench-endpoints");
        thread.setDaemon(true);
    }

    /** Ground stations that wait for the router on their own UDP ports. */
    static RouterEndpoints waiting(int count) throws IOException {
        List<UdpStation> stations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stations.add(new UdpStation(i, null));
        }
        return new RouterEndpoints(stations);
    }

    /** Ground stations that send to the router's UDP port first. */
    static RouterEndpoints udpClients(int count, SocketAddress router) throws IOException {
        List<UdpStation> stations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stations.add(new UdpStation(i, router));
        }
        return new RouterEndpoints(stations);
    }

    /** Ground stations that connect to the router's TCP port. */
    static RouterEndpoints tcpClients(int count, SocketAddress router) throws IOException {
        List<TcpStation> stations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stations.add(new TcpStation(i, router));
        }
        return new RouterEndpoints(stations);
    }

    /** The UDP ports on which the stations wait. */
    List<Integer> ports() throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (Station station : stations) {
            ports.add(((UdpStation) station).port());
        }
        return ports;
    }

    RouterEndpoints start() {
        thread.start();
        return this;
    }

    /** Stores ages in {@code latencies} from now on; the ones used before are complete a moment later. */
    void keepAgesIn(@Nullable Latencies latencies) {
        into = latencies;
    }

    /** Stamped frames that all endpoints received together. */
    long received() {
        long sum = 0;
        for (int i = 0; i < received.length(); i++) {
            sum += received.get(i);
        }
        return sum;
    }

    /** Stamped frames that the endpoint with the fewest received. */
    long fewest() {
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < received.length(); i++) {
            fewest = Math.min(fewest, received.get(i));
        }
        return fewest;
    }

    private void run() {
        try {
            while (!stopping) {
                selector.select(key -> takeAll((Station) key.attachment()), SELECT_MS);
                long nowNs = System.nanoTime();
                for (Station station : stations) {
                    if (nowNs - station.heartbeatNs >= HEARTBEAT_NS || station.heartbeatNs == 0) {
                        station.heartbeatNs = nowNs;
                        station.sayHeartbeat();
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void takeAll(Station station) {
        try {
            while (station.read()) {
                take(station);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes the complete frames; the start of an incomplete one stays in the buffer. */
    private void take(Station station) {
        byte[] bytes = station.in.array();
        int end = station.in.position();
        long nowNs = System.nanoTime();
        int at = 0;
        while (end - at > FrameLayout.HEADER_LENGTH_V2 && end - at >= FrameLayout.length(bytes, at)) {
            int length = FrameLayout.length(bytes, at);
            if (StampedFrames.isStamped(bytes, at, length)) {
                received.incrementAndGet(station.index);
                Latencies latencies = into;
                if (latencies != null) {
                    latencies.add(nowNs - StampedFrames.sentNs(bytes, at));
                }
            }
            at += length;
        }
        station.in.limit(end).position(at);
        station.in.compact();
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Station station : stations) {
            station.channel().close();
        }
        selector.close();
    }
}
