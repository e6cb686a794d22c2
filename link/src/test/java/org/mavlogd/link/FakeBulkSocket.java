package org.mavlogd.link;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The socket of a {@link BulkSocket} in a model of the kernel: it only receives. */
final class FakeBulkSocket extends DatagramChannel {
    private final int bufferBytes;
    private final Function<ByteBuffer, @Nullable SocketAddress> kernel;

    /**
     * Creates it, open.
     *
     * @param bufferBytes the receive buffer, as the JDK reports it
     * @param kernel puts the next datagram into a buffer and returns its sender; null if there is none
     */
    FakeBulkSocket(int bufferBytes, Function<ByteBuffer, @Nullable SocketAddress> kernel) {
        super(SelectorProvider.provider());
        this.bufferBytes = bufferBytes;
        this.kernel = kernel;
    }

    @Override
    public @Nullable SocketAddress receive(ByteBuffer target) {
        return kernel.apply(target);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getOption(SocketOption<T> name) {
        return (T) Integer.valueOf(bufferBytes);
    }

    @Override
    public DatagramChannel bind(SocketAddress local) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, T value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public DatagramSocket socket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public DatagramChannel connect(SocketAddress remote) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DatagramChannel disconnect() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int send(ByteBuffer source, SocketAddress target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface device) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface device, InetAddress source) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
