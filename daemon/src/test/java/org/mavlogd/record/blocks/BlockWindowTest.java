package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.BytesBlock;

class BlockWindowTest implements BlockWindow.Output, StrictFeedHandler {
    private static final long MS = 1_000_000;

    private final List<String> out = new ArrayList<>();
    private BlockWindow window = new BlockWindow(0, this, MemoryShare.unlimited());
    private final Feed feed = new Feed("test", 1 << 16);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed.Consumer consumer = feed.consumer(this);
    private long nowNs;

    @Test
    void passesBlocksInOrderAtOnce() {
        offer(0, 1, 2);

        assertThat(out).containsExactly("0", "1", "2");
    }

    @Test
    void holdsWhatIsEarlyUntilTheMissingOneComes() {
        offer(0, 2, 3, 5);
        assertThat(out).containsExactly("0");

        offer(1);
        assertThat(out).containsExactly("0", "1", "2", "3");

        offer(4);
        assertThat(out).containsExactly("0", "1", "2", "3", "4", "5");
    }

    @Test
    void givesAHoleUpWhenTheWindowIsFull() {
        offer(0);
        for (int number = 2; number <= BlockWindow.CAPACITY; number++) {
            offer(number);
        }
        assertThat(out).containsExactly("0");

        offer(BlockWindow.CAPACITY + 1);

        assertThat(out).hasSize(BlockWindow.CAPACITY + 2).startsWith("0", "hole 1+1", "2");
    }

    @Test
    void givesAHoleUpAfterTimeInWhichBlocksCame() {
        offer(0, 2);
        for (int i = 0; i < 29; i++) {
            nowNs += 100 * MS;
            offer(3 + i);
        }
        assertThat(out).containsExactly("0");

        nowNs += 200 * MS;
        offer(40);

        assertThat(out).startsWith("0", "hole 1+1", "2", "3").doesNotContain("40");
    }

    @Test
    void aBlockThatEndsThePatienceForItselfIsLate() {
        offer(0, 2);
        for (int i = 0; i < 29; i++) {
            nowNs += 100 * MS;
            offer(3 + i);
        }

        nowNs += 200 * MS;
        offer(1);

        assertThat(out).startsWith("0", "hole 1+1", "2", "3").endsWith("31", "late");
        assertThat(window.heldCount()).isZero();
    }

    /** Blocks that the killed run acknowledged do not come again; those that the vehicle still has come at once. */
    @Test
    void waitsLessForWhatAKilledRunMayHaveTaken() {
        window = BlockWindow.resumed(10, this, MemoryShare.unlimited());
        offer(15);
        nowNs += 100 * MS;
        offer(12, 16);
        passWithBlocks(17, 3);
        assertThat(out).isEmpty();

        passWithBlocks(20, 1);
        assertThat(out).as("12 came when 15 waited: 13 may come, too").containsExactly("hole 10+2", "12");
        passWithBlocks(21, 1);
        assertThat(out).containsSequence("12", "hole 13+2", "15", "16").endsWith("21");
        passWithBlocks(22, 4);
        assertThat(out).endsWith("25");

        // Once in order, the usual wait applies again.
        offer(27);
        passWithBlocks(28, 29);
        assertThat(out).endsWith("25");
        passWithBlocks(60, 1);
        assertThat(out).contains("hole 26+1");
    }

    @Test
    void gapsThatWereSeenTogetherAreGivenUpTogether() {
        offer(0, 2, 4);
        passWithBlocks(5, 29);
        assertThat(out).containsExactly("0");

        passWithBlocks(34, 1);
        assertThat(out).startsWith("0", "hole 1+1", "2", "hole 3+1", "4").endsWith("34");
    }

    @Test
    void aGapThatIsSeenLaterIsGivenUpLater() {
        offer(0, 2);
        passWithBlocks(3, 20);
        offer(24);
        passWithBlocks(25, 10);
        assertThat(out).endsWith("22");

        passWithBlocks(35, 19);
        assertThat(out).endsWith("22");
        passWithBlocks(54, 1);
        assertThat(out).contains("hole 1+1", "hole 23+1").endsWith("54");
    }

    /** A slow link takes more than three seconds to repeat what an outage cost. */
    @Test
    void aMissingBlockThatComesMakesTheOthersWorthWaitingFor() {
        offer(0, 5);
        passWithBlocks(6, 25);
        offer(1);
        passWithBlocks(31, 25);
        offer(2);
        passWithBlocks(56, 29);
        assertThat(out).containsExactly("0", "1", "2");

        passWithBlocks(85, 1);
        assertThat(out).startsWith("0", "1", "2", "hole 3+2", "5").endsWith("85");
    }

    private void passWithBlocks(int first, int count) {
        for (int i = 0; i < count; i++) {
            nowNs += 100 * MS;
            offer(first + i);
        }
    }

    @Test
    void anOutageOfTheLinkDoesNotCount() {
        offer(0, 2);
        nowNs += 9000 * MS;
        offer(3);
        offer(1);

        assertThat(out).containsExactly("0", "1", "2", "3");
    }

    @Test
    void countsWhatComesAfterItWasGivenUp() {
        offer(0, 2);
        window.flush();
        offer(1);

        assertThat(out).containsExactly("0", "hole 1+1", "2", "late");
    }

    @Test
    void everyOrderWithinTheWindowComesOutInOrder() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            BlockWindowTest test = new BlockWindowTest();
            List<Integer> numbers = new ArrayList<>();
            for (int number = 0; number < 3000; number++) {
                numbers.add(number);
            }
            for (int from = 0; from < 3000; from += 250) {
                Collections.shuffle(numbers.subList(from, from + 250), random);
            }
            numbers.forEach(number -> test.offer(number));

            assertThat(test.out).as("seed %d", seed).hasSize(3000);
            for (int number = 0; number < 3000; number++) {
                assertThat(test.out.get(number)).isEqualTo(Integer.toString(number));
            }
        }
    }

    private void offer(int... numbers) {
        for (int number : numbers) {
            publisher.block(1, block(number), nowNs);
            consumer.drain(10);
            consumer.drain(10); // the first call ends where the ring wraps
        }
    }

    private static FeedPublisher.BlockSource block(long number) {
        byte[] bytes = new byte[BlockView.DATA_LENGTH];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(number);
        return new BytesBlock(number, bytes);
    }

    @Override
    public void onBlock(int session, BlockView block) {
        window.offer(block);
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        assertThat(data.getLong(offset)).isEqualTo(number);
        out.add(Long.toString(number));
    }

    @Override
    public void onHole(long firstNumber, long count) {
        out.add("hole " + firstNumber + "+" + count);
    }

    @Override
    public void onLateBlock(DirectBuffer data, int offset, long number) {
        out.add("late");
    }
}
