package org.mavlogd.vehicle.px4;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.vehicle.px4.StreamJudge.Verdict;

class StreamJudgeTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NOTED_NS = 500 * SECOND_NS;
    private static final long NOTED_US = 100_000_000;
    private static final int SEQUENCE = 1000;
    private static final int PER_SECOND = 100;
    private static final int TOPIC = 7;
    private static final int SIZE = 40;
    private static final int UNSEEN_TOPIC = 8;
    private static final int UNTIMED_TOPIC = 9;

    private String reason = "";
    private long elapsedNs = SECOND_NS;

    private static ResumeTicket.Facts facts(int sequence, double perSecond, double usPerSecond) {
        KnownTopics.Collector topics = new KnownTopics.Collector();
        topics.subscribed(TOPIC, true);
        topics.seen(TOPIC, SIZE);
        topics.subscribed(UNSEEN_TOPIC, true);
        topics.subscribed(UNTIMED_TOPIC, false);
        topics.seen(UNTIMED_TOPIC, SIZE);
        return new ResumeTicket.Facts(
                1,
                1,
                0,
                0,
                sequence,
                NOTED_NS,
                perSecond,
                NOTED_US,
                usPerSecond,
                NOTED_US,
                0,
                List.of(),
                topics.topics());
    }

    private static ResumeTicket.Facts facts() {
        return facts(SEQUENCE, PER_SECOND, 1e6);
    }

    /** A chunk that arrives after the elapsed time. */
    private StreamJudge.HeldChunk chunk(int sequence, int first, byte[]... messages) {
        ByteBuffer data = ByteBuffer.allocate(ChunkView.MAX_DATA_LENGTH);
        data.position(first == ChunkView.NO_MESSAGE_START ? 0 : first);
        for (byte[] message : messages) {
            data.put(message, 0, Math.min(message.length, data.remaining()));
        }
        int length = first == ChunkView.NO_MESSAGE_START ? ChunkView.MAX_DATA_LENGTH : data.position();
        StreamJudge.HeldChunk held = new StreamJudge.HeldChunk();
        held.set(
                new LogStream.Chunk() {
                    @Override
                    public boolean isAcked() {
                        return false;
                    }

                    @Override
                    public int sequence() {
                        return sequence & 0xFFFF;
                    }

                    @Override
                    public int firstMessageOffset() {
                        return first;
                    }

                    @Override
                    public int length() {
                        return length;
                    }

                    @Override
                    public void copyData(MutableDirectBuffer target, int targetIndex) {
                        target.putBytes(targetIndex, data, 0, length);
                    }
                },
                0,
                NOTED_NS + elapsedNs);
        return held;
    }

    private static byte[] sample(int topic, int size, long timeUs) {
        ByteBuffer message = ByteBuffer.allocate(3 + size).order(ByteOrder.LITTLE_ENDIAN);
        return message.putShort((short) size)
                .put((byte) 'D')
                .putShort((short) topic)
                .putLong(timeUs)
                .array();
    }

    private static byte[] sample(long timeUs) {
        return sample(TOPIC, SIZE, timeUs);
    }

    /** Two chunks with two samples each, of about this time. */
    private Verdict judge(ResumeTicket.Facts facts, int sequence, long timeUs) {
        StreamJudge judge = new StreamJudge(facts);
        Verdict first = judge.judge(chunk(sequence, 5, sample(timeUs - 3000), sample(timeUs - 2000)));
        assertThat(first).isNotEqualTo(Verdict.SAME);
        Verdict second = judge.judge(chunk(sequence + 1, 5, sample(timeUs - 1000), sample(timeUs)));
        reason = judge.reason();
        return second;
    }

    @Test
    void streamThatWentOnIsTheSame() {
        assertThat(judge(facts(), SEQUENCE + PER_SECOND, NOTED_US + 1_000_000)).isEqualTo(Verdict.SAME);
    }

    @Test
    void oneChunkIsTooLittle() {
        StreamJudge judge = new StreamJudge(facts());

        Verdict verdict = judge.judge(chunk(
                SEQUENCE + PER_SECOND,
                0,
                sample(NOTED_US + 900_000),
                sample(NOTED_US + 950_000),
                sample(NOTED_US + 960_000),
                sample(NOTED_US + 990_000)));

        assertThat(verdict).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void chunksThatBeginNoMessageDecideNothing() {
        StreamJudge judge = new StreamJudge(facts());

        for (int i = 0; i < 16; i++) {
            assertThat(judge.judge(chunk(SEQUENCE + PER_SECOND + i, ChunkView.NO_MESSAGE_START)))
                    .isEqualTo(Verdict.UNDECIDED);
        }
    }

    @Test
    void emptyChunksDecideNothing() {
        StreamJudge judge = new StreamJudge(facts());

        for (int i = 0; i < 16; i++) {
            assertThat(judge.judge(chunk(SEQUENCE + PER_SECOND + i, 0))).isEqualTo(Verdict.UNDECIDED);
        }
    }

    @Test
    void numbersThatWentRoundAreTheSameStream() {
        ResumeTicket.Facts nearTheEnd = facts(65_500, PER_SECOND, 1e6);

        assertThat(judge(nearTheEnd, 65_500 + PER_SECOND, NOTED_US + 1_000_000)).isEqualTo(Verdict.SAME);
    }

    @Test
    void afterAnOutageOfMinutesTheNumberSaysNothing() {
        elapsedNs = 400 * SECOND_NS;

        assertThat(judge(facts(SEQUENCE, 1000, 1e6), 12_345, NOTED_US + 400_000_000))
                .isEqualTo(Verdict.SAME);
    }

    @ParameterizedTest(name = "number {0}")
    @ValueSource(ints = {0, 3, SEQUENCE - 300, SEQUENCE + 600, 30_000, 65_000})
    void restartedStreamWithTheSameIdsIsAnotherOne(int sequence) {
        assertThat(judge(facts(), sequence, NOTED_US + 1_000_000)).isEqualTo(Verdict.OTHER);
        assertThat(reason)
                .startsWith("its chunk numbers do not fit: ")
                .endsWith(" more after 1.0 s, expected -64 to 289");
    }

    @ParameterizedTest(name = "{0} us")
    @CsvSource({"-3000000, OTHER", "-900000, SAME", "0, SAME", "3000000, SAME", "4000000, OTHER", "60000000, OTHER"})
    void timeMustBeWhatPassed(long laterUs, Verdict verdict) {
        assertThat(judge(facts(), SEQUENCE + PER_SECOND, NOTED_US + laterUs)).isEqualTo(verdict);
        assertThat(reason).matches(verdict == Verdict.SAME ? "" : "its times do not fit: .* s more after 1.0 s, .*");
    }

    /** It waited for an ack while nobody recorded, and sends what waited. */
    @Test
    void streamThatStoodStillForAnAckIsTheSame() {
        elapsedNs = 4 * SECOND_NS;

        assertThat(judge(facts(), SEQUENCE + PER_SECOND, NOTED_US + 1_000_000)).isEqualTo(Verdict.SAME);
        assertThat(judge(facts(), SEQUENCE + 9 * PER_SECOND, NOTED_US + 9_000_000))
                .isEqualTo(Verdict.OTHER);
        elapsedNs = 8 * SECOND_NS;
        assertThat(judge(facts(), SEQUENCE + PER_SECOND, NOTED_US + 1_000_000)).isEqualTo(Verdict.OTHER);
    }

    @Test
    void rebootedVehicleIsAnotherStream() {
        elapsedNs = 60 * SECOND_NS;

        assertThat(judge(facts(SEQUENCE, 0, 1e6), 40, 30_000_000)).isEqualTo(Verdict.OTHER);
    }

    @Test
    void simulationThatRunsFasterIsJudgedByItsOwnPace() {
        ResumeTicket.Facts fast = facts(SEQUENCE, PER_SECOND, 10e6);
        elapsedNs = 2 * SECOND_NS;

        assertThat(judge(fast, SEQUENCE + 2 * PER_SECOND, NOTED_US + 20_000_000))
                .isEqualTo(Verdict.SAME);
        assertThat(judge(facts(), SEQUENCE + 2 * PER_SECOND, NOTED_US + 20_000_000))
                .isEqualTo(Verdict.OTHER);
    }

    @Test
    void messageOfAnotherSizeIsAnotherStream() {
        StreamJudge judge = new StreamJudge(facts());

        Verdict verdict = judge.judge(chunk(SEQUENCE + PER_SECOND, 0, sample(TOPIC, SIZE + 1, NOTED_US + 1_000_000)));

        assertThat(verdict).isEqualTo(Verdict.OTHER);
        assertThat(judge.reason()).isEqualTo("its messages have other sizes");
    }

    @Test
    void typeThatNoDataSectionHasIsAnotherStream() {
        StreamJudge judge = new StreamJudge(facts());

        assertThat(judge.judge(chunk(SEQUENCE + PER_SECOND, 0, new byte[] {5, 0, 'F', 1, 2, 3, 4, 5})))
                .isEqualTo(Verdict.OTHER);
    }

    @Test
    void aTopicThatAppearedMeanwhileDoesNotHarm() {
        StreamJudge judge = new StreamJudge(facts());
        long nowUs = NOTED_US + 1_000_000;

        judge.judge(chunk(SEQUENCE + PER_SECOND, 0, sample(nowUs), sample(300, SIZE, nowUs), sample(nowUs)));
        Verdict verdict = judge.judge(
                chunk(SEQUENCE + PER_SECOND + 1, 0, sample(nowUs), sample(UNSEEN_TOPIC, 99, nowUs), sample(nowUs)));

        assertThat(verdict).isEqualTo(Verdict.SAME);
    }

    @Test
    void mostlyUnknownTopicsAreAnotherStream() {
        StreamJudge judge = new StreamJudge(facts());
        long nowUs = NOTED_US + 1_000_000;

        judge.judge(chunk(SEQUENCE + PER_SECOND, 0, sample(nowUs), sample(300, SIZE, nowUs), sample(nowUs)));
        Verdict verdict = judge.judge(
                chunk(SEQUENCE + PER_SECOND + 1, 0, sample(301, SIZE, nowUs), sample(300, SIZE, nowUs), sample(nowUs)));

        assertThat(verdict).isEqualTo(Verdict.OTHER);
    }

    @Test
    void topicsWithoutTimeDoNotTellTheTime() {
        StreamJudge judge = new StreamJudge(facts());

        for (int i = 0; i < 16; i++) {
            assertThat(judge.judge(chunk(SEQUENCE + PER_SECOND + i, 0, sample(UNTIMED_TOPIC, SIZE, 1))))
                    .isEqualTo(Verdict.UNDECIDED);
        }
    }

    @Test
    void anyBytesAreJudgedWithoutHarm() {
        java.util.Random random = new java.util.Random(1);
        int same = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[ChunkView.MAX_DATA_LENGTH];
            random.nextBytes(bytes);
            StreamJudge judge = new StreamJudge(facts());
            judge.judge(chunk(SEQUENCE + PER_SECOND, random.nextInt(249), bytes));
            same += judge.judge(chunk(SEQUENCE + PER_SECOND + 1, random.nextInt(249), bytes)) == Verdict.SAME ? 1 : 0;
        }

        assertThat(same).isZero();
    }
}
