package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when a link's thread stops reading from one socket to serve the others. */
class DatagramAllocatorTest {
    private static final int SLOT = 2049;
    private static final int MOST = 1024;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ChannelConfig config = new DefaultChannelConfig(channel);
    private long nowNs = Long.MAX_VALUE - DatagramPort.RoundBudget.ROUND_NS / 2; // overflows during a round

    @BeforeEach
    void readByItself() {
        config.setAutoRead(true);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static void read(ExtendedHandle handle, int bytes) {
        handle.attemptedBytesRead(bytes);
        handle.lastBytesRead(bytes);
        handle.incMessagesRead(1);
    }

    private int readsOf(ExtendedHandle handle, int bytes, long nsEach) {
        int reads = 0;
        do {
            read(handle, bytes);
            nowNs += nsEach;
            reads++;
        } while (handle.continueReading(() -> true));
        return reads;
    }

    @Test
    void roundEndsAfterItsNumberOfDatagramsWhateverTheirLength() {
        ExtendedHandle handle = new DatagramPort.Allocator(SLOT, MOST, () -> nowNs).newHandle();
        for (int bytes : new int[] {1, 280, SLOT}) {
            handle.reset(config);
            assertThat(readsOf(handle, bytes, 0)).as("of %d bytes", bytes).isEqualTo(MOST);
        }
    }

    @Test
    void roundEndsAfterItsTimeAndTheNextOneHasAllOfIt() {
        ExtendedHandle handle = new DatagramPort.Allocator(SLOT, MOST, () -> nowNs).newHandle();
        for (int round = 0; round < 3; round++) {
            handle.reset(config);
            assertThat(readsOf(handle, 280, DatagramPort.RoundBudget.ROUND_NS / 10))
                    .isEqualTo(10);
        }
    }

    @Test
    void datagramThatTakesLongIsTheLastOfItsRound() {
        ExtendedHandle handle = new DatagramPort.Allocator(SLOT, MOST, () -> nowNs).newHandle();
        handle.reset(config);
        assertThat(readsOf(handle, 280, DatagramPort.RoundBudget.ROUND_NS)).isEqualTo(1);
    }

    @Test
    void eachDatagramGetsRoomForTheLongest() {
        ExtendedHandle handle = new DatagramPort.Allocator(SLOT, MOST, () -> nowNs).newHandle();
        handle.reset(config);
        read(handle, 1);
        assertThat(handle.guess()).isEqualTo(SLOT);
    }

    @Test
    void batchesEndByTimeToo() {
        int slots = 32;
        ExtendedHandle handle = new BatchAllocator(SLOT, slots, MOST, () -> nowNs).newHandle();
        handle.reset(config);
        assertThat(readsOf(handle, SLOT * slots, DatagramPort.RoundBudget.ROUND_NS / 4))
                .isEqualTo(4);
    }
}
