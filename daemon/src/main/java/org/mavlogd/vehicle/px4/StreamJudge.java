package org.mavlogd.vehicle.px4;

import java.nio.ByteOrder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Decides from a few chunks whether a stream is the one that an earlier run recorded, by sequence numbers, times, and
 * the ids and sizes of its messages. It is strict, because two streams in one file spoil it, while a new file for the
 * same stream only costs another head. A pure decision. Owned by the session.
 */
final class StreamJudge {
    /** The result so far. */
    enum Verdict {
        SAME,
        OTHER,
        /** Too little was seen. */
        UNDECIDED
    }

    private static final int SEQUENCES = 0x1_0000;
    private static final int MIN_CHUNKS = 2;
    private static final int MIN_TIMES = 3;
    // A topic that appeared while no recorder listened is unknown; most others must be known.
    private static final int UNKNOWN_SHARE = 4;

    // Chunks come in bursts, and wait in queues of the vehicle and the operating system.
    private static final long JITTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int JITTER_CHUNKS = 64;
    // Without a recorder a vehicle may wait this long for an ack, and send nothing else. Then it sends what waited.
    private static final double ACK_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(2500);
    private static final double RATE_TOLERANCE = 0.25;
    private static final double PACE_TOLERANCE = 0.1;
    // Some topics are stored more than a second after they were measured.
    private static final long TIME_TOLERANCE_US = TimeUnit.SECONDS.toMicros(2);
    private static final double NS_PER_S = 1e9;
    private static final double US_PER_S = 1e6;
    private static final double NS_PER_US = 1e3;

    private final ResumeTicket.Facts facts;
    private int chunks;
    private int known;
    private int unknown;
    private int times;
    private long youngestUs;
    private long youngestNs;
    private boolean contradicted;
    private String reason = "";

    StreamJudge(ResumeTicket.Facts facts) {
        this.facts = facts;
    }

    /** Takes the next chunk into account. */
    Verdict judge(HeldChunk chunk) {
        chunks++;
        judgeNumber(chunk.sequence(), chunk.arrivalNs() - facts.sequenceNs());
        readMessages(chunk);
        return verdict();
    }

    /** Why the stream is another one; empty if it is not. */
    String reason() {
        return reason;
    }

    private void contradict(String why) {
        contradicted = true;
        reason = why;
    }

    private Verdict verdict() {
        if (!contradicted && (times < MIN_TIMES || chunks < MIN_CHUNKS)) {
            return Verdict.UNDECIDED;
        }
        if (!contradicted && unknown * UNKNOWN_SHARE > known + unknown) {
            contradict("most of its topics are unknown");
        }
        if (!contradicted) {
            judgeTime();
        }
        return contradicted ? Verdict.OTHER : Verdict.SAME;
    }

    /** The number must be where the stream must be by now, unless the numbers may have wrapped. */
    private void judgeNumber(int sequence, long elapsedNs) {
        double perSecond = facts.chunksPerSecond();
        double expected = perSecond * elapsedNs / NS_PER_S;
        double most = expected + JITTER_CHUNKS + perSecond * JITTER_NS / NS_PER_S + expected * RATE_TOLERANCE;
        double least = Math.max(-JITTER_CHUNKS, 2 * expected - most - perSecond * ACK_WAIT_NS / NS_PER_S);
        if (contradicted || perSecond <= 0 || most - least >= SEQUENCES) {
            return;
        }
        // Numbers repeat after 65,536: the first from the least one on that it can be.
        double more = (sequence - facts.sequence() - least) % SEQUENCES + least;
        more += more < least ? SEQUENCES : 0;
        if (more > most) {
            contradict(String.format(
                    Locale.ROOT,
                    "its chunk numbers do not fit: %.0f more after %.1f s, expected %.0f to %.0f",
                    more,
                    elapsedNs / NS_PER_S,
                    least,
                    most));
        }
    }

