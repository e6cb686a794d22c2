package org.mavlogd.simulate.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.simulate.PlannedVehicle;
import org.mavlogd.simulate.VehicleOutput;
import org.mavlogd.simulate.VehicleStation;
import org.mavlogd.simulate.ardupilot.ArduPilotCounters;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.simulate.ardupilot.PlannedArduPilot;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.PlannedPx4;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.VehicleCounters;

/** Runs a simulated vehicle on a real link, until its plan is done or it is stopped. */
public final class VehicleRunner {
    /** Maximum time between ticks: smooth enough for acked chunks every 4 ms. */
    static final long TICK_NS = 1_000_000;

    private VehicleRunner() {}

    /**
     * Runs on the caller's thread until the plan is done.
     *
     * @param target address of the recorder
     * @param stop called repeatedly; true ends the run early
     * @throws IOException if the target cannot be reached for a permanent reason
     */
    public static PlannedVehicle.Report<VehicleCounters> run(
            VehicleStation.Plan<Px4Settings> plan, LogImage log, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        return run(
                plan,
                (output, onStream, nowNs) -> new PlannedPx4(plan.vehicle(), log, output, onStream, nowNs),
                target,
                stop);
    }

    /** Runs an ArduPilot in the same way. */
    public static PlannedVehicle.Report<ArduPilotCounters> run(
            VehicleStation.Plan<ArduPilotSettings> plan, DataFlashImage log, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        return run(
                plan,
                (output, onStream, nowNs) -> new PlannedArduPilot(plan.vehicle(), log, output, onStream, nowNs),
                target,
                stop);
    }

    private static <C extends PlannedVehicle.Counters> PlannedVehicle.Report<C> run(
            VehicleStation.Plan<?> plan, PlannedVehicle.Maker<C> vehicle, LinkSettings target, BooleanSupplier stop)
            throws IOException {
        VehicleStation.Maker<C> station =
                (wire, datagrams, nowNs) -> new VehicleStation<>(plan, vehicle, wire, datagrams, nowNs);
        if (target instanceof LinkSettings.UdpConnect udp) {
            return new UdpLoop(udp).run(station, stop);
        }
        return new LinkLoop<>(target, station).run(stop);
    }

    /**
     * Runs one vehicle with one thread and one datagram socket.
     *
     * <p>Not a {@link org.mavlogd.link.Link}: a link receives much and sends little, with a tick of 20 ms. A vehicle
     * sends up to 80,000 datagrams a second, and at least one every 4 ms. Hot path: nothing is allocated per frame.
     */
    private static final class UdpLoop {
        private static final int MAX_DATAGRAM_LENGTH = 65_536;
        private static final int SEND_BUFFER_BYTES = 1 << 20;

        private final LinkSettings.UdpConnect target;
        private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_DATAGRAM_LENGTH);
        private final ByteBuffer in = ByteBuffer.allocate(MAX_DATAGRAM_LENGTH);
        private long unsent;

        UdpLoop(LinkSettings.UdpConnect target) {
            this.target = target;
        }

        <C extends PlannedVehicle.Counters> PlannedVehicle.Report<C> run(
                VehicleStation.Maker<C> maker, BooleanSupplier stop) throws IOException {
            InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
            if (address.isUnresolved()) {
                throw new IOException("unknown host " + target.host());
            }
            try (DatagramChannel channel = DatagramChannel.open();
                    Selector selector = Selector.open()) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
                channel.configureBlocking(false);
                channel.connect(address);
                channel.register(selector, SelectionKey.OP_READ);
                VehicleOutput wire = (frame, offset, length) -> send(channel, frame, offset, length);
                VehicleStation<C> station = maker.make(wire, true, System.nanoTime());
                while (!station.isDone() && !stop.getAsBoolean()) {
                    selector.select(key -> {}, TimeUnit.NANOSECONDS.toMillis(VehicleRunner.TICK_NS));
                    while (receive(channel)) {
                        station.onBytes(in.array(), in.arrayOffset(), in.position(), System.nanoTime());
                    }
                    station.onTick(System.nanoTime());
                }
                return station.report(unsent);
            }
        }

        private void send(DatagramChannel channel, byte[] frame, int offset, int length) {
            out.clear();
            out.put(frame, offset, length).flip();
            try {
                if (channel.write(out) == 0) {
                    unsent++;
                }
            } catch (IOException e) {
                // No program listens there yet or any more, or the network is down: datagrams are lost silently.
                unsent++;
            }
        }

        private boolean receive(DatagramChannel channel) throws IOException {
            in.clear();
            try {
                return channel.read(in) > 0;
            } catch (PortUnreachableException e) {
                return false; // the answer to one of our datagrams, because no program listens there
            }
        }
    }

    /**
     * Runs a vehicle on a TCP connection or a serial port. The vehicle belongs to the link's thread; the caller's
     * thread only triggers its ticks, because a link's own tick is too coarse for chunks every 4 ms.
     */
    private static final class LinkLoop<C extends PlannedVehicle.Counters> implements LinkListener {
        private final Link link;
        private final LinkCounters counters;
        private final VehicleStation<C> station;
        private final AtomicBoolean tickAsked = new AtomicBoolean();
        private final Runnable tick = this::tick;
        private @Nullable Peer peer;
        private long unsent;
        private volatile boolean done;

        LinkLoop(LinkSettings target, VehicleStation.Maker<C> maker) {
            counters = LinkCounters.register(new Metrics(), target.name());
            station = maker.make(this::send, false, System.nanoTime());
            link = Links.create(target, this, counters);
        }

        PlannedVehicle.Report<C> run(BooleanSupplier stop) {
            try (link) {
                link.start();
                while (!done && !stop.getAsBoolean()) {
                    LockSupport.parkNanos(VehicleRunner.TICK_NS);
                    if (tickAsked.compareAndSet(false, true)) {
                        link.execute(tick);
                    }
                }
                CompletableFuture<PlannedVehicle.Report<C>> report = new CompletableFuture<>();
                link.execute(() -> report.complete(
                        station.report(unsent + counters.droppedSends().get())));
                return report.join();
            }
        }

        @Override
        public void onPeerUp(Peer newPeer, long nowNs) {
            peer = newPeer;
            station.onConnection();
        }

        @Override
        public void onBytes(Peer from, byte[] buffer, int offset, int length, long nowNs) {
            station.onBytes(buffer, offset, length, nowNs);
        }

        @Override
        public void onPeerDown(Peer oldPeer, long nowNs) {
            if (oldPeer == peer) {
                peer = null;
            }
        }

        @Override
        public void onTick(long nowNs) {
            station.onTick(nowNs);
            done = station.isDone();
        }

        @Override
        public boolean mayWait() {
            return false;
        }

        private void tick() {
            tickAsked.set(false);
            onTick(System.nanoTime());
        }

        private void send(byte[] frame, int offset, int length) {
            Peer to = peer;
            if (to == null) {
                unsent++;
            } else {
                to.send(frame, offset, length);
            }
        }
    }
}
