package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mavlogd.computer.PromisedTime;

/**
 * Links on a network interface that vanishes and returns, as a Wi-Fi stick does, and peers that vanish. The test uses
 * two network namespaces, joined by a pair of interfaces: one of this computer with {@link InterfaceScenario}, and one
 * of the peer.
 */
class InterfaceSystemTest {
    /** The peer's namespace lives as long as its process, whose id is the first argument of the program in ours. */
    private static final String SPACES = "ip link set lo up; unshare --net sleep 300 & "
            + "until [ \"$(readlink /proc/$!/ns/net)\" != \"$(readlink /proc/self/ns/net)\" ]; do sleep 0.05; done; "
            + "trap \"kill $!\" EXIT; \"$@\" $!";

    @BeforeEach
    void needsNameSpaces() throws IOException, InterruptedException {
        assumeTrue(Epoll.isAvailable(), "Netty's epoll library does not load: interfaces cannot be chosen");
        assumeTrue(
                run(List.of("sh", "-c", "command -v nsenter && command -v bash && command -v socat && ip -V"))
                        .isEmpty(),
                "iproute2, util-linux, bash or socat is missing");
        assumeTrue(inSpaces(List.of("true")).isEmpty(), "network name spaces are not permitted here");
    }

    @Test
    void linksHearAgainWhenTheirInterfaceIsBack() throws IOException, InterruptedException {
        assertThat(inSpaces(InterfaceScenario.class)).isEmpty();
    }

    /**
     * Datagrams that are forwarded to vanished stations stay in the kernel, in the send buffer of the socket that
     * acknowledges.
     */
    @Test
    void answersArePromptWhileTelemetryGoesToStationsThatVanished() throws IOException, InterruptedException {
        assertThat(inSpaces(DeadStationsScenario.class)).isEmpty();
    }

    private static String inSpaces(Class<?> scenario) throws IOException, InterruptedException {
        return inSpaces(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dmavlogd.tests-beside=" + PromisedTime.hasTestsBeside(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                scenario.getName()));
    }

    private static String inSpaces(List<String> command) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "sh", "-c", SPACES, "sh"));
        all.addAll(command);
        return run(all);
    }

    /** The output if the program failed; empty if it succeeded. */
    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return process.exitValue() == 0 ? "" : "exit code " + process.exitValue() + ": " + output;
    }
}
