package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.Peer;

/**
 * A UDP socket that waits for datagrams of any sender, or sends to a configured address first. If that is a broadcast
 * address, it sends there until somebody answers.
 *
 * <p>Neither kind is connected in the kernel's sense: a connected socket keeps its source address, and would receive
 * nothing after the network device comes back with another one. If the configured address is a name, it is looked up
 * again while the peer is silent, see {@link AddressRenewal}.
 */
final class UdpLink extends HostLink implements DatagramPort.Owner<InetSocketAddress> {
    /** Maximum number of known addresses; above it the least important ones are removed. */
    static final int MAX_PEERS = 64;

    /** Longer datagrams are cut; MAVLink senders fill at most one Ethernet frame, 1,472 bytes. */
    static final int MAX_DATAGRAM_LENGTH = 2048;

    private static final int SLOT_LENGTH = DatagramPort.slotLength(MAX_DATAGRAM_LENGTH);

    /** Datagrams per call of recvmmsg. */
    private static final int SLOTS = 32;

    // Forwarded datagrams leave half of the socket's send buffer to acknowledgements. Those for silent peers, which may
    // have vanished, leave another quarter to the others: ground stations and vehicles send every second.
    private static final int SHARE = 2;
    private static final int SHARE_OF_SILENT = 4;
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(3);

    private final int port;
    private final Way way;
    private final PeerTable peers;
    private final UdpPeer.Sender sender = new UdpPeer.Sender() {
        @Override
        public void send(InetSocketAddress to, byte[] buffer, int offset, int length) {
            sendTo(to, buffer, offset, length);
        }

        @Override
        public int room() {
            Channel open = socket.channel();
            return open != null && hasSmallBacklog(open) ? Integer.MAX_VALUE : 0;
        }

        @Override
        public boolean isDirect() {
            return io == NetworkIo.EPOLL;
        }

        @Override
        public boolean sendDirectly(InetSocketAddress to, long lastHeardNs, byte[] buffer, int offset, int length) {
            int share = nowNs() - lastHeardNs < SILENT_NS ? SHARE : SHARE_OF_SILENT;
            return direct.send(to, share, buffer, offset, length);
        }
    };
    // For the forwarding thread, and for the link's own: datagrams that the kernel takes at once need no Netty.
    private final DirectSends direct = new DirectSends(MAX_DATAGRAM_LENGTH);
    private final DirectSends own = new DirectSends(MAX_DATAGRAM_LENGTH);
    private final BatchAllocator batches = new BatchAllocator(SLOT_LENGTH, SLOTS, DatagramPort.MAX_DATAGRAMS_PER_ROUND);
    private boolean recvmmsg;
    private boolean bufferJudged;
    private boolean hasLargeBuffer;
    private boolean isHeard;

    final DatagramPort<InetSocketAddress> socket =
            new DatagramPort<>(this, this, InetSocketAddress.class, MAX_DATAGRAM_LENGTH);
    private final BulkSorting sorting;
    private final AddressRenewal renewal;
    private @Nullable UdpPeer everybody;
    private boolean isCalling;

    private enum Way {
        LISTEN,
        CONNECT,
        BROADCAST
    }

    UdpLink(LinkSettings.UdpListen settings, NettyLink.Parts parts) {
        this(parts, settings.host(), settings.port(), settings.recvmmsg(), Way.LISTEN);
    }

    UdpLink(LinkSettings.UdpConnect settings, NettyLink.Parts parts) {
        this(parts, settings.host(), settings.port(), settings.recvmmsg(), Way.CONNECT);
    }

    UdpLink(LinkSettings.UdpBroadcast settings, NettyLink.Parts parts) {
        this(parts, settings.host(), settings.port(), settings.recvmmsg(), Way.BROADCAST);
    }

    private UdpLink(NettyLink.Parts parts, String host, int port, boolean recvmmsg, Way way) {
        super(parts, "udp", host, port);
        this.port = port;
        this.way = way;
        this.recvmmsg = recvmmsg && parts.io() == NetworkIo.EPOLL;
        // A second socket on the address would have to be on the same interface.
        boolean maySort = parts.io() == NetworkIo.EPOLL && parts.device().isAny();
        this.sorting = new BulkSorting(this, socket, SLOT_LENGTH, maySort);
        this.peers = new PeerTable(way == Way.CONNECT ? 1 : MAX_PEERS);
        this.renewal = new AddressRenewal(report, nowNs());
    }

