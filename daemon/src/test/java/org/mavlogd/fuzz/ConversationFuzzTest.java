package org.mavlogd.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedHandler;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.link.Peer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.RecordingMode;
import org.mavlogd.vehicle.VehicleClaims;

/**
 * The input is a program: who sends what, when the time passes, who comes and goes, and when the recorder is slow. The
 * conversations never throw, never answer an address that sent no good frame, and keep no more than they may.
 */
class ConversationFuzzTest {
    private static final int PEERS = 4;
    private static final int MAX_VEHICLES = 48;
    // Making them takes a thousand times as long as a frame.
    private static final Metrics METRICS = new Metrics();
    private static final int[] MESSAGES = {0, 2, 77, 266, 267, 253, 76, 268};

    static Stream<byte[]> seeds() {
        ByteArrayOutputStream flight = new ByteArrayOutputStream();
        for (byte[] frame : Seeds.frames().toList()) {
            flight.writeBytes(new byte[] {0, 0, (byte) frame.length});
            flight.writeBytes(frame);
            flight.writeBytes(new byte[] {2, 10});
        }
        byte[] vehicles = new byte[400];
        for (int i = 0; i + 4 <= vehicles.length; i += 4) {
            vehicles[i] = 1;
            vehicles[i + 1] = (byte) (i / 4 % PEERS);
            vehicles[i + 2] = (byte) i;
            vehicles[i + 3] = 0;
        }
        return Stream.of(flight.toByteArray(), vehicles, new byte[] {3, 0, 3, 0, 4, 2, 100, 5});
    }

    @MethodSource("seeds")
    @FuzzTest
    void neitherThrowsNorAnswersStrangers(byte[] program) {
        new Run(ByteBuffer.wrap(program)).run();
    }

    private static final class Run implements FeedHandler {
        private final ByteBuffer program;
        private final Feed feed = new Feed("fuzz", 1 << 13);
        private final Feed.Consumer consumer = feed.consumer(this);
        private final LinkConversations link = new LinkConversations(
                "fuzz",
                new ConversationSettings(0, 191, RecordingMode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                new VehicleClaims(),
                feed.publisher(),
                METRICS);
        private final Far[] peers = new Far[PEERS];
        private long nowNs = 1;
        private int openSession;
        private long sessions;

        Run(ByteBuffer program) {
            this.program = program;
        }

        void run() {
            for (int i = 0; i < PEERS; i++) {
                peers[i] = new Far(i);
                link.onPeerUp(peers[i], nowNs);
            }
            while (program.hasRemaining()) {
                step(next() % 6);
            }
            assertThat(link.statuses()).hasSizeLessThanOrEqualTo(MAX_VEHICLES);
            link.shutDown();
            for (int i = 0; i < 200 && !link.isAtRest(); i++) {
                pass(100);
            }
            assertThat(link.isAtRest()).isTrue();
            assertThat(sessions).isLessThanOrEqualTo(20L * MAX_VEHICLES + program.capacity());
        }

        private void step(int kind) {
            switch (kind) {
                case 0 -> peer().receive(bytes(next()));
                case 1 -> peer().receive(heartbeatOrAnswer());
                case 2 -> pass(next() * 10L);
                case 3 -> peer().goAndComeBack();
                case 4 -> consumer.drain(next());
                default -> peer().receive(chunk());
            }
        }

        private void pass(long ms) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
            link.onTick(nowNs);
            link.mayWait();
            consumer.drain(1000);
        }

        private byte[] heartbeatOrAnswer() {
            int system = next();
            int message = MESSAGES[next() % MESSAGES.length];
            byte[] payload = message == 0 ? new byte[] {0, 0, 0, 0, 2, 12, (byte) next(), 4, 3} : bytes(12);
            return Seeds.frame(system, 1, message, payload);
        }

        private byte[] chunk() {
            byte[] payload = Arrays.copyOf(bytes(6), 255);
            byte[] begin = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, (byte) next()};
            System.arraycopy(begin, 0, payload, 6, begin.length);
            return Seeds.frame(1, 1, 266 + (payload[2] & 1), payload);
        }

        private Far peer() {
            return peers[next() % PEERS];
        }

        private int next() {
            return program.hasRemaining() ? program.get() & 0xFF : 0;
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[Math.min(length, program.remaining())];
            program.get(bytes);
            return bytes.length == 0 ? new byte[1] : bytes;
        }

        @Override
        public void onSessionBegin(int session, int systemId, int componentId, long now) {
            assertThat(session).isGreaterThan(openSession);
            openSession = session;
            sessions++;
        }

        @Override
        public void onChunk(int session, ChunkView chunk) {
            assertThat(chunk.length()).isBetween(0, ChunkView.MAX_DATA_LENGTH);
        }

        @Override
        public void onSessionResume(int session, int systemId, int componentId, long nowNs) {}

        @Override
        public void onSessionEnd(int session, SessionEnd reason, long now) {
            assertThat(session).isLessThanOrEqualTo(openSession);
        }

        /** A far end; one of them is a port, the others are addresses that may be forged. */
        private final class Far implements Peer {
            private final int number;
            private FrameDecoder judge = new FrameDecoder(this::onGood, FrameCounters.unregistered());
            private boolean good;

            Far(int number) {
                this.number = number;
            }

            private void onGood(FrameView frame, long now) {
                good = true;
            }

            void receive(byte[] bytes) {
                if (isDatagram()) {
                    judge.decodeDatagram(bytes, 0, bytes.length, nowNs);
                }
                link.onBytes(this, bytes, 0, bytes.length, nowNs);
            }

            void goAndComeBack() {
                link.onPeerDown(this, nowNs);
                good = false;
                judge = new FrameDecoder(this::onGood, FrameCounters.unregistered());
                link.onPeerUp(this, nowNs);
            }

            @Override
            public String address() {
                return "far " + number;
            }

            @Override
            public boolean isDatagram() {
                return number > 0;
            }

            @Override
            public void send(byte[] buffer, int offset, int length) {
                assertThat(isExpected() || good).as("answers %s", address()).isTrue();
                assertThat(List.of(buffer[offset])).containsExactly((byte) 0xFD);
                assertThat(length).isBetween(12, 280);
            }
        }
    }
}
