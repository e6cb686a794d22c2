package org.mavlogd.link;

/** What a link is made of. */
public sealed interface LinkSettings {
    /** Unique among all links; letters, digits, dash and underscore. */
    String name();

    /** Waits for datagrams on a local address and answers whoever sends. */
    record UdpListen(String name, String host, int port, boolean recvmmsg) implements LinkSettings {}

    /** Sends to one remote address first, and takes datagrams from it. */
    record UdpConnect(String name, String host, int port, boolean recvmmsg) implements LinkSettings {}

    /** Waits for TCP connections on a local address; several at once. */
    record TcpListen(String name, String host, int port) implements LinkSettings {}

    /** Connects to a TCP server, again and again. */
    record TcpConnect(String name, String host, int port) implements LinkSettings {}

    /** A serial device, 8N1. */
    record SerialPort(String name, String device, int baud, boolean flowControl) implements LinkSettings {}
}