    @Override
    void open(InetAddress address) {
        InetSocketAddress endpoint = new InetSocketAddress(address, port);
        SocketProtocolFamily family =
                address instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
        Bootstrap bootstrap = socket.bootstrap()
                .channelFactory(device.bind(io.datagramChannels(family)))
                .option(ChannelOption.SO_BROADCAST, way == Way.BROADCAST)
                .option(ChannelOption.SO_RCVBUF, ReceiveBuffer.WANTED_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, SEND_LIMIT);
        if (recvmmsg) {
            bootstrap
                    .option(ChannelOption.RECVBUF_ALLOCATOR, batches)
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, SLOT_LENGTH);
        }
        InetSocketAddress local = way == Way.LISTEN ? endpoint : new InetSocketAddress(anyAddress(family), 0);
        if (sorting.isPossible()) {
            bootstrap.option(BulkSocket.groupOption(), true);
            try {
                local = BulkSocket.requireFree(local);
            } catch (IOException e) {
                cannotOpen(reason(e));
                return;
            }
        }
        socket.bind(bootstrap, local, bound -> opened(bound, endpoint));
    }

    private static InetAddress anyAddress(SocketProtocolFamily family) {
        byte[] zeros = new byte[family == SocketProtocolFamily.INET ? 4 : 16];
        try {
            return InetAddress.getByAddress(zeros);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    private void opened(Channel bound, InetSocketAddress endpoint) {
        judgeBuffer(bound);
        direct.open(bound);
        own.open(bound);
        if (way == Way.LISTEN) {
            report.waiting("listening, nothing heard yet", nowNs());
            return;
        }
        if (way == Way.BROADCAST) {
            call(new UdpPeer(endpoint, true, sender, nowNs()));
        } else {
            addPeer(endpoint, nowNs());
        }
        report.up("nothing heard yet", peers.count(), nowNs());
    }

    @Override
    public void cannotOpen(String reason) {
        String problem = report.status().endpoint() + ": " + reason + ", trying again";
        if (way == Way.LISTEN) {
            retry("cannot listen on " + problem);
        } else {
            retry("cannot open a socket for " + problem); // no route to this address at the moment
        }
    }

    /** Represents all hosts at the broadcast address as one peer until one of them answers. */
    private void call(UdpPeer all) {
        everybody = all;
        isCalling = true;
        guard.onPeerUp(all, nowNs());
    }

    private void callUnlessAnswered(UdpPeer all, long nowNs) {
        boolean isAnswered = peers.hasSpeaker();
        if (isCalling && isAnswered) {
            isCalling = false;
            guard.onPeerDown(all, nowNs);
        } else if (!isCalling && !isAnswered) {
            call(all);
        }
    }

    private void judgeBuffer(Channel opened) {
        if (bufferJudged) {
            return;
        }
        bufferJudged = true;
        int granted = ReceiveBuffer.enlarge(opened, io);
        hasLargeBuffer = granted >= ReceiveBuffer.WANTED_BYTES;
        String warning = ReceiveBuffer.warning(granted);
        if (!warning.isEmpty()) {
            report.advise(warning);
        }
    }

    @Override
    boolean hasRoomForMore() {
        return hasLargeBuffer;
    }

    private @Nullable UdpPeer addPeer(InetSocketAddress remote, long nowNs) {
        if (peers.isFull() && !makeRoom(nowNs)) {
            counters.refused().increment();
            return null;
        }
        UdpPeer peer = new UdpPeer(remote, way == Way.CONNECT, sender, nowNs);
        peers.add(peer);
        report.up("", peers.count(), nowNs);
        guard.onPeerUp(peer, nowNs);
        return peer;
    }

    /**
     * Makes room for a new peer: a flood of forged addresses must neither displace a vehicle nor keep a new one out.
     */
    private boolean makeRoom(long nowNs) {
        UdpPeer least = peers.removeLeast();
        if (least == null) {
            return false;
        }
        counters.evicted().increment();
        guard.onPeerDown(least, nowNs);
        return true;
    }

    private void sendTo(InetSocketAddress to, byte[] buffer, int offset, int length) {
        checkThread();
        Channel open = socket.channel();
        if (open == null) {
            counters.droppedSends().increment();
        } else if (length <= MAX_DATAGRAM_LENGTH && own.send(to, DirectSends.ALL, buffer, offset, length)) {
            own.count(counters);
        } else if (isSendable(open)) {
            write(open, new DatagramPacket(copy(buffer, offset, length), to), length);
        }
    }

    @Override
    public @Nullable Peer heard(InetSocketAddress sender, long nowNs) {
        UdpPeer peer = peers.find(sender);
        if (peer == null) {
            peer = addPeer(sender, nowNs);
            if (peer == null) {
                return null;
            }
        }
        if (!isHeard) {
            isHeard = true;
            renewal.startOverAt(sender.getAddress());
            report.up("", peers.count(), nowNs);
        }
        peer.heard(nowNs);
        return peer;
    }

    /** If recvmmsg itself fails, as under some emulators, datagrams are read one by one. */
    @Override
    public void readFailed(Channel failed, String reason) {
        if (recvmmsg) {
            recvmmsg = false;
            report.advise("recvmmsg does not work here (" + reason + "): datagrams are read one by one");
            failed.config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, 0);
        } else if (!isStopped()) {
            dropSocket(nowNs());
            retry("reading from " + report.status().endpoint() + " failed: " + reason + ", opening it again");
        }
    }

    @Override
    public void beforeDatagram(InetSocketAddress sender, byte[] datagram, int length, long nowNs) {
        sorting.beforeDatagram(sender, datagram, length, nowNs);
    }

    @Override
    void onRoundEnd(boolean hasLooked) {
        sorting.endRound(hasLooked);
    }

    @Override
    long longestTickNs() {
        return sorting.longestTickNs();
    }

    @Override
    void beforeTick(long nowNs) {
        sorting.drain(nowNs);
    }

    @Override
    void onOwnTick(long nowNs) {
        direct.count(counters);
        sorting.sortAsWanted(guard.bulk(), nowNs);
        if (way == Way.CONNECT) {
            lookUpIfSilent(peers.first(), nowNs);
            return;
        }
        for (UdpPeer silent = peers.removeForgotten(nowNs); silent != null; silent = peers.removeForgotten(nowNs)) {
            if (peers.count() == 0 && way == Way.LISTEN) {
                report.waiting("listening, silence for some time", nowNs);
            } else {
                report.up("", peers.count(), nowNs);
            }
            guard.onPeerDown(silent, nowNs);
        }
        if (everybody != null) {
            callUnlessAnswered(everybody, nowNs);
        }
    }

    private void lookUpIfSilent(@Nullable UdpPeer configured, long nowNs) {
        if (configured != null && resolver.isName() && renewal.isDue(configured.lastHeardNs(), nowNs)) {
            resolver.lookUp(answers -> renew(configured, answers));
        }
    }

    /** Opens the socket again if another of the name's addresses is to be used now. */
    private void renew(UdpPeer silent, InetAddress[] answers) {
        long nowNs = nowNs();
        boolean isSilent = nowNs - silent.lastHeardNs() >= AddressRenewal.SILENCE_NS;
        if (peers.first() != silent || !isSilent) {
            return; // the socket was closed meanwhile, or the peer was heard
        }
        InetAddress current = silent.inetAddress();
        InetAddress next = renewal.next(answers, current, isHeard, nowNs);
        if (!AddressRenewal.isSame(current, next)) {
            dropSocket(nowNs);
            open(next);
        }
    }

    @Override
    void closeSockets(long nowNs) {
        dropSocket(nowNs);
    }

    private void dropSocket(long nowNs) {
        sorting.stop(nowNs); // may deliver a last datagram
        isHeard = false;
        direct.close();
        own.close();
        socket.drop();
        UdpPeer all = everybody;
        everybody = null;
        if (all != null && isCalling) {
            guard.onPeerDown(all, nowNs);
        }
        for (UdpPeer peer = peers.removeAny(); peer != null; peer = peers.removeAny()) {
            guard.onPeerDown(peer, nowNs);
        }
    }
}
