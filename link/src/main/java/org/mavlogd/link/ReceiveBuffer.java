package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;

/** The kernel's receive buffer of a UDP socket, which holds data while this process is not running. */
final class ReceiveBuffer {
    /** Holds 4 s of a stream of 500 KB/s, including the kernel's overhead per datagram. */
    static final int WANTED_BYTES = 4 << 20;

    // SOL_SOCKET and SO_RCVBUFFORCE of Linux, asm-generic/socket.h: goes beyond net.core.rmem_max with CAP_NET_ADMIN.
    private static final IntegerUnixChannelOption FORCED_RECEIVE_BUFFER =
            new IntegerUnixChannelOption("SO_RCVBUFFORCE", 1, 33);

    private ReceiveBuffer() {}

    /** Requests more than most users may have; returns the size that the kernel grants. */
    static int enlarge(Channel opened, NetworkIo io) {
        int granted = grantedBytes(opened, io);
        if (granted < WANTED_BYTES && io == NetworkIo.EPOLL) {
            try {
                opened.config().setOption(FORCED_RECEIVE_BUFFER, WANTED_BYTES);
                granted = grantedBytes(opened, io);
            } catch (RuntimeException e) {
                // Not permitted for most users: warning() then gives advice.
            }
        }
        return granted;
    }

    private static int grantedBytes(Channel opened, NetworkIo io) {
        int reported = opened.config().getOption(ChannelOption.SO_RCVBUF);
        // Linux reports twice the size asked for, socket(7); the JDK halves it, Netty's epoll does not.
        return io == NetworkIo.EPOLL ? reported / 2 : reported;
    }

    /** Warning for the operator; empty if the kernel granted enough. */
    static String warning(int grantedBytes) {
        if (grantedBytes >= WANTED_BYTES) {
            return "";
        }
        return "the kernel grants a receive buffer of " + grantedBytes / 1024 + " KiB instead of "
                + WANTED_BYTES / 1024
                + " KiB: data is lost when this computer stalls. To fix it, put net.core.rmem_max=" + WANTED_BYTES
                + " into /etc/sysctl.d/90-mavlogd.conf, then run sysctl --system and restart";
    }
}
