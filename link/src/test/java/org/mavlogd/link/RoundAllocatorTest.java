package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundAllocatorTest {
    private static final int SLOT = 65_537;
    private static final int MAX_DATAGRAMS = 1024;
    private static final int MAX_BYTES = 1 << 20;

    private final ChannelConfig config = new EmbeddedChannel().config();
    private final ExtendedHandle handle =
            (ExtendedHandle) new RoundAllocator(SLOT, MAX_DATAGRAMS, MAX_BYTES).newHandle();

    /** A round of a socket in which there is always more; returns how many datagrams it took. */
    private int round(Random lengths, int longest) {
        handle.reset(config);
        int datagrams = 0;
        do {
            handle.attemptedBytesRead(handle.guess());
            handle.lastBytesRead(1 + lengths.nextInt(longest));
            handle.incMessagesRead(1);
            datagrams++;
        } while (handle.continueReading(UncheckedBooleanSupplier.TRUE_SUPPLIER));
        return datagrams;
    }

    @Test
    void roundOfShortDatagramsEndsAfterSoMany() {
        assertThat(round(new Random(1), 1000)).isEqualTo(MAX_DATAGRAMS);
    }

    @Test
    void roundOfLongDatagramsEndsAfterSoManyBytesAndTheNextOneBeginsAnew() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(round(new Random(seed), SLOT)).as("seed %d", seed).isBetween(MAX_BYTES / SLOT, 64);
        }
    }

    @Test
    void roomIsForOneDatagram() {
        assertThat(handle.guess()).isEqualTo(SLOT);
    }
}
