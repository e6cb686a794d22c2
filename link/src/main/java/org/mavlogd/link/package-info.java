/**
 * Links to vehicles and other programs: UDP, TCP, Unix datagrams and serial ports, which are opened again by themselves.
 *
 * <p>First stage on a byte's way. Bytes of sockets and ports come in; they go out to one {@link
 * org.mavlogd.peer.LinkListener} per link, and answers go back through {@link org.mavlogd.peer.Peer#send}. Everything of
 * one link happens on its own thread {@code link-<name>}; a serial link has a second one, {@code link-<name>-tx}, that
 * only writes to the port, and through a UDP socket one other thread may send datagrams ({@link org.mavlogd.peer.Peer#sendDirectly}).
 *
 * <p>Network links use Netty: its native epoll transport where that loads, else NIO; Unix datagrams need the former. Serial ports use jSerialComm, whose
 * native library is taken from the directory in the system property {@code jSerialComm.library.path} when that is set,
 * and is unpacked below {@code java.io.tmpdir} else.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.link;
