package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.LogContent;

/** The cable is pulled and plugged in again while the vehicle continues to stream: one file, with the gap marked. */
@Timeout(120)
class ReconnectSystemTest {
    /** A link returns within a second; the status that shows it is up to a quarter of a second old. */
    private static final Duration RETURN = PromisedTime.of(Duration.ofMillis(1500));

    private static final Duration OUTAGE = Duration.ofMillis(400);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void goesOnWhenATcpServerComesBack() throws Exception {
        int port = FreePorts.tcp();

        continuesAfterAnOutage(new LinkSettings.TcpConnect("net", "127.0.0.1", port), VehicleWire.tcpAt(port));
    }

    @Test
    void goesOnWhenATcpClientComesBack() throws Exception {
        int port = FreePorts.tcp();

        continuesAfterAnOutage(new LinkSettings.TcpListen("net", "127.0.0.1", port), VehicleWire.tcpTo(port));
    }

    @Test
    void goesOnWhenASilentUdpVehicleIsHeardAgain() throws Exception {
        int port = FreePorts.udp();

        continuesAfterAnOutage(new LinkSettings.UdpListen("air", "127.0.0.1", port, true), VehicleWire.udpTo(port));
    }

    @Test
    void goesOnWhenASerialPortIsPluggedInAgain() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path device = directory.resolve("tty-vehicle");

        continuesAfterAnOutage(
                new LinkSettings.SerialPort("uart0", device.toString(), 921_600, false), VehicleWire.pty(device));
    }

    private void continuesAfterAnOutage(LinkSettings link, VehicleWire wire) throws Exception {
        Px4Settings.Builder settings = fastVehicle().rateBytesPerSecond(200_000).loops(true);
        try (RunningDaemon daemon =
                        RunningDaemon.in(directory.resolve("logs")).link(link).start();
                FlyingVehicle vehicle = fly(wire, settings)) {
            await("data", () -> daemon.chunks() > 600);

            wire.unplug();
            await("silence", () -> heardMsAgo(daemon) > OUTAGE.toMillis());
            long chunks = daemon.chunks();
            wire.plug();

            await("data after the outage", RETURN, () -> daemon.chunks() > chunks);
            await("more data", () -> daemon.chunks() > chunks + 500);
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).as(vehicle::toString).hasSize(1);
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            byte[] kept = log.fromVehicle();
            byte[] sent = vehicle.sent().get(0).bytes();
            assertThat(log.isComplete()).isTrue();
            assertThat(log.count('O')).isPositive();
            assertThat(log.dropoutsMs().stream().mapToInt(Integer::intValue).sum())
                    .isPositive();
            assertThat(kept.length).isBetween(sent.length / 4, sent.length - 1);
            // The end of the log came after STOP, over the returned link.
            assertThat(tail(kept)).isEqualTo(tail(sent));
        }
    }

    private static long heardMsAgo(RunningDaemon daemon) {
        return daemon.vehicles().get(0).heardMs();
    }

    private static String tail(byte[] log) {
        return java.util.HexFormat.of().formatHex(log, log.length - 1000, log.length);
    }
}
