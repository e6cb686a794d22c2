package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.PseudoTerminals;
import org.mavlogd.whole.LogContent;

/** A complete log over each kind of link. */
@Timeout(120)
class RecordingSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void recordsOverUdpFromAVehicleThatSendsHere() throws Exception {
        int port = FreePorts.udp();

        recordsTheLog(new LinkSettings.UdpListen("air", "127.0.0.1", port, true), VehicleWire.udpTo(port));
    }

    @Test
    void recordsOverUdpFromAVehicleThatIsSpokenToFirst() throws Exception {
        int port = FreePorts.udp();

        recordsTheLog(new LinkSettings.UdpConnect("air", "127.0.0.1", port, true), VehicleWire.udpAt(port));
    }

    @Test
    void recordsOverTcpFromAVehicleThatConnects() throws Exception {
        int port = FreePorts.tcp();

        recordsTheLog(new LinkSettings.TcpListen("net", "127.0.0.1", port), VehicleWire.tcpTo(port));
    }

    @Test
    void recordsOverTcpFromAVehicleThatListens() throws Exception {
        int port = FreePorts.tcp();

        recordsTheLog(new LinkSettings.TcpConnect("net", "127.0.0.1", port), VehicleWire.tcpAt(port));
    }

    @Test
    void recordsOverASerialPort() throws Exception {
        assumeTrue(
                PseudoTerminals.arePossible(), "socat is not installed (apt-get install socat): no serial port to try");
        Path device = directory.resolve("tty-vehicle");

        recordsTheLog(new LinkSettings.SerialPort("uart0", device.toString(), 921_600, false), VehicleWire.pty(device));
    }

    private void recordsTheLog(LinkSettings link, VehicleWire wire) throws Exception {
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs/of/2026"))
                        .link(link)
                        .start();
                FlyingVehicle vehicle = fly(wire, fastVehicle())) {
            await("end of log", vehicle::isAtLogEnd);

            Duration stopping = daemon.stop();

            assertThat(stopping).isLessThan(PromisedTime.of(Duration.ofSeconds(3)));
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).hasSize(1);
            assertThat(vehicle.sent().get(0).end()).isEqualTo("STOPPED");
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(log.isComplete()).isTrue();
            assertThat(log.count('O')).isZero();
            assertThat(log.messages().stream().filter(log::isRecorderInfo))
                    .as("who recorded it, when it began, and what tags mean")
                    .hasSize(3);
            assertThat(log.fromVehicle()).isEqualTo(roverLog());
        }
    }
}
