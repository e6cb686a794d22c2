package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostCheckTest {
    private final InetAddress arrivedOn = address("192.168.1.7");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:9650",
                "localhost:", // an empty port is legal: RFC 3986, section 3.2.3
                "localhost.",
                "127.0.0.1",
                "127.0.0.1:9650",
                "127.8.9.1:80",
                "[::1]",
                "[::1]:9650",
                "[0:0:0:0:0:0:0:1]:9650",
                "drone.local",
                "Drone.Local:8080",
                "192.168.1.7",
                "192.168.1.7:9650",
            })
    void acceptsLoopbackAndItsOwnNameAndAddress(String host) {
        RequestCheck.HostCheck check = new RequestCheck.HostCheck("drone.local");

        assertThat(check.isOurs(host, arrivedOn)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":9650",
                "evil.example",
                "evil.example:9650",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.0.0.1@evil.example",
                "evil.example#localhost",
                "drone.local.evil.example",
                "192.168.1.8",
                "0.0.0.0",
                "[::]",
                "[::2]:9650",
                "[::1",
                "::1:9650x",
                "localhost:96x50",
                "localhost:999999",
                "localhost localhost",
                "2130706433",
                "0x7f000001",
            })
    void refusesEveryOtherHost(String host) {
        RequestCheck.HostCheck check = new RequestCheck.HostCheck("drone.local");

        assertThat(check.isOurs(host, arrivedOn)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void acceptsOnlyTheAddressThatWasUsedWhenItListensOnAll(String listenHost) {
        RequestCheck.HostCheck check = new RequestCheck.HostCheck(listenHost);

        assertThat(check.isOurs("192.168.1.7:9650", arrivedOn)).isTrue();
        assertThat(check.isOurs("192.168.1.8:9650", arrivedOn)).isFalse();
        assertThat(check.isOurs("evil.example:9650", arrivedOn)).isFalse();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
