package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A network interface to which sockets are bound, so that they send and receive only there, whatever the routes.
 *
 * @param name as in {@code ip link}; empty for any interface
 * @see <a href="https://man7.org/linux/man-pages/man7/socket.7.html">socket(7), SO_BINDTODEVICE</a>
 */
record NetworkDevice(String name) {
    // asm-generic/socket.h and linux/if.h
    private static final int SOL_SOCKET = 1;
    private static final int SO_BINDTODEVICE = 25;
    private static final int SO_BINDTOIFINDEX = 62;
    private static final int IFNAMSIZ = 16;
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("mavlogd-device", SOL_SOCKET, SO_BINDTODEVICE, IFNAMSIZ);

    boolean isAny() {
        return name.isEmpty();
    }

    /**
     * The interface of this name; null if there is none with an address. Takes the same lock as Java's list, see {@link
     * #index}.
     */
    @Nullable
    NetworkInterface found() {
        try {
            return NetworkInterface.getByName(name);
        } catch (SocketException e) {
            return null;
        }
    }

    /**
     * The kernel's number of the interface that now has the name; 0 if there is none. It is read from a socket bound to
     * the name: Java's list of interfaces omits those without an address, and waits for the kernel's lock that every
     * change of an interface takes.
     *
     * @throws IOException if no socket can be created
     */
    int index() throws IOException {
        if (!Epoll.isAvailable()) {
            return 0; // no socket can be bound to it
        }
        Socket asked = newSocket();
        try {
            asked.setRawOpt(SOL_SOCKET, SO_BINDTODEVICE, ByteBuffer.wrap(paddedName()));
            return index(asked);
        } catch (IOException | ChannelException e) {
            return 0;
        } finally {
            asked.close();
        }
    }

    private int index(Socket asked) {
        try {
            ByteBuffer index = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
            asked.getRawOpt(SOL_SOCKET, SO_BINDTOIFINDEX, index);
            return index.getInt(0);
        } catch (IOException | ChannelException e) {
            return index(INTERFACES); // Linux before 5.1
        }
    }

    private static Socket newSocket() throws IOException {
        try {
            return Socket.newSocketDgram();
        } catch (ChannelException e) {
            throw new IOException(NettyLink.reason(e), e);
        }
    }

    /** Reads the number from the kernel's files, which may belong to another network namespace; 0 if there are none. */
    int index(Path interfaces) {
        try {
            return Integer.parseInt(Files.readString(interfaces.resolve(name).resolve("ifindex"))
                    .strip());
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Adds the interface to an endpoint, for display. */
    String of(String endpoint) {
        return isAny() ? endpoint : endpoint + " on " + name;
    }

    /** Channels on this interface. Throws if a channel cannot be bound to it: it would be on all interfaces. */
    <C extends Channel> ChannelFactory<C> bind(ChannelFactory<? extends C> channels) {
        return () -> {
            C channel = channels.newChannel();
            if (!isAny()) {
                bind(channel);
            }
            return channel;
        };
    }

    private void bind(Channel channel) {
        String problem = "needs Linux and Netty's epoll library";
        try {
            if (channel.config()
                    .setOption(
                            OPTION,
                            ByteBuffer.allocateDirect(IFNAMSIZ)
                                    .put(paddedName())
                                    .flip())) {
                return;
            }
        } catch (RuntimeException e) {
            // Linux before 5.7 permits it to root only.
            problem = NettyLink.reason(e).replaceFirst("^.*\\(\\) failed: ", "");
        }
        channel.unsafe().closeForcibly();
        throw new ChannelException("interface " + name + ": " + problem);
    }

    private byte[] paddedName() {
        return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), IFNAMSIZ);
    }
}
