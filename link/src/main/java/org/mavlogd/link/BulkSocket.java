package org.mavlogd.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.BulkRule;

/**
 * A second socket on a UDP link's address that wakes no thread: the kernel puts datagrams there that may wait, by a
 * {@link BulkRule}. It is read when it is due, and before what woke the thread.
 *
 * <p>Both sockets belong to one {@code SO_REUSEPORT} group, in which the link's own is number 0 and this is number 1; the rule is
 * the group's filter, whose answer is the number. While this socket does not exist, number 1 means the only one there is.
 *
 * <p>Owned by the link's thread. Hot path: allocates nothing per datagram.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/socket.7.html">socket(7), SO_ATTACH_REUSEPORT_CBPF</a>
 */
final class BulkSocket {
    /** Datagrams of one reading, after which the thread looks after its other duties. */
    static final int MAX_DATAGRAMS = 4096;

    private static final int MAX_LAST_READINGS = 16;
    // By then the other socket has been read empty, also where something always comes.
    private static final int SETTLED_ROUNDS = 64;

    // asm-generic/socket.h
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    // struct sock_fprog on 64 bits: a 16-bit length, and the address of the instructions
    private static final int FPROG_LENGTH = 16;
    private static final int FPROG_ADDRESS = 8;
    private static final long[] ALL_TO_THE_FIRST = {0x06L << 48}; // ret #0

    private final Channel woken;
    private final DatagramChannel socket;
    private final Taker taker;
    private final BulkPace pace;
    private final ByteBuffer received;
    private final byte[] datagram;
    private final BulkRule rule;
    private boolean isRoundDrained;
    // What came before the kernel sorted is in the other socket, and comes before all that is here.
    private boolean isSettled;
    private int rounds;
    private int wokenInRound;
    // What was read already, and comes behind the datagram that it was held against.
    private @Nullable InetSocketAddress heldSender;
    private int heldLength;

    /** Takes one datagram, whose bytes are valid during the call only. */
    interface Taker {
        void take(InetSocketAddress sender, byte[] datagram, int length, long arrivalNs);
    }

    private BulkSocket(Channel woken, DatagramChannel socket, BulkRule rule, int maxLength, Taker taker, long nowNs)
            throws IOException {
        this.woken = woken;
        this.socket = socket;
        this.rule = rule;
        this.taker = taker;
        this.pace = new BulkPace(socket.getOption(StandardSocketOptions.SO_RCVBUF), rule.longestNs(), nowNs);
        this.received = ByteBuffer.allocateDirect(maxLength);
        this.datagram = new byte[maxLength];
    }

    /** What a socket must have before it is bound, so that another can join it. */
    static ChannelOption<Boolean> groupOption() {
        return UnixChannelOption.SO_REUSEPORT;
    }

    /**
     * Throws when another socket has the address: two of a group would share what comes without anybody noticing.
     *
     * @return the address; instead of port 0 one that nobody has
     */
    static InetSocketAddress requireFree(InetSocketAddress address) throws IOException {
        try (DatagramChannel probe = DatagramChannel.open(family(address))) {
            probe.bind(address);
            return (InetSocketAddress) probe.getLocalAddress();
        }
    }

    /**
     * Opens the socket beside a bound one and lets the kernel sort.
     *
     * @param maxLength of a datagram; longer ones are cut
     * @throws IOException when the kernel refuses; then everything is as before
     */
    static BulkSocket open(Channel woken, BulkRule rule, int maxLength, Taker taker, LongSupplier clock)
            throws IOException {
        InetSocketAddress address = (InetSocketAddress) woken.localAddress();
        attach(woken, rule.program());
        DatagramChannel socket = null;
        try {
            socket = DatagramChannel.open(family(address));
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            socket.setOption(StandardSocketOptions.SO_RCVBUF, ReceiveBuffer.WANTED_BYTES);
            socket.bind(address);
            return new BulkSocket(woken, socket, rule, maxLength, taker, clock.getAsLong());
        } catch (IOException | RuntimeException e) {
            if (socket != null) {
                socket.close();
            }
            throw e;
        }
    }

