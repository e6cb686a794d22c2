package org.mavlogd.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.vehicle.ConversationSettings;

/** Random messages on a link with PX4s; see {@link ConversationWorld}. */
class ConversationFuzzTest {
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
            vehicles[i + 1] = (byte) (i / 4 % ConversationWorld.PEERS);
            vehicles[i + 2] = (byte) i;
            vehicles[i + 3] = 0;
        }
        return Stream.of(flight.toByteArray(), vehicles, new byte[] {3, 0, 3, 0, 4, 2, 100, 5});
    }

    @MethodSource("seeds")
    @FuzzTest
    void neitherThrowsNorAnswersStrangers(byte[] program) {
        new World(program).run();
    }

    private static final class World extends ConversationWorld {
        World(byte[] program) {
            super(program, ConversationSettings.Mode.ALWAYS);
        }

        @Override
        void step() {
            switch (next() % 6) {
                case 0 -> peer().receive(bytes(next()));
                case 1 -> peer().receive(heartbeatOrAnswer());
                case 2 -> pass(next() * 10L);
                case 3 -> peer().goAndComeBack();
                case 4 -> drain(next());
                default -> peer().receive(chunk());
            }
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
    }
}
