package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** The messages of a gimbal beside a vehicle's log stream are recorded in the vehicle's log. */
@Timeout(120)
class MessagesSystemTest {
    private static final int GIMBAL = 154;
    private static final int ATTITUDE = 30;
    private static final int SLOW = 300_000;
    // Number of chunks with the log's definitions.
    private static final int DEFINITIONS = 400;
    private static final HeardSettings SETTINGS = new HeardSettings(
            List.of("ATTITUDE"),
            List.of(),
            HeardSettings.UNLIMITED,
            List.of(),
            HeardSettings.StatusTextMode.AUTO,
            HeardSettings.SenderChoice.VEHICLES);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final FrameEncoder gimbal = new FrameEncoder(GIMBAL);
    private final FrameEncoder autopilot = new FrameEncoder(1);

    @Test
    void messagesAndTextsOfAComponentAreInTheVehiclesLog() throws Exception {
        int port = FreePorts.udp();
        AtomicInteger sent = new AtomicInteger();
        try (RunningDaemon daemon = RunningDaemon.in(directory)
                        .udpListen("air", port)
                        .messages(SETTINGS)
                        .start();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().rateBytesPerSecond(SLOW))) {
            await("end of log", () -> {
                vehicle.alsoSend(attitude(sent.incrementAndGet()));
                vehicle.alsoSend(text(gimbal, "gimbal ready"));
                if (daemon.chunks() > DEFINITIONS) {
                    vehicle.alsoSend(text(autopilot, "said in the log, too"));
                }
                return vehicle.isAtLogEnd();
            });

            daemon.stop();

            Contents contents = new Contents();
            ULogReader.read(daemon.files().get(0), contents);
            assertThat(contents.numbers).isNotEmpty().isSorted();
            assertThat(contents.numbers.get(contents.numbers.size() - 1)).isBetween(1f, (float) sent.get());
            // The simulated autopilot sends ATTITUDE as well: each sender is an instance.
            assertThat(contents.sources).isNotEmpty();
            assertThat(contents.sources.stream().distinct()).hasSize(2);
            assertThat(contents.timesUs).isSorted();
            assertThat(contents.texts)
                    .contains("[1/154] gimbal ready")
                    .noneMatch(text -> text.contains("said in the log"));
            assertThat(contents.flaws).isZero();
        }
    }

    private byte[] attitude(int number) {
        byte[] payload = ByteBuffer.allocate(28)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(4711)
                .putFloat(number)
                .array();
        return frame(gimbal, ATTITUDE, payload, payload.length);
    }

    private static byte[] text(FrameEncoder from, String text) {
        byte[] payload = new byte[255];
        return frame(from, MessageIds.STATUSTEXT, payload, new StatusText(4, text, 0, 0).encodePayload(payload));
    }

    private static byte[] frame(FrameEncoder from, int messageId, byte[] payload, int payloadLength) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = from.encode(1, messageId, payload, payloadLength, frame, 0);
        return Arrays.copyOf(frame, length);
    }

    private static final class Contents implements ULogHandler {
        private final List<Float> numbers = new ArrayList<>();
        private final List<String> sources = new ArrayList<>();
        private final List<Long> timesUs = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();
        private int flaws;

        @Override
        public void onSample(SampleView sample) {
            if (sample.topic().name().equals("mavlink_attitude")) {
                List<org.mavlogd.ulog.Column> columns =
                        sample.topic().layout().orElseThrow().columns();
                String source = sample.integer(columns.get(8)) + "/" + sample.integer(columns.get(9));
                sources.add(sample.topic().multiId() + ": " + source);
                if (source.equals("1/" + GIMBAL)) {
                    numbers.add(sample.float32(columns.get(2), 0));
                    timesUs.add(sample.timestampUs());
                }
            }
        }

        @Override
        public void onLoggedText(LoggedText text) {
            if (text.tag() == 1) {
                texts.add(text.text());
            }
        }

        @Override
        public void onDamage(long position, long length) {
            flaws++;
        }
    }
}
