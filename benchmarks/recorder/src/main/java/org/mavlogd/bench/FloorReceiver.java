package org.mavlogd.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * The plainest receiver: one thread that blocks for each datagram, reads it and forgets it. No decoding, no file. What it
 * costs on this machine at this moment is what the daemon's figures can be compared with.
 */
final class FloorReceiver {
    private FloorReceiver() {}

    public static void main(String[] arguments) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])));
            System.out.println("ready");
            ByteBuffer datagram = ByteBuffer.allocateDirect(2048);
            while (channel.isOpen()) {
                datagram.clear();
                if (channel.receive(datagram) == null) {
                    throw new IOException("blocking receive brought nothing");
                }
            }
        }
    }
}