    private void judgeTime() {
        double elapsedS = (youngestNs - facts.sequenceNs()) / NS_PER_S;
        double paceShare = Math.max(1, facts.usPerSecond() / US_PER_S);
        double toleranceUs = TIME_TOLERANCE_US * paceShare + PACE_TOLERANCE * facts.usPerSecond() * elapsedS;
        double mostUs = facts.logUs() + facts.usPerSecond() * elapsedS + toleranceUs;
        double leastUs = Math.max(
                (double) (facts.lastLogUs() - TIME_TOLERANCE_US),
                mostUs - 2 * toleranceUs - paceShare * ACK_WAIT_NS / NS_PER_US);
        if (youngestUs < leastUs || youngestUs > mostUs) {
            contradict(String.format(
                    Locale.ROOT,
                    "its times do not fit: %.1f s more after %.1f s, expected %.1f to %.1f",
                    (youngestUs - facts.logUs()) / US_PER_S,
                    elapsedS,
                    (leastUs - facts.logUs()) / US_PER_S,
                    (mostUs - facts.logUs()) / US_PER_S));
        }
    }

    private void readMessages(HeldChunk chunk) {
        int offset = chunk.firstMessageOffset();
        while (chunk.length() - offset >= ULogLayout.MESSAGE_HEADER_LENGTH && !contradicted) {
            int size = uint16(chunk.data(), offset);
            readMessage(chunk, offset, size);
            offset += ULogLayout.MESSAGE_HEADER_LENGTH + size;
        }
    }

    private void readMessage(HeldChunk chunk, int offset, int size) {
        byte type = chunk.data().getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        if (!MessageType.isDataSection(type)) {
            contradict("it has definitions amid its data");
        }
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        if (type != MessageType.DATA || chunk.length() - payload < ULogLayout.DATA_HEADER_SIZE) {
            return;
        }
        int messageId = uint16(chunk.data(), payload);
        int expected = facts.topics().size(messageId);
        if (expected == KnownTopics.UNKNOWN) {
            unknown++;
            return;
        }
        known++;
        if (expected != KnownTopics.UNSEEN && expected != size) {
            contradict("its messages have other sizes");
        }
        int time = payload + ULogLayout.DATA_HEADER_SIZE;
        if (facts.topics().isTimed(messageId) && chunk.length() - time >= Long.BYTES) {
            readTime(chunk.data().getLong(time, ByteOrder.LITTLE_ENDIAN), chunk.arrivalNs());
        }
    }

    private void readTime(long timestampUs, long arrivalNs) {
        times++;
        if (times == 1 || timestampUs > youngestUs) {
            youngestUs = timestampUs;
            youngestNs = arrivalNs;
        }
    }

    private static int uint16(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** A copy of a chunk that waits for the decision about its stream. Reused. Owned by the session. */
    static final class HeldChunk implements LogStream.Chunk {
        private final UnsafeBuffer data = new UnsafeBuffer(new byte[ChunkView.MAX_DATA_LENGTH]);
        private boolean acked;
        private int sequence;
        private int firstMessageOffset;
        private int length;
        private long frames;
        private long arrivalNs;

        void set(LogStream.Chunk chunk, long trail, long nowNs) {
            acked = chunk.isAcked();
            sequence = chunk.sequence();
            firstMessageOffset = chunk.firstMessageOffset();
            length = chunk.length();
            frames = trail;
            arrivalNs = nowNs;
            chunk.copyData(data, 0);
        }

        @Override
        public boolean isAcked() {
            return acked;
        }

        @Override
        public int sequence() {
            return sequence;
        }

        @Override
        public int firstMessageOffset() {
            return firstMessageOffset;
        }

        @Override
        public int length() {
            return length;
        }

        /** The vehicle's frames that had arrived by then, see {@link FrameTrail}. */
        long frames() {
            return frames;
        }

        long arrivalNs() {
            return arrivalNs;
        }

        /** Its first {@link #length} bytes are valid. */
        DirectBuffer data() {
            return data;
        }

        @Override
        public void copyData(MutableDirectBuffer target, int targetIndex) {
            target.putBytes(targetIndex, data, 0, length);
        }
    }
}
