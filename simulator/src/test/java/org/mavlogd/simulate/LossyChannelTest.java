package org.mavlogd.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.simulate.LossySettings.Medium;

class LossyChannelTest {
    private static final long MS = 1_000_000;
    private static final int FRAMES = 20_000;

    private final List<byte[]> delivered = new ArrayList<>();

    private static LossySettings perfect() {
        return LossySettings.perfect(Medium.DATAGRAMS, 42);
    }

    private LossyChannel channel(LossySettings settings) {
        return new LossyChannel(
                settings, (frame, offset, length) -> delivered.add(Arrays.copyOfRange(frame, offset, offset + length)));
    }

    /** Sends numbered frames, one every millisecond, and lets all of them arrive. */
    private LossyChannel sendAll(LossySettings settings, int frames) {
        LossyChannel channel = channel(settings);
        byte[] frame = new byte[100];
        for (int i = 0; i < frames; i++) {
            frame[10] = (byte) i;
            frame[11] = (byte) (i >> 8);
            channel.send(frame, 10, 20, i * MS);
        }
        channel.onTick(frames * MS + 10_000 * MS);
        channel.onTick(frames * MS + 20_000 * MS);
        return channel;
    }

    private List<Integer> numbers() {
        return delivered.stream()
                .map(frame -> (frame[0] & 0xff) | (frame[1] & 0xff) << 8)
                .toList();
    }

    private static void assertBalanced(LossyChannel channel) {
        LossyChannel.Counters c = channel.counters();
        assertThat(c.sent() + c.duplicated()).isEqualTo(c.delivered() + c.lost() + c.cutOff() + c.overflowed());
        assertThat(channel.underWay()).isZero();
    }

    @Test
    void perfectChannelPassesEverythingAtOnceInOrder() {
        LossyChannel channel = sendAll(perfect(), 1000);

        assertThat(numbers()).hasSize(1000).isSorted().doesNotHaveDuplicates();
        assertThat(delivered).allMatch(frame -> frame.length == 20);
        assertBalanced(channel);
    }

    @Test
    void losesItsShareInBurstsOfTheGivenLength() {
        for (double burst : new double[] {1, 5, 50}) {
            delivered.clear();

            LossyChannel channel = sendAll(perfect().withLoss(10, burst), FRAMES);

            double lost = 100.0 * channel.counters().lost() / FRAMES;
            assertThat(lost).as("burst %s", burst).isCloseTo(10, within(burst > 10 ? 4.0 : 1.0));
            assertThat((double) channel.counters().lost() / gaps()).isCloseTo(burst, within(0.3 * burst));
            assertBalanced(channel);
        }
    }

    private int gaps() {
        List<Integer> numbers = numbers();
        int gaps = 0;
        for (int i = 1; i < numbers.size(); i++) {
            gaps += numbers.get(i) - numbers.get(i - 1) > 1 ? 1 : 0;
        }
        return gaps;
    }

    @Test
    void losesAllAtHundredPerCentAndWhileCut() {
        sendAll(perfect().withLoss(100, 3), 100);
        LossyChannel channel = channel(perfect());
        channel.cut(true);
        channel.send(new byte[10], 0, 10, 0);
        assertThat(delivered).isEmpty();
        assertThat(channel.counters().cutOff()).isEqualTo(1);

        channel.cut(false);
        channel.send(new byte[10], 0, 10, 0);
        assertThat(delivered).hasSize(1);
        assertBalanced(channel);
    }

    @Test
    void repeatsItsShare() {
        LossyChannel channel = sendAll(perfect().withDuplicates(5), FRAMES);

        assertThat(delivered).hasSize(FRAMES + (int) channel.counters().duplicated());
        assertThat(channel.counters().duplicated()).isBetween(FRAMES / 25L, FRAMES / 16L);
        assertBalanced(channel);
    }

    @Test
    void overtakesByAtMostTheGivenNumberOfFrames() {
        LossyChannel channel = sendAll(perfect().withReordering(10, 4, 1000 * MS), FRAMES);

        List<Integer> numbers = numbers();
        assertThat(numbers).hasSize(FRAMES).doesNotHaveDuplicates();
        int farthest = 0;
        int highest = -1;
        for (int number : numbers) {
            if (number < highest) {
                int by = 0;
                for (int j = numbers.indexOf(number) - 1; j >= 0 && j > numbers.indexOf(number) - 40; j--) {
                    by += numbers.get(j) > number ? 1 : 0;
                }
                farthest = Math.max(farthest, by);
            }
            highest = Math.max(highest, number);
        }
        assertThat(farthest).isEqualTo(4);
        assertThat(channel.counters().reordered()).isBetween(FRAMES / 12L, FRAMES / 8L);
        assertBalanced(channel);
    }

