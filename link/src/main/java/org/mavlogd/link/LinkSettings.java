package org.mavlogd.link;

/** Settings of a link. */
public sealed interface LinkSettings {
    /** Maximum path of a Unix socket: {@code sun_path} of unix(7), without the final NUL. */
    int MAX_UNIX_PATH_BYTES = 107;

    /** Unique name of letters, digits, dashes and underscores; names not chosen by a user also have dots. */
    String name();

    /** The network interface that its sockets are bound to, such as {@code wlan0}; empty for any. */
    default String networkInterface() {
        return "";
    }

    /** Waits for datagrams on a local address and answers every sender. */
    record UdpListen(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {
        /** On any network interface. */
        public UdpListen(String name, String host, int port, boolean recvmmsg) {
            this(name, host, port, recvmmsg, "");
        }
    }

    /** Sends to a remote address first, and takes datagrams only from it. */
    record UdpConnect(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {
        /** On any network interface. */
        public UdpConnect(String name, String host, int port, boolean recvmmsg) {
            this(name, host, port, recvmmsg, "");
        }
    }

    /**
     * Sends to a broadcast address until somebody answers, then to those who answered, until they have long been
     * silent.
     */
    record UdpBroadcast(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {}

    /** Sends to an IPv4 multicast group and takes datagrams of its members, on one network interface. */
    record UdpMulticast(String name, String host, int port, String networkInterface) implements LinkSettings {}

    /** Waits for TCP connections on a local address, several at a time. */
    record TcpListen(String name, String host, int port, String networkInterface) implements LinkSettings {
        /** On any network interface. */
        public TcpListen(String name, String host, int port) {
            this(name, host, port, "");
        }
    }

    /** Connects to a TCP server, and reconnects. */
    record TcpConnect(String name, String host, int port, String networkInterface) implements LinkSettings {
        /** On any network interface. */
        public TcpConnect(String name, String host, int port) {
            this(name, host, port, "");
        }
    }

    /**
     * Waits for datagrams on a Unix socket and answers senders that bound a path.
     *
     * @param path absolute, at most {@link #MAX_UNIX_PATH_BYTES} bytes; its directory must exist
     * @param mode permissions of the socket's file, such as 0660: write permission allows sending
     * @param group group of the file; empty for the group of this process
     */
    record UnixDatagram(String name, String path, int mode, String group) implements LinkSettings {}

    /** A serial device, 8N1. */
    record SerialPort(String name, String device, int baud, boolean flowControl) implements LinkSettings {}
}
