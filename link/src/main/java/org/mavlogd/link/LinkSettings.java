package org.mavlogd.link;

/** Settings of a link. */
public sealed interface LinkSettings {
    /** The longest path of a Unix socket: {@code sun_path} of unix(7), less the ending NUL. */
    int MAX_UNIX_PATH_BYTES = 107;

    /** Unique among all links; letters, digits, dash and underscore, and a dot where no person chose it. */
    String name();

    /** The network interface that its sockets are bound to, such as {@code wlan0}; empty for any. */
    default String networkInterface() {
        return "";
    }

    /** Waits for datagrams on a local address and answers whoever sends. */
    record UdpListen(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {
        /** On any network interface. */
        public UdpListen(String name, String host, int port, boolean recvmmsg) {
            this(name, host, port, recvmmsg, "");
        }
    }

    /** Sends to one remote address first, and takes datagrams from it. */
    record UdpConnect(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {
        /** On any network interface. */
        public UdpConnect(String name, String host, int port, boolean recvmmsg) {
            this(name, host, port, recvmmsg, "");
        }
    }

    /** Sends to a broadcast address until somebody answers, then to those who did; until they are silent for long. */
    record UdpBroadcast(String name, String host, int port, boolean recvmmsg, String networkInterface)
            implements LinkSettings {}

    /** Sends to an IPv4 multicast group and takes what others send to it, on one network interface. */
    record UdpMulticast(String name, String host, int port, String networkInterface) implements LinkSettings {}

    /** Waits for TCP connections on a local address; several at once. */
    record TcpListen(String name, String host, int port, String networkInterface) implements LinkSettings {
        /** On any network interface. */
        public TcpListen(String name, String host, int port) {
            this(name, host, port, "");
        }
    }

    /** Connects to a TCP server, again and again. */
    record TcpConnect(String name, String host, int port, String networkInterface) implements LinkSettings {
        /** On any network interface. */
        public TcpConnect(String name, String host, int port) {
            this(name, host, port, "");
        }
    }

    /**
     * Waits for datagrams on a Unix socket and answers whoever gave itself a name.
     *
     * @param path absolute, at most {@link #MAX_UNIX_PATH_BYTES} bytes; its directory must be there
     * @param mode permissions of the socket's file, such as 0660: who may write may send
     * @param group that the file is given to; empty leaves it to the group of this process
     */
    record UnixDatagram(String name, String path, int mode, String group) implements LinkSettings {}

    /** A serial device, 8N1. */
    record SerialPort(String name, String device, int baud, boolean flowControl) implements LinkSettings {}
}
