package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;

import io.dronefleet.mavlink.common.Attitude;
import io.dronefleet.mavlink.common.ParamRequestList;
import io.dronefleet.mavlink.common.ParamValue;
import io.dronefleet.mavlink.minimal.Heartbeat;
import io.netty.channel.epoll.Epoll;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.forward.FrameFilter;
import org.mavlogd.link.LinkSettings;

/** Groups, filters, sniffers, broadcast and multicast of the running daemon, with dronefleet's codec at each end. */
@Timeout(120)
class ForwardRulesSystemTest {
    private static final String GROUP = "239.255.145.51";
    private static final int ATTITUDE = 30;
    private static final int VEHICLE = 1;
    private static final int CAMERA = 100;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static FrameFilter.Ids only(int id) {
        return new FrameFilter.Ids(List.of(id), List.of());
    }

    private static FrameFilter.Ids not(int id) {
        return new FrameFilter.Ids(List.of(), List.of(id));
    }

    private static ForwardRules radio(String name) {
        return new ForwardRules(name, "radios", false, FrameFilter.ALL, FrameFilter.ALL);
    }

    /** Accepts frames of the camera of system 1 only, and gets no attitudes, nor anything of system 250. */
    private static ForwardRules camera() {
        FrameFilter.Ids all = FrameFilter.Ids.ALL;
        return new ForwardRules(
                "camera",
                "",
                false,
                new FrameFilter(all, only(VEHICLE), only(CAMERA)),
                new FrameFilter(not(ATTITUDE), not(250), all));
    }

    private static ParamValue value(String name) {
        return ParamValue.builder().paramId(name).paramCount(1).build();
    }

    @Test
    void rulesHoldOnRealSockets() throws Exception {
        assumeTrue(Epoll.isAvailable(), "Netty's epoll library does not load: interfaces cannot be chosen");
        assumeTrue(NetworkInterface.getByName("lo") != null, "there is no interface lo");
        int vehiclePort = FreePorts.udp();
        int firstPort = FreePorts.udp();
        int secondPort = FreePorts.tcp();
        int cameraPort = FreePorts.udp();
        int snifferPort = FreePorts.tcp();
        int broadcastPort = FreePorts.udp();
        int groupPort = FreePorts.udp();
        ForwardSettings forwarding = new ForwardSettings(
                false,
                List.of(
                        ForwardRules.of("vehicle"),
                        radio("first"),
                        radio("second"),
                        camera(),
                        new ForwardRules("sniffer", "", true, FrameFilter.ALL, FrameFilter.ALL),
                        ForwardRules.of("broadcast"),
                        ForwardRules.of("group")),
                Set.of("vehicle", "first", "second", "camera", "sniffer", "broadcast", "group"));
        try (LibraryStation called = LibraryStation.udpAtAny(broadcastPort, 250, 190);
                RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .udpListen("first", firstPort)
                        .link(new LinkSettings.TcpListen("second", "127.0.0.1", secondPort))
                        .udpListen("camera", cameraPort)
                        .link(new LinkSettings.TcpListen("sniffer", "127.0.0.1", snifferPort))
                        .link(new LinkSettings.UdpBroadcast("broadcast", "127.255.255.255", broadcastPort, true, ""))
                        .link(new LinkSettings.UdpMulticast("group", GROUP, groupPort, "lo"))
                        .forwarding(forwarding)
                        .start();
                LibraryStation member = LibraryStation.multicast(GROUP, groupPort, 251, 190);
                LibraryStation vehicle = LibraryStation.udp(vehiclePort, VEHICLE, 1);
                LibraryStation first = LibraryStation.udp(firstPort, 255, 190);
                LibraryStation second = LibraryStation.tcp(secondPort, 254, 190);
                LibraryStation camera = LibraryStation.udp(cameraPort, VEHICLE, CAMERA);
                LibraryStation other = LibraryStation.udp(cameraPort, VEHICLE, CAMERA + 1);
                LibraryStation sniffer = LibraryStation.tcp(snifferPort, 253, 190)) {
            List<LibraryStation> all = List.of(vehicle, first, second, camera, other, sniffer, called, member);
            await("everybody is heard where the rules say", () -> {
                all.forEach(LibraryStation::heartbeat);
                vehicle.say(Attitude.builder().roll(1).build());
                return first.count(Attitude.class) > 0
                        && second.count(Attitude.class) > 0
                        && sniffer.count(Attitude.class) > 0
                        && called.count(Attitude.class) > 0
                        && member.count(Attitude.class) > 0
                        && vehicle.countFrom(255) > 0
                        && vehicle.countFrom(254) > 0
                        && vehicle.countFrom(253) > 0
                        && vehicle.countFrom(250) > 0
                        && vehicle.countFrom(251) > 0
                        && called.countFrom(251) > 0
                        && member.countFrom(250) > 0
                        && camera.countFrom(255) > 0
                        && camera.countFrom(251) > 0;
            });

            first.say(ParamRequestList.builder()
                    .targetSystem(VEHICLE)
                    .targetComponent(1)
                    .build());
            await(
                    "a targeted frame",
                    () -> vehicle.count(ParamRequestList.class) == 1 && sniffer.count(ParamRequestList.class) == 1);
            other.say(value("OTHER"));
            camera.say(value("CAMERA"));
            await(
                    "the camera's answer",
                    () -> first.count(ParamValue.class) == 1
                            && second.count(ParamValue.class) == 1
                            && called.count(ParamValue.class) == 1
                            && member.count(ParamValue.class) == 1);

            assertThat(first.countFrom(254)).as("of the other radio").isZero();
            assertThat(second.countFrom(255)).as("of the other radio").isZero();
            assertThat(camera.count(Attitude.class)).as("not sent there").isZero();
            assertThat(camera.countFrom(250)).as("not sent there").isZero();
            for (LibraryStation each : List.of(second, camera, called, member)) {
                assertThat(each.count(ParamRequestList.class))
                        .as("for the vehicle only")
                        .isZero();
            }
            assertThat(vehicle.heard())
                    .as("not accepted there")
                    .noneMatch(message -> message.getOriginComponentId() == CAMERA + 1);
            assertThat(vehicle.count(Heartbeat.class)).isPositive();
            assertThat(daemon.metric("mavlogd_forward_dropped_frames_total{cause=\"not_accepted\",link=\"camera\"}"))
                    .isPositive();
            assertThat(daemon.metric("mavlogd_forward_dropped_frames_total{cause=\"withheld\",link=\"camera\"}"))
                    .isPositive();
        }
    }
}
