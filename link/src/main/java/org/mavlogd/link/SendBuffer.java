package org.mavlogd.link;

import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The fill level of a socket's send buffer in the kernel. A datagram stays in it until the driver has sent it or, if
 * its receiver vanished, until the kernel stops asking for the hardware address (ARP), about 3 s later. Senders of less
 * urgent datagrams check it to leave room for others. Owned by the sending thread. Hot path: the system call takes no
 * lock.
 *
 * <p>If the kernel does not report the level (Linux before 4.12), there is always room.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sock_diag.7.html">sock_diag(7), SK_MEMINFO_*</a>
 */
final class SendBuffer {
    // asm-generic/socket.h
    private static final int SOL_SOCKET = 1;
    private static final int SO_MEMINFO = 55;
    // linux/sock_diag.h: numbers of 32 bits
    private static final int SK_MEMINFO_WMEM_ALLOC = 2 * Integer.BYTES;
    private static final int SK_MEMINFO_SNDBUF = 3 * Integer.BYTES;

    // More than the kernel accounts for a datagram of UdpLink.MAX_DATAGRAM_LENGTH, even in two fragments.
    private static final int MOST_FOR_A_DATAGRAM = 5 * 1024;

    private final ByteBuffer figures =
            ByteBuffer.allocateDirect(4 * Integer.BYTES).order(ByteOrder.nativeOrder());
    private boolean isKnown = true;
    // Datagrams that certainly fit, even if none of the earlier ones leaves: saves a query for each.
    private int certain;
    private int shareOfCertain;

    /** Whether another datagram may be sent: less than one in {@code share} bytes of the buffer is in use. */
    boolean hasRoom(Socket socket, int share) throws IOException {
        if (!isKnown) {
            return true;
        }
        if (certain == 0 || share > shareOfCertain) {
            int room = room(socket, share);
            certain = Math.max(0, room) / MOST_FOR_A_DATAGRAM;
            shareOfCertain = share;
            return room > 0;
        }
        certain--;
        return true;
    }

    private int room(Socket socket, int share) throws IOException {
        try {
            figures.clear();
            socket.getRawOpt(SOL_SOCKET, SO_MEMINFO, figures);
        } catch (ChannelException e) {
            isKnown = false;
            return 1;
        }
        return figures.getInt(SK_MEMINFO_SNDBUF) / share - figures.getInt(SK_MEMINFO_WMEM_ALLOC);
    }
}
