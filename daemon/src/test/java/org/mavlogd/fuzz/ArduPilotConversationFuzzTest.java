package org.mavlogd.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.vehicle.ConversationSettings;

/** Random messages on a link with ArduPilots; see {@link ConversationWorld}. */
class ArduPilotConversationFuzzTest {
    private static final int HEARTBEAT = 1;
    private static final int PASS = 2;
    private static final int BLOCKS = 5;
    private static final int NUMBER = 6;
    private static final int KINDS = 9;

    static Stream<byte[]> seeds() {
        ByteArrayOutputStream drive = new ByteArrayOutputStream();
        drive.writeBytes(new byte[] {0, HEARTBEAT, 0, 1, 0, PASS, 10});
        for (int i = 0; i < 20; i++) {
            drive.writeBytes(new byte[] {BLOCKS, 0, 0, 20, PASS, 1, HEARTBEAT, 0, 1, (byte) 128});
        }
        drive.writeBytes(new byte[] {NUMBER, 0, 3, BLOCKS, 0, 1, 20, PASS, (byte) 255, HEARTBEAT, 0, 1, 0, PASS, 100});
        byte[] silence = {
            1, HEARTBEAT, 0, 1, 0, PASS, 5, BLOCKS, 0, 0, 40, PASS, (byte) 250, PASS, (byte) 250, HEARTBEAT, 0, 1
        };
        return Stream.of(drive.toByteArray(), silence);
    }

    @MethodSource("seeds")
    @FuzzTest
    void acknowledgesOnlyWhatIsThere(byte[] program) {
        ConversationSettings.Mode mode = program.length > 0 && (program[0] & 1) == 1
                ? ConversationSettings.Mode.ARMED
                : ConversationSettings.Mode.ALWAYS;
        new World(program, mode).run();
    }

    private static final class World extends ConversationWorld {
        private static final int LOG_COMPONENT = 155;
        private final FrameEncoder autopilot = new FrameEncoder(1);
        private final FrameEncoder log = new FrameEncoder(LOG_COMPONENT);
        private final byte[] payload = new byte[255];
        private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        private long number;
        private int bootMs = 100_000;
        private boolean isV1;

        World(byte[] program, ConversationSettings.Mode mode) {
            super(program, mode);
            next();
        }

        @Override
        void step() {
            switch (next() % KINDS) {
                case 0 -> peer().receive(bytes(next()));
                case HEARTBEAT -> heartbeat();
                case PASS -> pass(next() * 10L);
                case 3 -> peer().goAndComeBack();
                case 4 -> drain(next());
                case BLOCKS -> blocks();
                case NUMBER -> number = (long) next() << 8 | next();
                case 7 -> systemTime();
                default -> isV1 = (next() & 1) == 1;
            }
        }

        private void heartbeat() {
            byte[] beat = {0, 0, 0, 0, 10, 3, 0, 4, 3};
            Far from = peer();
            int system = 1 + (next() & 1);
            beat[6] = (byte) next();
            send(from, autopilot, system, MessageIds.HEARTBEAT, beat, beat.length);
        }

        private void systemTime() {
            bootMs += (next() - 20) * 1000;
            Arrays.fill(payload, (byte) 0);
            put(8, bootMs);
            send(peer(), autopilot, 1, MessageIds.SYSTEM_TIME, payload, 12);
        }

        /** Sends some blocks in a row of a random log to a random target. */
        private void blocks() {
            Far from = peer();
            int content = next();
            int count = next() % 64;
            Arrays.fill(payload, (byte) 0);
            payload[LogBlockLayout.TARGET_SYSTEM] = 1;
            payload[LogBlockLayout.TARGET_COMPONENT] = (byte) (content == 255 ? 190 : OWN_COMPONENT);
            for (int i = 0; i < count; i++) {
                put(LogBlockLayout.NUMBER_OFFSET, (int) number);
                put(LogBlockLayout.DATA_OFFSET, (int) number);
                payload[LogBlockLayout.DATA_OFFSET + 7] = (byte) (content & 3);
                send(from, log, 1, MessageIds.REMOTE_LOG_DATA_BLOCK, payload, LogBlockLayout.BLOCK_LENGTH);
                number++;
            }
        }

        private void put(int at, int value) {
            for (int i = 0; i < Integer.BYTES; i++) {
                payload[at + i] = (byte) (value >>> (Byte.SIZE * i));
            }
        }

        private void send(Far from, FrameEncoder encoder, int system, int message, byte[] content, int length) {
            int frameLength = isV1
                    ? encoder.encodeV1(system, message, content, length, frame, 0)
                    : encoder.encode(system, message, content, length, frame, 0);
            from.receive(Arrays.copyOf(frame, frameLength));
        }
    }
}
