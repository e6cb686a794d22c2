package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.signing.Signing.Policy;
import org.mavlogd.signing.SigningKey;
import org.mavlogd.simulate.px4.Px4Settings.Signing;
import org.mavlogd.whole.LogContent;

/** A vehicle that signs, without a clock of its own, as real ones do; and an attacker that replays its frames. */
@Timeout(120)
class SignedVehicleSystemTest {
    /** The key that simulated vehicles sign with; a configuration would refuse it. */
    private static final SigningKey KEY = SigningKey.of(new byte[SigningKey.LENGTH]);

    private static final int PORTION = 50;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** Keeps a copy of the frames that the vehicle sends. */
    private static final class TappedWire extends VehicleWire {
        private final VehicleWire wire;
        private final List<byte[]> frames = Collections.synchronizedList(new ArrayList<>());

        TappedWire(VehicleWire wire) {
            this.wire = wire;
        }

        @Override
        public boolean isDatagram() {
            return wire.isDatagram();
        }

        @Override
        public void send(byte[] frame, int offset, int length) {
            frames.add(Arrays.copyOfRange(frame, offset, offset + length));
            wire.send(frame, offset, length);
        }

        @Override
        public int receive(byte[] buffer) {
            return wire.receive(buffer);
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    private RunningDaemon daemon(String logs, int port, Policy policy) {
        return RunningDaemon.in(directory.resolve(logs))
                .udpListen("air", port)
                .signing(KEY, policy, directory.resolve("state/signing.state"))
                .start();
    }

    private static long counted(RunningDaemon daemon, String name, String tags) throws Exception {
        return daemon.metric("mavlogd_signing_" + name + "_frames_total{" + tags + "link=\"air\"}");
    }

    /** Sends frames again, in portions that fit into the receive buffer beside what the vehicle sends. */
    private static void replay(List<byte[]> frames, int port, RunningDaemon daemon) throws Exception {
        long before = counted(daemon, "dropped", "cause=\"old\",");
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int from = 0; from < frames.size(); from += PORTION) {
                long judged = counted(daemon, "dropped", "cause=\"old\",");
                for (byte[] frame : frames.subList(from, Math.min(frames.size(), from + PORTION))) {
                    socket.send(new DatagramPacket(frame, frame.length, InetAddress.getLoopbackAddress(), port));
                }
                await("a portion is judged", () -> counted(daemon, "dropped", "cause=\"old\",") > judged);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        await("all but what the kernel dropped is judged", () -> {
            long now = counted(daemon, "dropped", "cause=\"old\",");
            return now - before > frames.size() / 4;
        });
    }

    @Test
    void wrongKeyIsReportedAtOnceWithItsCause() throws Exception {
        int port = FreePorts.udp();
        byte[] other = new byte[SigningKey.LENGTH];
        other[0] = 1;
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                        .udpListen("air", port)
                        .signing(SigningKey.of(other), Policy.SIGNED_ONLY, directory.resolve("signing.state"))
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().signing(Signing.SIGNED))) {
            await("problem", () -> daemon.get("/healthz").code() == 503);

            assertThat(daemon.get("/healthz").text())
                    .contains("link \"air\": signing: all frames are refused because their signatures are wrong");
            assertThat(daemon.get("/status").text()).contains("have different keys");
            assertThat(vehicle.sent()).isEmpty();
        }
    }

    @Test
    void unsignedVehicleIsReportedWhereSignaturesAreNeeded() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = daemon("logs", port, Policy.SIGNED_ONLY);
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
            await("problem", () -> daemon.get("/healthz").text().contains("refused because they are not signed"));
            assertThat(vehicle.sent()).isEmpty();
        }
    }

    @Test
    void recordsASigningVehicleAndAcceptsNothingTwice() throws Exception {
        int port = FreePorts.udp();
        TappedWire wire = new TappedWire(VehicleWire.udpTo(port));
        List<byte[]> frames;
        try (RunningDaemon daemon = daemon("first", port, Policy.SIGNED_ONLY);
                FlyingVehicle vehicle = fly(wire, fastVehicle().signing(Signing.SIGNED))) {
            await("data", () -> daemon.chunks() > 1000);
            List<byte[]> early = List.copyOf(wire.frames).subList(0, 1000); // frames are still being added
            replay(early, port, daemon);
            await("end of log", vehicle::isAtLogEnd);
            assertThat(daemon.vehicles()).singleElement().satisfies(status -> {
                assertThat(status.signed()).isTrue();
                assertThat(status.foreignFrames()).isZero();
            });
            assertThat(daemon.get("/status").text()).contains("\"policy\" : \"signed_only\"");
            // Not later: frames sent to a closed port never reach the recorder, so they would not count as repeated.
            frames = List.copyOf(wire.frames);

            daemon.stop();

            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(vehicle.sent()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            assertThat(daemon.logs()).hasSize(1);
            assertThat(log.count('O')).isZero();
            assertThat(log.fromVehicle()).isEqualTo(roverLog());
        }
        try (RunningDaemon daemon = daemon("second", port, Policy.SIGNED_ONLY)) {
            replay(frames, port, daemon);

            assertThat(counted(daemon, "accepted", "")).isZero();
            assertThat(daemon.vehicles()).isEmpty();
            assertThat(daemon.files()).isEmpty();
        }
        System.out.printf("replayed signed frames: %d after a restart, accepted: 0%n", frames.size());
    }

    @Test
    void anUnsignedVehicleIsNotRecordedWhenSignaturesAreNeeded() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = daemon("logs", port, Policy.SIGNED_ONLY);
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
            await("unsigned frames", () -> counted(daemon, "dropped", "cause=\"unsigned\",") > 100);

            assertThat(daemon.vehicles()).isEmpty();
            assertThat(vehicle.sent()).isEmpty();
        }
    }

    @Test
    void anUnsignedVehicleIsRecordedUnderTheMixedPolicy() throws Exception {
        int port = FreePorts.udp();
        try (RunningDaemon daemon = daemon("logs", port, Policy.MIXED);
                FlyingVehicle vehicle = fly(VehicleWire.udpTo(port), fastVehicle())) {
            await("end of log", vehicle::isAtLogEnd);
            daemon.stop();

            assertThat(daemon.logs())
                    .singleElement()
                    .satisfies(log -> assertThat(log.fromVehicle()).isEqualTo(roverLog()));
        }
    }
}
