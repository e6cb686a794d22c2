package org.mavlogd.link;

/** Settings of a link. */
public sealed interface LinkSettings {
    /** The longest path of a Unix socket: {@code sun_path} of unix(7), less the ending NUL. */
    int MAX_UNIX_PATH_BYTES = 107;

    /** Unique among all links; letters, digits, dash and underscore, and a dot where no person chose it. */
    String name();

    /** Waits for datagrams on a local address and answers whoever sends. */
    record UdpListen(String name, String host, int port, boolean recvmmsg) implements LinkSettings {}

    /** Sends to one remote address first, and takes datagrams from it. */
    record UdpConnect(String name, String host, int port, boolean recvmmsg) implements LinkSettings {}

    /** Waits for TCP connections on a local address; several at once. */
    record TcpListen(String name, String host, int port) implements LinkSettings {}

    /** Connects to a TCP server, again and again. */
    record TcpConnect(String name, String host, int port) implements LinkSettings {}

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
