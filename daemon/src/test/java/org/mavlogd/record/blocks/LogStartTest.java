package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.BlockView;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;

class LogStartTest {
    /** Forged vehicles that take all memory must not keep the recorder busy with the blocks of others. */
    @Test
    void aBlockWithoutMemoryCostsNoNewBeginning() throws IOException {
        long seed = System.nanoTime();
        System.out.println("LogStartTest: seed " + seed);
        Random random = new Random(seed);
        MemoryShare none = new MemoryBudget(1).share(Requester.UNFINISHED_LOG);
        LogStart start = new LogStart(none);
        byte[] block = new byte[BlockView.DATA_LENGTH];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        int blocks = 2_000;
        long before = 0;
        for (int i = -100; i < blocks; i++) {
            before = i == 0 ? threads.getThreadAllocatedBytes(self) : before;
            random.nextBytes(block);
            assertThat(start.add(block, block.length, i)).isTrue();
        }

        assertThat(threads.getThreadAllocatedBytes(self) - before).isLessThan(blocks * 1_000L);
        assertThat(start.isForgotten()).isTrue();
    }
}
