package org.mavlogd.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Netty transport of a link. */
enum NetworkIo {
    /** Linux' epoll through Netty's native library. */
    EPOLL,
    /** The JDK's own selectors. */
    NIO;

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Epoll if its library loads, else NIO with one warning. */
    static NetworkIo best() {
        return Best.IO;
    }

    IoHandlerFactory ioHandlerFactory() {
        return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    ChannelFactory<Channel> datagramChannels(SocketProtocolFamily family) {
        return this == EPOLL ? () -> new EpollDatagramChannel(family) : () -> new NioDatagramChannel(family);
    }

    ChannelFactory<Channel> streamChannels() {
        return this == EPOLL ? EpollSocketChannel::new : NioSocketChannel::new;
    }

    ChannelFactory<ServerChannel> serverChannels() {
        return this == EPOLL ? EpollServerSocketChannel::new : NioServerSocketChannel::new;
    }

    private static final class Best {
        static final NetworkIo IO = choose();

        private static NetworkIo choose() {
            if (Epoll.isAvailable()) {
                return EPOLL;
            }
            LOG.warn(
                    "Netty's epoll library does not load ({}): network links use NIO and need more CPU",
                    String.valueOf(Epoll.unavailabilityCause()));
            return NIO;
        }
    }
}
