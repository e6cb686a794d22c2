package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.link.LinkFixture.await;

import io.netty.channel.epoll.Epoll;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;

class NetworkDeviceTest {
    private final NetworkDevice device = new NetworkDevice("wlan0");

    @Test
    void hasTheKernelsNumberOfItsInterface() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByName("lo");
        assumeTrue(loopback != null, "there is no interface lo");
        assumeTrue(Epoll.isAvailable(), "Netty's epoll library does not load");

        assertThat(new NetworkDevice("lo").index()).isEqualTo(loopback.getIndex());
        assertThat(new NetworkDevice("mavlogd-none").index()).isZero();
    }

    @Test
    void readsTheNumberFromTheKernelsFilesToo(@TempDir Path interfaces) throws IOException {
        assertThat(device.index(interfaces)).isZero();

        Path file = Files.createDirectory(interfaces.resolve("wlan0")).resolve("ifindex");
        Files.writeString(file, "17\n");
        assertThat(device.index(interfaces)).isEqualTo(17);

        Files.writeString(file, "");
        assertThat(device.index(interfaces)).isZero();
    }

    /** Netty reports on a thread of its own that it could not create a channel: here, after the link has gone on. */
    @Test
    void linksThatWaitForAnInterfaceDoNotWaitForNetty() {
        assumeTrue(Epoll.isAvailable(), "Netty's epoll library does not load");
        String none = "mavlogd-none";
        for (LinkSettings settings : List.of(
                new LinkSettings.UdpListen("udp", "127.0.0.1", FreePorts.udp(), true, none),
                new LinkSettings.UdpMulticast("group", "239.255.145.50", FreePorts.udp(), none),
                new LinkSettings.TcpListen("server", "127.0.0.1", FreePorts.tcp(), none),
                new LinkSettings.TcpConnect("client", "127.0.0.1", FreePorts.tcp(), none))) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            GlobalEventExecutor.INSTANCE.execute(done::join);
            LinkFixture link = new LinkFixture(settings, NetworkIo.EPOLL);
            try (link) {
                link.started();
                await(() -> link.link.status().detail().contains("interface " + none));
                done.complete(null); // Netty's end of a link needs that thread
            } finally {
                done.complete(null);
            }
            assertThat(link.counters.errors().errors()).isZero();
        }
    }
}
