package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

/** Ports, router and far ends on one thread. */
final class ForwarderTest {
    private static final int ATTITUDE = 30;
    private static final int MAX_FRAME = 300;

    private final Metrics metrics = new Metrics();
    private final FrameEncoder encoder = new FrameEncoder(1);
    private final byte[] frame = new byte[MAX_FRAME];
    private final byte[] payload = new byte[255];
    private long nowNs;
    private int count;
    private Forwarder forwarder = new Forwarder(false, () -> nowNs, metrics, MemoryShare.unlimited(), 1);

    private LinkPort port(String name) {
        LinkPort port = forwarder.add(ForwardRules.of(name), Dialect.standard());
        port.connect(Runnable::run);
        return port;
    }

    /** A frame that differs from all others. */
    private int next(int systemId, int messageId, int length) {
        payload[0] = (byte) ++count;
        payload[1] = (byte) (count >>> 8);
        payload[2] = (byte) (count >>> 16);
        payload[length - 1] = 1;
        return encoder.encode(systemId, messageId, payload, length, frame, 0);
    }

    private void rounds() {
        for (int i = 0; i < 100; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            forwarder.doWork();
        }
    }

    private long dropped(String cause) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_forward_dropped_frames_total")
                        && line.contains("cause=\"" + cause + '"'))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf('}') + 1)))
                .sum();
    }

    private enum Kind {
        STREAM,
        DATAGRAM,
        DIRECT;

        FakePeer at(LinkPort port) {
            return this == DIRECT ? FakePeer.direct(port) : new FakePeer(port, this == DATAGRAM, true);
        }
    }

    /** The router's thread may be about to hand frames to a link's thread that closes the peer meanwhile. */
    @Test
    void framesForAPeerThatJustLeftAreCounted() {
        FakePeer vehicle = Kind.STREAM.at(port("vehicle"));
        FakePeer station = Kind.STREAM.at(port("station"));
        forwarder.doWork();
        FrameQueue queue = Objects.requireNonNull(station.farEnd.endpoint()).queue();
        for (int i = 0; i < 3; i++) {
            queue.add(frame, 0, next(1, ATTITUDE, 28), true, nowNs);
        }
        station.leave();
        assertThat(station.farEnd.fill(queue)).isTrue();

        rounds();

        assertThat(dropped("not_sent")).isEqualTo(3);
        assertThat(vehicle.received.size()).isZero();
    }

    @Test
    void aSlowPortGetsNoMoreAtATimeThanItHasRoomFor() {
        FakePeer vehicle = Kind.STREAM.at(port("vehicle"));
        FakePeer radio = Kind.STREAM.at(port("radio"));
        radio.room = 100;
        for (int i = 0; i < 20; i++) {
            vehicle.say(frame, next(1, ATTITUDE, 28));
        }

        rounds();

        assertThat(radio.received.size()).isEqualTo(20 * 40);
        assertThat(radio.longestSend).isEqualTo(80); // two frames
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void framesPassByteForByteInOrder(Kind kind) {
        FakePeer vehicle = kind.at(port("vehicle"));
        FakePeer station = kind.at(port("station"));
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 200; i++) {
            int length = next(1, ATTITUDE, 28);
            vehicle.say(frame, length);
            expected.write(frame, 0, length);
        }
        byte[] unknown = {(byte) 0xFD, 1, 0, 0, 5, 1, 1, 3, 0, 0, 42, 1, 2};
        vehicle.say(unknown, unknown.length);
        expected.writeBytes(unknown);

        rounds();

        assertThat(station.received.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(vehicle.received.size()).isZero();
        // Waiting frames are sent together, up to a size that no network fragments.
        assertThat(station.sends).isLessThan(40);
        assertThat(station.longestSend).isLessThanOrEqualTo(kind == Kind.STREAM ? 512 : FarEnd.MAX_DATAGRAM);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLogStreamIsSharedOnlyWhenThatIsWanted(boolean shares) {
        forwarder = new Forwarder(shares, () -> nowNs, metrics, MemoryShare.unlimited(), 1);
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer station = new FakePeer(port("station"), true, true);
        for (int id : new int[] {
            MessageIds.LOGGING_DATA,
            MessageIds.LOGGING_DATA_ACKED,
            MessageIds.LOGGING_ACK,
            MessageIds.REMOTE_LOG_DATA_BLOCK,
            MessageIds.REMOTE_LOG_BLOCK_STATUS
        }) {
            Arrays.fill(payload, (byte) 0);
            byte[] chunk = new byte[MAX_FRAME];
            // The message has no target, so no route is needed.
            int length = encoder.encode(1, id, new byte[] {9, 9, 0, 0, 0, 0}, 2, chunk, 0);
            vehicle.say(chunk, length);
        }

        rounds();

        assertThat(station.sends > 0).isEqualTo(shares);
    }

    @Test
    void aKeyStaysWhereItCameFrom() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer station = new FakePeer(port("station"), true, true);

        vehicle.say(frame, encoder.encode(1, MessageIds.SETUP_SIGNING, new byte[42], 42, frame, 0));
        rounds();

        assertThat(station.sends).isZero();
        assertThat(dropped("not_forwardable")).isEqualTo(1);
    }

    /** The router sends nothing to a peer with a forgeable address before its first valid frame. */
    @Test
    void aStrangerHearsNothingUntilItSpeaks() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer stranger = new FakePeer(port("station"), true, false);
        vehicle.say(frame, next(1, ATTITUDE, 28));
        rounds();
        assertThat(stranger.sends).isZero();

        stranger.say(frame, next(255, ATTITUDE, 28));
        vehicle.say(frame, next(1, ATTITUDE, 28));
        rounds();
        vehicle.say(frame, next(1, ATTITUDE, 28));
        rounds();

        assertThat(stranger.sends).isPositive();
    }

    /** An endpoint that does not read loses only its own frames, and gets the newest ones when it reads again. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFarEndThatDoesNotReadHoldsUpNobody(Kind kind) {
        FakePeer vehicle = kind.at(port("vehicle"));
        FakePeer slow = kind.at(port("slow"));
        FakePeer quick = kind.at(port("quick"));
        slow.isReady = false;
        int frames = 2000;
        int last = 0;
        for (int i = 0; i < frames; i++) {
            last = next(1, ATTITUDE, 28);
            vehicle.say(frame, last);
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            forwarder.doWork();
        }
        rounds();
        assertThat(quick.sends).isEqualTo(frames);
        assertThat(slow.sends).isZero();
        assertThat(dropped("queue_full_telemetry")).isBetween(1400L, 1700L);

        slow.isReady = true;
        rounds();

        long lost = dropped("queue_full_telemetry");
        assertThat((long) slow.received.size()).isEqualTo((frames - lost) * last);
        assertThat(Arrays.copyOfRange(slow.received.toByteArray(), slow.received.size() - last, slow.received.size()))
                .isEqualTo(Arrays.copyOf(frame, last));
    }

    /**
     * A radio that can carry half of the telemetry: it sends recent telemetry, and no answer waits behind seconds of
     * it.
     */
    @Test
    void aSlowLineGetsFreshTelemetryAndEveryAnswer() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer radio = new FakePeer(port("radio"), false, true);
        List<Integer> answers = new ArrayList<>();
        int oldest = 0;
        int taken = 0;
        for (int ms = 0; ms < 20_000; ms++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            if (ms % 4 == 0) {
                count = ms;
                boolean isAnswer = ms % 1000 == 0;
                vehicle.say(frame, next(1, isAnswer ? MessageIds.COMMAND_ACK : ATTITUDE, 28));
            }
            radio.isReady = taken < 5 * ms; // 5 KB/s of 10
            forwarder.doWork();
            for (byte[] received : framesOf(radio)) {
                taken += received.length;
                int saidMs = (received[10] & 0xFF) + ((received[11] & 0xFF) << 8) - 1;
                oldest = Math.max(oldest, ms - saidMs);
                if (received[7] == MessageIds.COMMAND_ACK) {
                    answers.add(saidMs);
                }
            }
        }

        assertThat(oldest)
                .as("ms, some of them in the portion that is being sent")
                .isLessThan(1200);
        assertThat(answers).hasSizeGreaterThanOrEqualTo(18);
        assertThat(answers)
                .isEqualTo(IntStream.range(0, answers.size())
                        .map(i -> i * 1000)
                        .boxed()
                        .toList());
        assertThat(dropped("queue_full_telemetry")).isPositive();
    }

    /** The frames that were sent to the peer since the last call; all have the same length. */
    private static List<byte[]> framesOf(FakePeer peer) {
        byte[] all = peer.received.toByteArray();
        peer.received.reset();
        int length = 40;
        return IntStream.range(0, all.length / length)
                .mapToObj(i -> Arrays.copyOfRange(all, i * length, (i + 1) * length))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoComesNextGetsNothingThatWaitedForTheOneBefore(Kind kind) {
        FakePeer vehicle = kind.at(port("vehicle"));
        LinkPort port = port("station");
        FakePeer first = kind.at(port);
        first.isReady = false;
        vehicle.say(frame, next(1, ATTITUDE, 28));
        rounds();
        first.leave();
        FakePeer second = kind.at(port);

        rounds();
        assertThat(second.sends).isZero();
        vehicle.say(frame, next(1, ATTITUDE, 28));
        rounds();

        assertThat(second.sends).isEqualTo(1);
        assertThat(first.sends).isZero();
        assertThat(dropped(kind == Kind.DIRECT ? "receiver_gone" : "not_sent")).isEqualTo(1);
    }

    /** While the router is stopped the link continues, and lost frames are counted. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRouterThatHangsCostsForwardedFramesOnly(Kind kind) {
        FakePeer vehicle = kind.at(port("vehicle"));
        FakePeer station = kind.at(port("station"));
        forwarder.doWork();
        int frames = 20_000;
        int length = 0;
        for (int i = 0; i < frames; i++) {
            length = next(1, ATTITUDE, 28);
            vehicle.say(frame, length);
        }
        long busy = dropped("router_busy");
        assertThat(busy).isPositive();

        for (int i = 0; i < 20; i++) {
            rounds();
        }

        assertThat(station.received.size() / length + dropped("queue_full_telemetry"))
                .isEqualTo(frames - busy);
        // Frames that the router sends itself leave as fast as they arrive.
        assertThat(kind == Kind.DIRECT ? dropped("queue_full_telemetry") : 0).isZero();
    }

    @Test
    void statusTellsOfEachFarEndAndOfAllThatItsLinkHad() {
        LinkPort stations = port("stations");
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer first = new FakePeer(stations, true, true);
        FakePeer second = new FakePeer(stations, true, true);
        second.isReady = false;
        first.say(frame, next(255, ATTITUDE, 28));
        rounds();
        for (int i = 0; i < 10; i++) {
            vehicle.say(frame, next(1, ATTITUDE, 28));
            vehicle.say(frame, next(7, ATTITUDE, 28));
        }
        vehicle.say(frame, encoder.encode(1, MessageIds.SETUP_SIGNING, new byte[42], 42, frame, 0));
        rounds();

        ForwardStatus ofStations = forwarder.status().get(0);
        ForwardStatus.Endpoint ofVehicle = forwarder.status().get(1).endpoints().get(0);
        assertThat(ofStations.link()).isEqualTo("stations");
        assertThat(ofStations.endpoints().stream().map(ForwardStatus.Endpoint::systems))
                .containsExactly(List.of(255), List.of());
        assertThat(ofStations.endpoints().stream()
                        .map(endpoint -> endpoint.frames().sent()))
                .containsExactly(20L, 0L);
        assertThat(ofStations.frames().queued()).isEqualTo(41);
        assertThat(ofVehicle.address()).isEqualTo("fake");
        assertThat(ofVehicle.systems()).containsExactly(1, 7);
        assertThat(ofVehicle.frames().received()).isEqualTo(20);
        assertThat(ofVehicle.frames().dropped())
                .containsEntry("not_forwardable", 1L)
                .containsEntry("copy", 0L);

        second.leave();
        rounds();

        assertThat(forwarder.status().get(0).endpoints()).hasSize(1);
        assertThat(forwarder.status().get(0).frames().queued()).isEqualTo(41);
        assertThat(forwarder.status().get(0).frames().dropped().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .as("one that first heard and 20 of the other, the station's own frame among them")
                .isEqualTo(21);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void nothingIsAllocatedForAFrame(Kind kind) {
        FakePeer vehicle = kind.at(port("vehicle"));
        FakePeer station = kind.at(port("station"));
        long self = Thread.currentThread().getId();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getThreadAllocatedBytes(self);
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 10 && allocated != 0; attempt++) {
            station.received.reset();
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 20_000; i++) {
                vehicle.say(frame, next(1, ATTITUDE, 28));
                nowNs += 1_000_000;
                forwarder.doWork();
            }
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).isZero();
        assertThat(station.sends).isPositive();
    }
}
