package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;
import static org.mavlogd.app.SystemTests.roverLog;

import io.dronefleet.mavlink.MavlinkMessage;
import io.dronefleet.mavlink.common.FileTransferProtocol;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.simulate.LogCard;
import org.mavlogd.simulate.LogDownloads;
import org.mavlogd.whole.LogContent;

/**
 * A ground station downloads a log from the vehicle's card by MAVLink FTP through mavlogd while mavlogd records the
 * stream of the same vehicle. The station's packets are made and read by this test and dronefleet's library only.
 */
@Timeout(120)
class ForwardDownloadSystemTest {
    private static final int RATE = 500_000;
    private static final int LAST_MESSAGE = 4096;
    private static final int CARD_RATE = 250_000;
    private static final int FILE_BYTES = 700_000;
    private static final String FILE = "/fs/microsd/log/2026-11-20/12_34_56.ulg";

    // https://mavlink.io/en/services/ftp.html
    private static final int PACKET = 251;
    private static final int SESSION = 2;
    private static final int OPCODE = 3;
    private static final int SIZE = 4;
    private static final int BURST_COMPLETE = 6;
    private static final int OFFSET = 8;
    private static final int DATA = 12;
    private static final int DATA_LENGTH = PACKET - DATA;
    private static final int TERMINATE_SESSION = 1;
    private static final int OPEN_FILE_RO = 4;
    private static final int BURST_READ_FILE = 15;
    private static final int ACK = 128;
    private static final int SILENCE_MS = 500;
    private static final int ATTEMPTS = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** A vehicle's wire with a simulated card, which answers FTP requests in the vehicle's name. */
    private static final class CardWire extends VehicleWire {
        private final VehicleWire wire;
        private final LogDownloads card;
        private final FrameDecoder decoder;
        private final FrameEncoder encoder = new FrameEncoder(1);
        private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];

        CardWire(VehicleWire wire, byte[] log) {
            this.wire = wire;
            this.card = new LogDownloads(
                    LogCard.ofOne(Heartbeat.AUTOPILOT_PX4, log),
                    1,
                    CARD_RATE,
                    this::answer,
                    () -> true,
                    System.nanoTime());
            this.decoder = new FrameDecoder(card::onFrame, FrameCounters.unregistered());
        }

        private int answer(int messageId, byte[] payload, int length) {
            int frameLength = encoder.encode(1, messageId, payload, length, frame, 0);
            wire.send(frame, 0, frameLength);
            return frameLength;
        }

        @Override
        public boolean isDatagram() {
            return wire.isDatagram();
        }

        @Override
        public void send(byte[] bytes, int offset, int length) {
            wire.send(bytes, offset, length);
        }

        @Override
        public int receive(byte[] buffer) {
            int length = wire.receive(buffer);
            if (length > 0) {
                decoder.decodeDatagram(buffer, 0, length, System.nanoTime());
            }
            card.onTick(System.nanoTime());
            return length;
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    /** The station's side of MAVLink FTP. */
    private static final class Client {
        private final LibraryStation station;
        private final BlockingQueue<byte[]> replies = new LinkedBlockingQueue<>();
        private int number;
        private int session;

        Client(LibraryStation station) {
            this.station = station;
            station.answering(this::take);
        }

        private void take(MavlinkMessage<?> message) {
            if (message.getPayload() instanceof FileTransferProtocol reply) {
                replies.add(Arrays.copyOf(reply.payload(), PACKET));
            }
        }

        private void ask(int opcode, long offset, int size, byte[] data) {
            byte[] packet = new byte[PACKET];
            LittleEndian.putInt16(packet, 0, ++number);
            packet[SESSION] = (byte) session;
            packet[OPCODE] = (byte) opcode;
            packet[SIZE] = (byte) size;
            LittleEndian.putInt32(packet, OFFSET, (int) offset);
            System.arraycopy(data, 0, packet, DATA, data.length);
            station.say(FileTransferProtocol.builder()
                    .targetNetwork(0)
                    .targetSystem(1)
                    .targetComponent(1)
                    .payload(packet)
                    .build());
        }

        private byte @Nullable [] reply() throws InterruptedException {
            return replies.poll(SILENCE_MS, TimeUnit.MILLISECONDS);
        }

        /** Returns the length of the file. */
        int open(String path) throws InterruptedException {
            byte[] name = path.getBytes(StandardCharsets.US_ASCII);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                ask(OPEN_FILE_RO, 0, name.length, name);
                byte[] reply = reply();
                if (reply != null) {
                    assertThat(reply[OPCODE] & 0xFF).isEqualTo(ACK);
                    session = reply[SESSION];
                    return LittleEndian.int32(reply, DATA);
                }
            }
            throw new AssertionError("the vehicle does not answer");
        }

        byte[] read(int length) throws InterruptedException {
            byte[] file = new byte[length];
            BitSet known = new BitSet(length);
            int rounds = 0;
            while (known.cardinality() < length) {
                assertThat(++rounds).as("bursts").isLessThan(200);
                ask(BURST_READ_FILE, known.nextClearBit(0), DATA_LENGTH, new byte[0]);
                takeBurst(file, known);
            }
            ask(TERMINATE_SESSION, 0, 0, new byte[0]);
            return file;
        }

        private void takeBurst(byte[] file, BitSet known) throws InterruptedException {
            for (byte[] reply = reply(); reply != null; reply = reply()) {
                if ((reply[OPCODE] & 0xFF) == ACK) {
                    int at = LittleEndian.int32(reply, OFFSET);
                    int size = reply[SIZE] & 0xFF;
                    System.arraycopy(reply, DATA, file, at, size);
                    known.set(at, at + size);
                }
                if (reply[BURST_COMPLETE] != 0) {
                    return;
                }
            }
        }
    }

    /** The file and the whole log arrive: the log may only lack the message that STOP cut. */
    @Test
    void aLogIsDownloadedWhileAnotherIsRecorded() throws Exception {
        byte[] onCard = Arrays.copyOf(roverLog(), FILE_BYTES);
        int vehiclePort = FreePorts.udp();
        int stationPort = FreePorts.tcp();
        ForwardSettings forwarding = new ForwardSettings(
                false, List.of(ForwardRules.of("vehicle"), ForwardRules.of("station")), Set.of("station"));
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("vehicle", vehiclePort)
                        .link(new LinkSettings.TcpListen("station", "127.0.0.1", stationPort))
                        .forwarding(forwarding)
                        .start();
                FlyingVehicle vehicle = fly(
                        new CardWire(VehicleWire.udpTo(vehiclePort), onCard),
                        fastVehicle().rateBytesPerSecond(RATE).loops(true).telemetryHz(50));
                LibraryStation station = LibraryStation.tcp(stationPort, 255, 190)) {
            await("recording", () -> daemon.chunks() > 10);
            station.heartbeat();
            await("the vehicle is seen", () -> station.countFrom(1) > 2);
            Client client = new Client(station);

            int length = client.open(FILE);
            byte[] file = client.read(length);

            assertThat(sha256(file)).isEqualTo(sha256(onCard));
            daemon.stop();
            await("STOP heard", () -> !vehicle.isStreaming());
            assertThat(daemon.logs()).hasSize(1);
            LogContent log = daemon.logs().get(0);
            byte[] sent = vehicle.sent().get(0).bytes();
            assertThat(log.count('O')).isZero();
            assertThat(sent).startsWith(log.fromVehicle());
            assertThat(log.fromVehicle().length).isGreaterThan(Math.max(RATE, sent.length - LAST_MESSAGE));
        }
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
