package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.record.LogBytes.Message;

/**
 * The duration of each gap compared with the true one: the log time between the last complete message before the gap
 * and the first one after it. Log time is the youngest timestamp so far in the complete log.
 */
class DropoutTruthTest {
    private static final int SEEDS = 50;
    private static final int MAX_BURST = 13;
    private static final int MIN_DISTANCE = 20;
    private static final long ALLOWED_ERROR_US = TimeUnit.MILLISECONDS.toMicros(20);
    private static final long WORST_ERROR_US = TimeUnit.MILLISECONDS.toMicros(100);
    private static final int CHUNK_LENGTH = LogBytes.CHUNK_LENGTH;

    /** A gap; {@code periodUs} is the period of the topic of the first sample after it. */
    private record Gap(long truthUs, long markedUs, long periodUs) {
        long errorUs() {
            return Math.abs(markedUs - truthUs);
        }

        boolean isTrue() {
            return errorUs() <= Math.max(ALLOWED_ERROR_US, periodUs);
        }
    }

    private final byte[] log = LogBytes.rover();
    private final List<Message> messages = LogBytes.messages(log);
    private final long[] logTimesUs = logTimes();
    private final int[] firstMessageOffsets = LogBytes.firstMessageOffsets(log, CHUNK_LENGTH);
    private final int firstDataChunk = firstDataChunk();
    private final BitSet acknowledged = acknowledged();

    @Test
    void marksGapsAsLongAsTheyWere() {
        List<Gap> gaps = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            gaps.addAll(record(seed));
        }

