package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;

@Timeout(120)
class SerialTransmitterTest {
    private static final int LONGEST_FRAME = 280;

    /** A driver that takes everything at once, and has sent nothing of it yet. */
    private static final class SlowDriver extends SerialDevice {
        private final AtomicInteger waiting = new AtomicInteger();

        @SuppressWarnings("NullAway") // the library is not called
        SlowDriver() {
            super(null);
        }

        @Override
        boolean write(byte[] source, int length) {
            waiting.addAndGet(length);
            return true;
        }

        @Override
        int waitingBytes() {
            return waiting.get();
        }

        @Override
        void discardOutput() {
            waiting.set(0);
        }
    }

    /** An ArduPilot repeats a block that is not acknowledged within 100 ms. */
    @ParameterizedTest
    @ValueSource(ints = {57_600, 115_200, 230_400, 921_600})
    void anAcknowledgementWaitsForFewMillisecondsOfOtherFrames(int baud) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        SlowDriver driver = new SlowDriver();
        LinkSettings.SerialPort settings = new LinkSettings.SerialPort("test", "/dev/none", baud, false);
        SerialTransmitter transmitter = new SerialTransmitter(
                settings, driver, ContainedPart.unlisted("link.test", Recovery.CONTINUES), () -> {});
        int sent = 0;
        for (int room = transmitter.room(); room > 0; room = transmitter.room()) {
            int frame = 12 + random.nextInt(LONGEST_FRAME - 12 + 1);
            assertThat(transmitter.send(new byte[LONGEST_FRAME], 0, frame)).isTrue();
            sent += frame;
            int soFar = sent;
            LinkFixture.await(() -> driver.waiting.get() == soFar);
        }

        assertThat(sent).isPositive();
        assertThat((sent - LONGEST_FRAME) * 10_000.0 / baud).isLessThanOrEqualTo(20);
        assertThat(sent * 10_000.0 / baud).isLessThan(100);
        assertThat(transmitter.close()).isTrue();
    }
}
