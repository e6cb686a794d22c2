package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;

import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.Ping;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;

/**
 * The messages of mavlink-router's own routing test (tests/routing_test.py): pings to all and to one component, and
 * their answers.
 */
@Timeout(120)
@SuppressWarnings("deprecation") // PING is, but it is what that test sends
class RouterScenarioSystemTest {
    private static final int PINGS = 10;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static void ping(LibraryStation from, int number, int system, int component) {
        from.say(Ping.builder()
                .timeUsec(BigInteger.valueOf(System.nanoTime() / 1000))
                .seq(number)
                .targetSystem(system)
                .targetComponent(component)
                .build());
    }

    /** Answers each ping to its sender. */
    private static void answer(LibraryStation station, MavlinkMessage<?> message) {
        if (message.getPayload() instanceof Ping heard) {
            ping(station, (int) heard.seq(), message.getOriginSystemId(), message.getOriginComponentId());
        }
    }

    /** Senders of answers addressed to one component, not to all. */
    private static List<Integer> sendersOfAnswers(LibraryStation station) {
        return station.heard().stream()
                .filter(message -> message.getPayload() instanceof Ping ping && ping.targetSystem() != 0)
                .map(MavlinkMessage::getOriginSystemId)
                .toList();
    }

    @Test
    void pingsGoToAllOrToOneAndAnswersToTheirSender() throws Exception {
        int sendersPort = FreePorts.udp();
        int port100 = FreePorts.udp();
        int port101 = FreePorts.udp();
        ForwardSettings forwarding = new ForwardSettings(
                false,
                List.of(ForwardRules.of("senders"), ForwardRules.of("r100"), ForwardRules.of("r101")),
                Set.of("senders", "r100", "r101"));
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("senders", sendersPort)
                        .link(new LinkSettings.UdpConnect("r100", "127.0.0.1", port100, true))
                        .link(new LinkSettings.UdpConnect("r101", "127.0.0.1", port101, true))
                        .forwarding(forwarding)
                        .start();
                LibraryStation toAll = LibraryStation.udp(sendersPort, 1, 1);
                LibraryStation toOne = LibraryStation.udp(sendersPort, 2, 1);
                LibraryStation receiver100 = LibraryStation.udpAt(port100, 100, 1);
                LibraryStation receiver101 = LibraryStation.udpAt(port101, 101, 1)) {
            receiver100.answering(message -> answer(receiver100, message));
            receiver101.answering(message -> answer(receiver101, message));

            // No link has heard system 100 yet: this ping is not delivered.
            ping(toOne, 0, 100, 1);
            await(
                    "it is looked at",
                    () -> daemon.metric("mavlogd_forward_dropped_frames_total{cause=\"no_receiver\",link=\"senders\"}")
                            == 1);
            for (int i = 0; i < PINGS; i++) {
                ping(toAll, i, 0, 0);
                int answers = 2 * (i + 1);
                await("answers of both", () -> sendersOfAnswers(toAll).size() == answers);
            }
            for (int i = 1; i < PINGS; i++) {
                ping(toOne, i, 100, 1);
                int answers = i;
                await("the answer of one", () -> sendersOfAnswers(toOne).size() == answers);
            }

            assertThat(receiver100.count(Ping.class)).isEqualTo(PINGS + PINGS - 1);
            assertThat(receiver101.count(Ping.class)).isEqualTo(PINGS);
            assertThat(receiver101.heard())
                    .filteredOn(message -> message.getPayload() instanceof Ping)
                    .allMatch(message -> message.getOriginSystemId() == 1);
            assertThat(sendersOfAnswers(toOne)).containsOnly(100);
            assertThat(sendersOfAnswers(toAll)).containsOnly(100, 101);
        }
    }
}