        long[] errorsUs = gaps.stream().mapToLong(Gap::errorUs).sorted().toArray();
        List<Gap> untrue = gaps.stream().filter(gap -> !gap.isTrue()).toList();
        long within = Arrays.stream(errorsUs)
                .filter(error -> error <= ALLOWED_ERROR_US)
                .count();
        String distribution = "%d gaps: median %d us, p99 %d us, longest %d us, %d above 20 ms"
                .formatted(
                        errorsUs.length,
                        errorsUs[errorsUs.length / 2],
                        errorsUs[errorsUs.length * 99 / 100],
                        errorsUs[errorsUs.length - 1],
                        errorsUs.length - within);
        // The few gaps with larger errors end with a message of a topic whose lag was steady before and jumps here.
        assertThat(errorsUs[errorsUs.length / 2]).as(distribution).isLessThanOrEqualTo(1_000);
        assertThat(errorsUs[errorsUs.length * 99 / 100]).as(distribution).isLessThanOrEqualTo(ALLOWED_ERROR_US);
        assertThat(within).as(distribution).isGreaterThan(errorsUs.length * 995L / 1000);
        assertThat(errorsUs[errorsUs.length - 1]).as(distribution).isLessThanOrEqualTo(WORST_ERROR_US);
        // The remaining ones are before samples of topics that were published once and have no period.
        assertThat(untrue).as(distribution).hasSizeLessThanOrEqualTo(gaps.size() / 500);
        assertThat(untrue).as(distribution).allMatch(gap -> gap.periodUs() == 0);
        assertThat(gaps.size()).isGreaterThan(SEEDS * 50);
    }

    private List<Gap> record(int seed) {
        BitSet dropped = dropped(new Random(seed));
        List<Integer> survivors = survivors(dropped);

        byte[] file = run(dropped);

        List<Message> stored = LogBytes.messages(file);
        ByteBuffer fileBuffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<Gap> gaps = new ArrayList<>();
        int next = 0;
        int before = -1;
        int after = -1;
        for (Message message : stored) {
            if (LogBytes.isOwnInfo(file, message)) {
                continue;
            }
            if (message.type() == 'O') {
                assertThat(before).as("seed %d: a mark without a gap", seed).isNotNegative();
                long markedMs = fileBuffer.getShort(message.offset() + LogBytes.MESSAGE_HEADER_LENGTH) & 0xFFFF;
                // The mark may come after messages without a time, or before the message that follows the gap.
                int follower = after >= 0 ? after : survivors.get(next);
                gaps.add(new Gap(logTimesUs[follower] - logTimesUs[before], markedMs * 1000, periodUs(follower)));
                before = -1;
                after = -1;
                continue;
            }
            int original = survivors.get(next);
            assertThat(message.length())
                    .as("seed %d, message %d", seed, original)
                    .isEqualTo(messages.get(original).length());
            next++;
            if (before >= 0 && after < 0) {
                after = original;
            }
            if (next < survivors.size() && survivors.get(next) != original + 1) {
                if (before < 0) {
                    before = original;
                }
                after = -1;
            }
        }
        assertThat(next).as("seed %d: messages stored", seed).isEqualTo(survivors.size());
        return gaps;
    }

    /** The longer of the distances from the first sample at or after {@code index} to its topic's neighbours. */
    private long periodUs(int index) {
        int sample = index;
        while (sample < messages.size() && messages.get(sample).type() != 'D') {
            sample++;
        }
        return sample == messages.size() ? 0 : Math.max(distanceUs(sample, -1), distanceUs(sample, 1));
    }

    private long distanceUs(int sample, int step) {
        for (int i = sample + step; i >= 0 && i < messages.size(); i += step) {
            if (messages.get(i).type() == 'D' && messageId(i) == messageId(sample)) {
                return Math.abs(
                        messages.get(sample).timestampUs() - messages.get(i).timestampUs());
            }
        }
        return 0;
    }

    private int messageId(int index) {
        int offset = messages.get(index).offset() + LogBytes.MESSAGE_HEADER_LENGTH;
        return (log[offset] & 0xFF) | (log[offset + 1] & 0xFF) << 8;
    }

    private byte[] run(BitSet dropped) {
        RecordingFixture fixture = new RecordingFixture();
        for (int chunk = 0; chunk < firstMessageOffsets.length; chunk++) {
            fixture.advanceMs(1);
            if (!dropped.get(chunk)) {
                fixture.chunk(BytesChunk.of(log, firstMessageOffsets, chunk));
            }
        }
        fixture.end(SessionEnd.STOPPED);
        return fixture.onlyFile();
    }

    private BitSet dropped(Random random) {
        BitSet dropped = new BitSet();
        int chunk = firstDataChunk;
        while (true) {
            chunk += MIN_DISTANCE + random.nextInt(100);
            int burst = random.nextBoolean() ? 1 : 1 + random.nextInt(MAX_BURST);
            if (chunk + burst >= firstMessageOffsets.length - MIN_DISTANCE) {
                return dropped;
            }
            dropped.set(chunk, chunk + burst);
            dropped.andNot(acknowledged);
            chunk += burst;
        }
    }

    /** Messages without a missing chunk: the most that a receiver can store. */
    private List<Integer> survivors(BitSet dropped) {
        List<Integer> survivors = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            int first = messages.get(i).offset() / CHUNK_LENGTH;
            int last = (messages.get(i).end() - 1) / CHUNK_LENGTH;
            int hit = dropped.nextSetBit(first);
            if (hit < 0 || hit > last) {
                survivors.add(i);
            }
        }
        return survivors;
    }

    private long[] logTimes() {
        long[] times = new long[messages.size()];
        long youngestUs = 0;
        for (int i = 0; i < times.length; i++) {
            youngestUs = Math.max(youngestUs, messages.get(i).timestampUs());
            times[i] = youngestUs;
        }
        return times;
    }

    private int firstDataChunk() {
        return messages.stream()
                        .filter(message -> message.type() == 'D')
                        .mapToInt(Message::offset)
                        .min()
                        .orElseThrow()
                / CHUNK_LENGTH;
    }

    /** New topics come in acknowledged chunks, which a vehicle repeats, so they are not lost. */
    private BitSet acknowledged() {
        BitSet chunks = new BitSet();
        for (Message message : messages) {
            if (message.type() == 'A') {
                chunks.set(message.offset() / CHUNK_LENGTH, (message.end() - 1) / CHUNK_LENGTH + 1);
            }
        }
        return chunks;
    }
}
