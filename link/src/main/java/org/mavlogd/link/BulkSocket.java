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
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.BulkRule;

/**
 * A second socket on a UDP link's address, into which the kernel puts the datagrams that may wait, as a {@link
 * BulkRule} selects them. They do not wake the link's thread: it reads them when they are due, and before each datagram
 * that woke it.
 *
 * <p>Both sockets belong to one {@code SO_REUSEPORT} group, the link's own as number 0 and this one as number 1. The
 * rule is the group's filter and returns the number. While this socket does not exist, number 1 selects the only one in
 * the group.
 *
 * <p>Owned by the link's thread. Hot path: allocates nothing per datagram, once the other socket holds nothing from
 * before the kernel sorted.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/socket.7.html">socket(7), SO_ATTACH_REUSEPORT_CBPF</a>
 */
final class BulkSocket {
    /** Datagrams of one read, after which the thread attends to its other duties. */
    static final int MAX_DATAGRAMS = 4096;

    // So many datagrams are more than a kernel holds. A flood could continue for ever.
    private static final int MAX_READINGS = 16;
    // Rounds after which the other socket has been read empty even if datagrams arrive all the time.
    private static final int SETTLED_ROUNDS = 64;
    // More than arrives in the time until it is settled, unless this computer stalls or somebody floods the link.
    private static final int MAX_ASIDE_BYTES = 256 << 10;
    private static final int ASIDE_OVERHEAD = 64;

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
    private final LongSupplier clock;
    private final BulkPace pace;
    private final ByteBuffer received;
    private final byte[] datagram;
    private final BulkRule rule;
    // When the socket was found empty for the last time: what it holds now came later.
    private long emptiedNs;
    private boolean isRoundDrained;
    // Datagrams from before the kernel sorted are in the other socket, and come before all datagrams here.
    private boolean isSettled;
    private boolean isSorting = true;
    private int rounds;
    private int wokenInRound;
    // A datagram that was read already, but comes after the one that woke the thread.
    private @Nullable InetSocketAddress heldSender;
    private int heldLength;
    // Datagrams that were read already before it was settled; they come before all in the socket.
    private final Deque<Aside> aside = new ArrayDeque<>();
    private int asideBytes;

    private static final class Aside {
        private final InetSocketAddress sender;
        private final byte[] datagram;

        Aside(InetSocketAddress sender, byte[] datagram) {
            this.sender = sender;
            this.datagram = datagram;
        }
    }

    /** Takes the datagrams. */
    interface Taker {
        /** A reading begins: what it finds came after {@code sinceNs}. */
        void begin(long sinceNs);

        /** Takes one datagram, whose bytes are valid only during the call, with its estimated time of arrival. */
        void take(InetSocketAddress sender, byte[] datagram, int length, long arrivalNs);

        /** The reading is over. */
        void end();
    }

    BulkSocket(Channel woken, DatagramChannel socket, BulkRule rule, int maxLength, Taker taker, LongSupplier clock)
            throws IOException {
        this.woken = woken;
        this.socket = socket;
        this.rule = rule;
        this.taker = taker;
        this.clock = clock;
        long nowNs = clock.getAsLong();
        this.pace = new BulkPace(socket.getOption(StandardSocketOptions.SO_RCVBUF), rule.longestNs(), nowNs);
        this.emptiedNs = nowNs;
        this.received = ByteBuffer.allocateDirect(maxLength);
        this.datagram = new byte[maxLength];
    }

    /** The option that a socket needs before it is bound, so that another can join it. */
    static ChannelOption<Boolean> groupOption() {
        return UnixChannelOption.SO_REUSEPORT;
    }

    /**
     * Throws if another socket has the address: two sockets of a group would silently share the datagrams.
     *
     * @return the address, with a free port in place of 0
     */
    static InetSocketAddress requireFree(InetSocketAddress address) throws IOException {
        try (DatagramChannel probe = DatagramChannel.open(family(address))) {
            probe.bind(address);
            return (InetSocketAddress) probe.getLocalAddress();
        }
    }

    /**
     * Opens the socket in addition to a bound one, and makes the kernel sort.
     *
     * @param maxLength of a datagram; longer ones are cut
     * @throws IOException if the kernel refuses; nothing has changed then
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
            return new BulkSocket(woken, socket, rule, maxLength, taker, clock);
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

    /** Time until the next read. */
    long intervalNs() {
        return pace.intervalNs();
    }

    /** Time since the last datagram. */
    long silenceNs(long nowNs) {
        return pace.silenceNs(nowNs);
    }

    /** Reads the waiting datagrams; false if there may be more. */
    boolean drain(long nowNs) throws IOException {
        return drain(null, datagram, -1, nowNs);
    }

    private void drainAll(@Nullable InetSocketAddress sender, byte[] woke, int place, long nowNs) throws IOException {
        for (int i = 0; i < MAX_READINGS && !drain(sender, woke, place, nowNs); i++) {
            // repeat until the socket is empty
        }
    }

    /**
     * Reads the datagrams that come before one that woke the thread: those that arrived before it, but not those that
     * follow it where both kinds have one order.
     */
    void drainBefore(InetSocketAddress sender, byte[] woke, int length, long nowNs) throws IOException {
        wokenInRound++;
        if (!isSettled && isSorting && rule.isBulk(woke, length)) {
            return; // came before the kernel sorted, so before everything here
        }
        int place = rule.place(woke, length);
        if (place >= 0 || !isRoundDrained || rule.mayEnd(woke, length)) {
            isRoundDrained = true;
            drainAll(place < 0 ? null : sender, woke, place, nowNs);
        }
        if (place >= 0) {
            pace.restart(); // the vehicle waits for the acknowledgement, and may then send faster than before
        }
    }

