package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
