package org.mavlogd.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Connects to a TCP server, and reconnects after each failure. */
final class TcpConnectLink extends HostLink implements TcpPeer.Owner {
    // Together with the pause before the next attempt below one second: the time within which a returning server is
    // found.
    private static final int CONNECT_TIMEOUT_MS = 700;

    private final int port;
    private final byte[] bytes = TcpPeer.newReadBuffer();
    private @Nullable Channel channel;

    TcpConnectLink(LinkSettings.TcpConnect settings, NettyLink.Parts parts) {
        super(parts, TcpPeer.KIND, settings.host(), settings.port());
        this.port = settings.port();
    }

    @Override
    void open(InetAddress address) {
        ChannelFuture connecting = new Bootstrap()
                .group(eventLoop())
                .channelFactory(device.bind(io.streamChannels()))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel socket) {
                        TcpPeer.configure(socket, io, TcpPeer.CONNECTED_TIMEOUT_MS);
                        socket.pipeline().addLast(new TcpPeer(TcpConnectLink.this, socket, TcpConnectLink.this, bytes));
                    }
                })
                .connect(new InetSocketAddress(address, port));
        channel = connecting.channel();
        whenOver(connecting, () -> {
            if (!connecting.isSuccess()) {
                channel = null;
                retry("cannot connect to " + report.status().endpoint() + ": " + reason(connecting.cause())
                        + ", trying again");
            }
        });
    }

    @Override
    public boolean connected(TcpPeer peer) {
        if (isStopped()) {
            return false;
        }
        report.up("", 1, nowNs());
        guard.onPeerUp(peer, nowNs());
        return true;
    }

    @Override
    public void disconnected(TcpPeer peer, String reason) {
        channel = null;
        guard.onPeerDown(peer, nowNs());
        retry("connection to " + report.status().endpoint() + " ended: " + reason + ", connecting again");
    }

    @Override
    void closeSockets(long nowNs) {
        Channel socket = channel;
        if (socket != null) {
            var unused = socket.close();
        }
    }
}