    private static StandardProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6;
    }

    private static void attach(Channel socket, long[] program) throws IOException {
        ByteBuf instructions = Unpooled.directBuffer(program.length * Long.BYTES);
        try {
            for (long instruction : program) {
                instructions.writeShortLE((int) (instruction >>> 48));
                instructions.writeShort((int) (instruction >>> 32)); // two bytes, jt before jf
                instructions.writeIntLE((int) instruction);
            }
            ByteBuffer fprog = ByteBuffer.allocateDirect(FPROG_LENGTH).order(ByteOrder.nativeOrder());
            fprog.putShort(0, (short) program.length).putLong(FPROG_ADDRESS, instructions.memoryAddress());
            socket.config()
                    .setOption(
                            new RawUnixChannelOption("mavlogd", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, FPROG_LENGTH),
                            fprog);
        } catch (RuntimeException e) {
            throw new IOException(NettyLink.reason(e), e);
        } finally {
            instructions.release();
        }
    }

    /** After which time it is to be read again. */
    long intervalNs() {
        return pace.intervalNs();
    }

    /** Time since anything came. */
    long silenceNs(long nowNs) {
        return pace.silenceNs(nowNs);
    }

    /** Reads what there is; false when there may be more. */
    boolean drain(long nowNs) throws IOException {
        return drain(datagram, -1, nowNs);
    }

    /**
     * Reads what comes before a datagram that woke the thread: all that came before it, and where both have a place in one order,
     * nothing that belongs behind it.
     */
    void drainBefore(byte[] woke, int length, long nowNs) throws IOException {
        wokenInRound++;
        if (!isSettled && rule.isBulk(woke, length)) {
            return;
        }
        int place = rule.place(woke, length);
        if (place >= 0 || !isRoundDrained) {
            isRoundDrained = true;
            drain(woke, place, nowNs);
        }
    }

    /** What wakes the thread from here on comes after what was read. */
    void endRound() {
        isRoundDrained = false;
        rounds++;
        isSettled = isSettled || wokenInRound == 0 || rounds >= SETTLED_ROUNDS;
        wokenInRound = 0;
    }

    private boolean drain(byte[] woke, int place, long nowNs) throws IOException {
        if (place < 0 && !isSettled) {
            return true;
        }
        int count = 0;
        while (count < MAX_DATAGRAMS && read()) {
            if (place >= 0 && !rule.isBefore(datagram, heldLength, woke, place)) {
                break;
            }
            count++;
            takeHeld(pace.arrivalNs(count, nowNs));
        }
        pace.drained(count, nowNs);
        return count < MAX_DATAGRAMS;
    }

    private void takeHeld(long arrivalNs) {
        InetSocketAddress sender = heldSender;
        heldSender = null;
        if (sender != null) {
            taker.take(sender, datagram, heldLength, arrivalNs);
        }
    }

    /** The next datagram, that which is held first; false when there is none. */
    private boolean read() throws IOException {
        if (heldSender != null) {
            return true;
        }
        received.clear();
        if (!(socket.receive(received) instanceof InetSocketAddress sender)) {
            return false;
        }
        heldSender = sender;
        heldLength = received.flip().remaining();
        received.get(datagram, 0, heldLength);
        return true;
    }

    /** Nothing more comes to wait from here on; what waits is read as before. */
    void sortNoMore() throws IOException {
        attach(woken, ALL_TO_THE_FIRST);
        isSettled = true;
    }

    /** First nothing more comes to wait, then what waits is read, then the socket is closed: nothing is lost. */
    void close(long nowNs) {
        try {
            sortNoMore();
        } catch (IOException e) {
            isSettled = true; // the other socket is closed, and the group ends
        }
        try (socket) {
            for (int i = 0; i < MAX_LAST_READINGS && !drain(nowNs); i++) {
                // until all is read
            }
        } catch (IOException e) {
            // It cannot be read any more, which is why it is closed.
        }
    }
}
