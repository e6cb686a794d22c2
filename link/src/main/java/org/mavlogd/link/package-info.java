/**
 * Links to vehicles and other programs: UDP, TCP, Unix datagrams and serial ports. Links reopen themselves.
 *
 * <p>The first stage of the data path. Bytes from sockets and ports go to one {@link org.mavlogd.peer.LinkListener} per
 * link, and answers go back through {@link org.mavlogd.peer.Peer#send}. Each link works on its own thread {@code
 * link-<name>}. A serial link has a second thread {@code link-<name>-tx} that writes to the port, and one other thread
 * may send datagrams through a UDP socket ({@link org.mavlogd.peer.Peer#sendDirectly}).
 *
 * <p>Network links use Netty: its native epoll transport if that loads, else NIO; Unix datagrams require epoll. Serial
 * ports use jSerialComm, whose native library is loaded from the directory in the system property {@code
 * jSerialComm.library.path} if that is set, and is otherwise unpacked below {@code java.io.tmpdir}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.link;
