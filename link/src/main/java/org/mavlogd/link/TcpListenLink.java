package org.mavlogd.link;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits for TCP connections, several at once. */
final class TcpListenLink extends HostLink implements TcpPeer.Owner {
    /**
     * For a further connection the least important one without a vehicle is closed, those that never sent a valid frame
     * first; if all have vehicles, the new one is refused.
     */
    static final int MAX_CONNECTIONS = 16;

    private static final int BACKLOG = 16;

    private final int port;
    private final byte[] bytes = TcpPeer.newReadBuffer();
    private final List<TcpPeer> peers = new ArrayList<>();
    private @Nullable Channel channel;

    TcpListenLink(LinkSettings.TcpListen settings, NettyLink.Parts parts) {
        super(parts, TcpPeer.KIND, settings.host(), settings.port());
        this.port = settings.port();
    }

    @Override
    void open(InetAddress address) {
        ChannelFuture binding = new ServerBootstrap()
                .group(eventLoop(), eventLoop())
                .channelFactory(device.bind(io.serverChannels()))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel socket) {
                        TcpPeer.configure(socket, io, TcpPeer.ACCEPTED_TIMEOUT_MS);
                        socket.pipeline().addLast(new TcpPeer(TcpListenLink.this, socket, TcpListenLink.this, bytes));
                    }
                })
                .bind(new InetSocketAddress(address, port));
        channel = binding.channel();
        whenOver(binding, () -> {
            if (isStopped()) {
                return;
            }
            if (binding.isSuccess()) {
                report.waiting("listening, no connection yet", nowNs());
            } else {
                channel = null;
                retry("cannot listen on " + report.status().endpoint() + ": " + reason(binding.cause())
                        + ", trying again");
            }
        });
    }

    @Override
    public boolean connected(TcpPeer peer) {
        if (isStopped() || (peers.size() >= MAX_CONNECTIONS && !makeRoom())) {
            counters.refused().increment();
            return false;
        }
        peers.add(peer);
        report.up("", peers.size(), nowNs());
        guard.onPeerUp(peer, nowNs());
        return true;
    }

    /** Programs that once sent a frame and keep their connections open must not keep a vehicle out. */
    private boolean makeRoom() {
        TcpPeer least = least();
        if (least == null) {
            return false;
        }
        counters.evicted().increment();
        peers.remove(least);
        guard.onPeerDown(least, nowNs());
        least.drop();
        return true;
    }

    private @Nullable TcpPeer least() {
        TcpPeer least = null;
        for (TcpPeer peer : peers) {
            if (!peer.isKept() && (least == null || peer.mattersLessThan(least))) {
                least = peer;
            }
        }
        return least;
    }

    @Override
    public void disconnected(TcpPeer peer, String reason) {
        peers.remove(peer);
        if (!isStopped()) {
            if (peers.isEmpty()) {
                report.waiting("listening, last connection from " + peer.address() + " ended: " + reason, nowNs());
            } else {
                report.up("", peers.size(), nowNs());
            }
        }
        guard.onPeerDown(peer, nowNs());
    }

    @Override
    void closeSockets(long nowNs) {
        Channel listening = channel;
        if (listening != null) {
            var unused = listening.close();
        }
        // Closing calls disconnected(), which changes the list.
        for (TcpPeer peer : List.copyOf(peers)) {
            peer.close();
        }
    }
}