    @Test
    void overtakenFrameDoesNotWaitLongerThanItsLimit() {
        LossyChannel channel = channel(perfect().withReordering(100, 100, 7 * MS));

        channel.send(new byte[10], 0, 10, 0);
        assertThat(channel.dueNs(Long.MAX_VALUE / 2)).isEqualTo(7 * MS);
        channel.onTick(7 * MS - 1);
        assertThat(delivered).isEmpty();
        channel.onTick(7 * MS);

        assertThat(delivered).hasSize(1);
    }

    @Test
    void delaysEveryFrame() {
        LossyChannel channel = channel(perfect().withDelayNs(30 * MS));

        channel.send(new byte[10], 0, 10, 0);
        channel.send(new byte[11], 0, 11, 5 * MS);
        assertThat(channel.dueNs(Long.MAX_VALUE / 2)).isEqualTo(30 * MS);
        channel.onTick(30 * MS);
        assertThat(delivered).hasSize(1);
        channel.onTick(35 * MS);

        assertThat(delivered).hasSize(2);
        assertBalanced(channel);
    }

    @Test
    void framesThatAreTooManyUnderWayAreCounted() {
        LossyChannel channel = channel(perfect().withDelayNs(30 * MS));

        for (int i = 0; i < LossyChannel.MAX_UNDER_WAY + 10; i++) {
            channel.send(new byte[10], 0, 10, 0);
        }

        assertThat(channel.counters().overflowed()).isEqualTo(10);
        channel.onTick(30 * MS);
        assertBalanced(channel);
    }

    @Test
    void damageOfDatagramsFlipsOneToThreeBits() {
        LossyChannel channel = channel(perfect().withCorruption(100));

        for (int length = 1; length < 300; length++) {
            delivered.clear();
            channel.send(new byte[length], 0, length, 0);

            int flipped = 0;
            for (byte b : delivered.get(0)) {
                flipped += Integer.bitCount(b & 0xff);
            }
            assertThat(delivered.get(0)).hasSize(length);
            assertThat(flipped).isBetween(1, 3);
        }
        channel.send(new byte[0], 0, 0, 0);
        assertThat(delivered.get(1)).isEmpty();
    }

    @Test
    void damageOfStreamsAlsoTakesBytesOut() {
        LossyChannel channel = sendAll(LossySettings.perfect(Medium.STREAM, 7).withCorruption(50), 1000);

        assertThat(delivered).hasSize(1000).allMatch(frame -> frame.length >= 1 && frame.length <= 20);
        assertThat(delivered).anyMatch(frame -> frame.length < 20);
        assertThat(channel.counters().corrupted()).isBetween(400L, 600L);
    }

    @Test
    void sameSeedGivesTheSameFateAndAnotherSeedAnother() {
        LossySettings bad = new LossySettings(Medium.DATAGRAMS, 10, 2, 5, 5, 3, 10 * MS, 5, 3 * MS, 99);
        LossySettings other = new LossySettings(Medium.DATAGRAMS, 10, 2, 5, 5, 3, 10 * MS, 5, 3 * MS, 100);

        assertBalanced(sendAll(bad, 2000));
        List<byte[]> first = List.copyOf(delivered);
        delivered.clear();
        sendAll(bad, 2000);
        List<byte[]> second = List.copyOf(delivered);
        delivered.clear();
        sendAll(other, 2000);

        assertThat(second).usingRecursiveComparison().isEqualTo(first);
        assertThat(delivered).usingRecursiveComparison().isNotEqualTo(first);
    }

    @Test
    void refusesImpossibleShares() {
        assertThatThrownBy(() -> perfect().withLoss(101, 1)).hasMessageContaining("loss");
        assertThatThrownBy(() -> perfect().withLoss(1, 0.5)).hasMessageContaining("burst");
        assertThatThrownBy(() -> perfect().withDuplicates(-1)).hasMessageContaining("duplicates");
        assertThatThrownBy(() -> perfect().withReordering(Double.NaN)).hasMessageContaining("reordering");
    }
}
