package org.mavlogd.simulate.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.simulate.VehicleOutput;
import org.mavlogd.simulate.VehicleStation;

/**
 * One thread, one datagram socket, one vehicle.
 *
 * <p>Not a {@link org.mavlogd.link.Link}: a link is made to receive much and send little, with a tick of 20 ms. A vehicle
 * sends 80,000 datagrams a second at the highest rate, and every 4 ms at the lowest. Hot path: nothing is allocated per
 * frame.
 */
final class UdpVehicleLoop {
    private static final int MAX_DATAGRAM_LENGTH = 65_536;
    private static final int SEND_BUFFER_BYTES = 1 << 20;

    private final LinkSettings.UdpConnect target;
    private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_DATAGRAM_LENGTH);
    private final ByteBuffer in = ByteBuffer.allocate(MAX_DATAGRAM_LENGTH);
    private long unsent;

    UdpVehicleLoop(LinkSettings.UdpConnect target) {
        this.target = target;
    }

    <R> R run(VehicleStation.Maker<R> maker, BooleanSupplier stop) throws IOException {
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
            VehicleStation<R> station = maker.make(wire, true, System.nanoTime());
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
            // Nobody listens there yet or any more, or the network is away: datagrams are lost in silence.
            unsent++;
        }
    }

    private boolean receive(DatagramChannel channel) throws IOException {
        in.clear();
        try {
            return channel.read(in) > 0;
        } catch (PortUnreachableException e) {
            return false; // the answer to a datagram of ours, while nobody listens there
        }
    }
}
