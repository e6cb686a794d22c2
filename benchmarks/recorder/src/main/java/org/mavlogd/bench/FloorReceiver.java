package org.mavlogd.bench;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The simplest receiver: one thread that blocks for each datagram or read of a stream and discards the bytes, without
 * decoding and without a file. It is the floor for the daemon's figures on this machine at this moment. {@code
 * FloorReceiver udp|tcp PORT} or {@code FloorReceiver tty DEVICE}.
 */
final class FloorReceiver {
    private FloorReceiver() {}

    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "udp" -> {
                try (DatagramChannel channel = DatagramChannel.open()) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
                    channel.bind(address(arguments[1]));
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
            case "tcp" -> {
                try (ServerSocketChannel server = ServerSocketChannel.open()) {
                    server.bind(address(arguments[1]));
                    System.out.println("ready");
                    while (server.isOpen()) {
                        try (SocketChannel accepted = server.accept()) {
                            readToTheEnd(accepted);
                        }
                    }
                }
            }
            default -> {
                try (FileInputStream device = new FileInputStream(arguments[1])) {
                    System.out.println("ready");
                    readToTheEnd(device.getChannel());
                }
            }
        }
    }

    private static InetSocketAddress address(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private static void readToTheEnd(ReadableByteChannel stream) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64 * 1024);
        while (stream.read(bytes) >= 0) {
            bytes.clear();
        }
    }
}