    /** Whether a datagram woke the thread that the kernel must have put here as well: it gives broadcasts to both sockets. */
    boolean isCopy(byte[] woke, int length) {
        return isSettled && isSorting && rule.isBulk(woke, length);
    }

    /**
     * Ends a round: datagrams that wake the thread from now on come after those that were read.
     *
     * @param hasLooked whether the thread looked at the other socket, which was empty then if nothing woke the thread
     */
    void endRound(boolean hasLooked) {
        isRoundDrained = false;
        rounds += hasLooked ? 1 : 0;
        isSettled = isSettled || (hasLooked && wokenInRound == 0) || rounds >= SETTLED_ROUNDS;
        wokenInRound = 0;
    }

    /** @param sender who sent what woke the thread: the datagrams of others have no order with it */
    private boolean drain(@Nullable InetSocketAddress sender, byte[] woke, int place, long nowNs) throws IOException {
        if (place < 0 && !isSettled) {
            return true;
        }
        taker.begin(emptiedNs);
        int count;
        try {
            count = isSettled ? takeAll(sender, woke, place, nowNs) : takeOrdered(sender, woke, place, nowNs);
        } finally {
            taker.end();
        }
        pace.drained(count, clock.getAsLong());
        if (count < MAX_DATAGRAMS && heldSender == null && aside.isEmpty()) {
            emptiedNs = nowNs;
        }
        return count < MAX_DATAGRAMS;
    }

    private int takeAll(@Nullable InetSocketAddress sender, byte[] woke, int place, long nowNs) throws IOException {
        int count = 0;
        while (count < MAX_DATAGRAMS && read()) {
            if (place >= 0 && isSame(heldSender, sender) && rule.order(datagram, heldLength, woke, place) > 0) {
                break;
            }
            count++;
            takeHeld(pace.arrivalNs(count, nowNs));
        }
        return count;
    }

    /**
     * Before it is settled, takes only those that are known to come before what woke the thread. All others are set
     * aside: the other socket may still have what the same vehicle sent before the kernel sorted.
     */
    private int takeOrdered(@Nullable InetSocketAddress sender, byte[] woke, int place, long nowNs) throws IOException {
        int count = 0;
        int order = 0;
        for (Iterator<Aside> all = aside.iterator(); order <= 0 && all.hasNext(); ) {
            Aside each = all.next();
            order = isSame(each.sender, sender) ? rule.order(each.datagram, each.datagram.length, woke, place) : 0;
            if (order < 0) {
                all.remove();
                hold(each);
                takeHeld(nowNs);
            }
        }
        while (order <= 0 && count < MAX_DATAGRAMS && asideBytes < MAX_ASIDE_BYTES && receive()) {
            count++;
            order = isSame(heldSender, sender) ? rule.order(datagram, heldLength, woke, place) : 0;
            if (order < 0) {
                takeHeld(pace.arrivalNs(count, nowNs));
            } else {
                setAside();
            }
        }
        return count;
    }

    /** Makes the datagram, which is no longer among those set aside, the held one. */
    private void hold(Aside each) {
        heldSender = each.sender;
        heldLength = each.datagram.length;
        System.arraycopy(each.datagram, 0, datagram, 0, heldLength);
        asideBytes -= heldLength + ASIDE_OVERHEAD;
    }

    private void setAside() {
        InetSocketAddress sender = heldSender;
        heldSender = null;
        if (sender != null) {
            aside.add(new Aside(sender, Arrays.copyOf(datagram, heldLength)));
            asideBytes += heldLength + ASIDE_OVERHEAD;
        }
    }

    private static boolean isSame(@Nullable InetSocketAddress held, @Nullable InetSocketAddress sender) {
        return held != null
                && sender != null
                && held.getPort() == sender.getPort()
                && AddressRenewal.isSame(held.getAddress(), sender.getAddress());
    }

    /** Delivers the datagram, unless it is the copy of a broadcast that the other socket has, too. */
    private void takeHeld(long arrivalNs) {
        InetSocketAddress sender = heldSender;
        heldSender = null;
        if (sender != null && rule.isBulk(datagram, heldLength)) {
            taker.take(sender, datagram, heldLength, arrivalNs);
        }
    }

    /** Reads the next datagram, the held one and those set aside first; false if there is none. */
    private boolean read() throws IOException {
        if (heldSender != null) {
            return true;
        }
        Aside next = aside.poll();
        if (next == null) {
            return receive();
        }
        hold(next);
        return true;
    }

    private boolean receive() throws IOException {
        received.clear();
        if (!(socket.receive(received) instanceof InetSocketAddress sender)) {
            return false;
        }
        heldSender = sender;
        heldLength = received.flip().remaining();
        received.get(datagram, 0, heldLength);
        return true;
    }

    /** Stops sorting: no further datagrams wait; those that wait are read as before. */
    void sortNoMore() throws IOException {
        attach(woken, ALL_TO_THE_FIRST);
        isSorting = false;
    }

    /** Whether the other socket holds nothing from before the kernel sorted, so that this one can be closed. */
    boolean isSettled() {
        return isSettled;
    }

    /** Stops sorting, reads all waiting datagrams, then closes the socket: nothing is lost. */
    void close(long nowNs) {
        try {
            sortNoMore();
        } catch (IOException e) {
            // The other socket is closed, and the group ends.
        }
        isSettled = true;
        try (socket) {
            drainAll(null, datagram, -1, nowNs);
        } catch (IOException e) {
            // The socket is unreadable, and closed for that reason.
        }
    }
}
