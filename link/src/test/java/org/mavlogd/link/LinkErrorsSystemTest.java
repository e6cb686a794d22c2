package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.LinkFixture.await;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.contain.Thrown;
import org.mavlogd.metrics.Metrics;

/** Errors inside the libraries that a link uses: the link opens again, and nothing else is affected. */
class LinkErrorsSystemTest {
    private final RecordingListener listener = new RecordingListener();
    // Delays end at once, since the clock jumps.
    private final AtomicLong skippedNs = new AtomicLong();
    private final Metrics metrics = new Metrics(() -> System.nanoTime() + skippedNs.addAndGet(1_000_000_000L));
    private final LinkCounters counters = LinkCounters.register(metrics, "test");

    @Test
    void opensAgainAfterErrorsInsideNetty() throws IOException {
        int port = FreePorts.udp();
        NettyLink.Parts parts = new NettyLink.Parts(
                "test",
                NetworkIo.best(),
                new NetworkDevice(""),
                new ContainedListener(listener),
                counters,
                HostResolver.Lookup.JAVA,
                System::nanoTime);
        try (UdpLink link = new UdpLink(new LinkSettings.UdpListen("test", "127.0.0.1", port, true), parts);
                DatagramSocket vehicle = new DatagramSocket()) {
            link.start();
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                hear(link, vehicle, port);
                Channel channel = Objects.requireNonNull(link.socket.channel());
                long before = counters.errors().errors();
                link.execute(() -> channel.pipeline().addFirst(new ThrowingHandler(error)));
                await(() -> {
                    send(vehicle, port);
                    return counters.errors().errors() > before;
                });
            }
            hear(link, vehicle, port);
        }
        assertThat(listener.brokenRule).isEmpty();
        assertThat(listener.ups.get()).isEqualTo(listener.downs.get());
    }

    /** Throws where Netty reads, as its own code could. */
    private static final class ThrowingHandler extends ChannelInboundHandlerAdapter {
        private final Supplier<Throwable> error;

        ThrowingHandler(Supplier<Throwable> error) {
            this.error = error;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            throw Thrown.<RuntimeException>sneak(error.get());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.fireExceptionCaught(cause);
        }
    }

    private void hear(Link link, DatagramSocket vehicle, int port) {
        long before = listener.receivedCalls.get();
        await(() -> {
            send(vehicle, port);
            return listener.receivedCalls.get() > before && link.status().state() == Link.Status.State.UP;
        });
    }

    private static void send(DatagramSocket from, int port) throws IOException {
        byte[] bytes = "hello".getBytes(StandardCharsets.US_ASCII);
        from.send(new DatagramPacket(bytes, bytes.length, LinkFixture.loopback(), port));
    }

    /** A port whose library throws from one method, once. */
    private static final class FaultySerial extends SerialDevice {
        private final String faulty;
        private final AtomicReference<Supplier<Throwable>> error;
        private final CountDownLatch discarded = new CountDownLatch(1);
        private volatile boolean isWriting;
        private volatile boolean isClosed;

        @SuppressWarnings("NullAway") // the library is not called
        FaultySerial(String faulty, AtomicReference<Supplier<Throwable>> error) {
            super(null);
            this.faulty = faulty;
            this.error = error;
        }

        private void enter(String method) {
            if (method.equals(faulty)) {
                Supplier<Throwable> now = error.getAndSet(null);
                if (now != null) {
                    throw Thrown.<RuntimeException>sneak(now.get());
                }
            }
        }

        @Override
        boolean isReadable() {
            enter("isReadable");
            return true;
        }

        @Override
        int read(byte[] target) {
            enter("read");
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            target[0] = 'x';
            return 1;
        }

        @Override
        boolean write(byte[] source, int length) {
            enter("write");
            if (faulty.equals("discardOutput")) {
                isWriting = true;
                awaitUninterruptibly(discarded); // as if flow control had stopped the port
            }
            return true;
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        void discardOutput() {
            enter("discardOutput");
            discarded.countDown();
        }

        @Override
        void close() {
            isClosed = true;
            enter("close");
        }
    }

    @Test
    void opensAgainAfterErrorsInsideTheSerialLibrary() {
        for (String faulty : List.of("open", "isReadable", "read", "write", "discardOutput", "close")) {
            for (Supplier<Throwable> thrown : Thrown.CONTAINABLE) {
                LinkCounters its = LinkCounters.register(metrics, faulty + thrown.hashCode());
                RecordingListener hearing = new RecordingListener();
                AtomicReference<Supplier<Throwable>> error = new AtomicReference<>(thrown);
                AtomicReference<FaultySerial> opened = new AtomicReference<>();
                SerialLink link = new SerialLink(
                        new LinkSettings.SerialPort("test", "/dev/none", 57600, false),
                        new ContainedListener(hearing),
                        its,
                        System::nanoTime,
                        settings -> {
                            FaultySerial device = new FaultySerial(faulty, error);
                            device.enter("open");
                            opened.set(device);
                            return device;
                        });
                link.start();
                await(() -> hearing.receivedCalls.get() > 0 || its.errors().errors() > 0);
                link.execute(() -> {
                    if (!hearing.peers.isEmpty()) {
                        hearing.peers.get(0).send(new byte[1], 0, 1);
                    }
                });
                boolean isAtEnd = faulty.equals("close") || faulty.equals("discardOutput");
                if (isAtEnd) {
                    FaultySerial device = Objects.requireNonNull(opened.get());
                    await(() -> device.isWriting || faulty.equals("close"));
                    link.close();
                    assertThat(device.isClosed).as(faulty).isTrue();
                }
                await(() -> its.errors().errors() == 1);
                if (!isAtEnd) {
                    long before = hearing.receivedCalls.get();
                    await(() -> hearing.receivedCalls.get() > before
                            && link.status().state() == Link.Status.State.UP);
                    link.close();
                }
                assertThat(hearing.brokenRule).as(faulty).isEmpty();
                assertThat(hearing.ups.get()).as(faulty).isEqualTo(hearing.downs.get());
                assertThat(link.status().detail()).as(faulty).isEmpty();
            }
        }
    }
}
