package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A network interface that sockets are bound to, so that they send and hear there only, whatever the routes say.
 *
 * @param name as {@code ip link} shows it; empty for any
 * @see <a href="https://man7.org/linux/man-pages/man7/socket.7.html">socket(7), SO_BINDTODEVICE</a>
 */
record NetworkDevice(String name) {
    // asm-generic/socket.h and linux/if.h
    private static final int SOL_SOCKET = 1;
    private static final int SO_BINDTODEVICE = 25;
    private static final int IFNAMSIZ = 16;
    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("mavlogd-device", SOL_SOCKET, SO_BINDTODEVICE, IFNAMSIZ);

    boolean isAny() {
        return name.isEmpty();
    }

    /** The interface of this name; null if there is none. */
    @Nullable
    NetworkInterface found() {
        try {
            return NetworkInterface.getByName(name);
        } catch (SocketException e) {
            return null;
        }
    }

    /** The kernel's number of the interface that has the name now; 0 if there is none. */
    int index() {
        NetworkInterface found = found();
        return found == null ? 0 : found.getIndex();
    }

    /** How a link says where it is. */
    String of(String endpoint) {
        return isAny() ? endpoint : endpoint + " on " + name;
    }

    /** Channels on this interface. One that cannot be bound to it is not made: it would be on all. */
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
        byte[] padded = Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), IFNAMSIZ);
        String problem = "needs Linux and Netty's epoll library";
        try {
            if (channel.config()
                    .setOption(
                            OPTION,
                            ByteBuffer.allocateDirect(IFNAMSIZ).put(padded).flip())) {
                return;
            }
        } catch (RuntimeException e) {
            // Linux before 5.7 permits it to root only.
            problem = NettyLink.reason(e).replaceFirst("^.*\\(\\) failed: ", "");
        }
        channel.unsafe().closeForcibly();
        throw new ChannelException("interface " + name + ": " + problem);
    }
}
