package org.mavlogd.whole;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mavlogd.simulate.px4.StreamObserver;

/** The chunks that a simulated vehicle logged, and which of them reached the recorder. */
public final class StreamTruth implements StreamObserver {
    private static final int HEADER_LENGTH = 16;
    private static final int MESSAGE_HEADER_LENGTH = 3;

    /** One log of the vehicle; chunk numbers continue where sequence numbers wrap. */
    public static final class Session {
        private final List<byte[]> chunks = new ArrayList<>();
        private final List<Boolean> sent = new ArrayList<>();
        private final List<Boolean> arrived = new ArrayList<>();
        private int lastArrived = -1;

        public boolean hasBegun() {
            return lastArrived >= 0 && arrived.get(0);
        }

        /** Number of chunks up to the last one that arrived. */
        public int told() {
            return lastArrived + 1;
        }

        public int lostChunks() {
            int lost = 0;
            for (int i = 0; i <= lastArrived; i++) {
                lost += arrived.get(i) ? 0 : 1;
            }
            return lost;
        }

        /** Chunks that were sent and did not arrive, before the last one that arrived. */
        public int lostOnTheLink() {
            return missing(true);
        }

        /** Chunks that the vehicle never sent, before the last one that arrived. */
        public int neverSent() {
            return missing(false);
        }

        private int missing(boolean wasSent) {
            int missing = 0;
            for (int i = 0; i <= lastArrived; i++) {
                missing += !arrived.get(i) && sent.get(i) == wasSent ? 1 : 0;
            }
            return missing;
        }

        public long arrivedBytes() {
            long bytes = 0;
            for (int i = 0; i < chunks.size(); i++) {
                bytes += arrived.get(i) ? chunks.get(i).length : 0;
            }
            return bytes;
        }

        /** Everything that the vehicle logged, whether it arrived or not. */
        public byte[] log() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            chunks.forEach(all::writeBytes);
            return all.toByteArray();
        }

        /** Header and every message of which each byte arrived: the most that can be stored. */
        public byte[] recoverable() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            ByteArrayOutputStream coverage = new ByteArrayOutputStream();
            for (int i = 0; i < chunks.size(); i++) {
                byte[] flags = new byte[chunks.get(i).length];
                Arrays.fill(flags, (byte) (arrived.get(i) ? 1 : 0));
                all.writeBytes(chunks.get(i));
                coverage.writeBytes(flags);
            }
            return select(all.toByteArray(), coverage.toByteArray());
        }

        private static byte[] select(byte[] bytes, byte[] covered) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(bytes, 0, HEADER_LENGTH);
            int offset = HEADER_LENGTH;
            while (bytes.length - offset >= MESSAGE_HEADER_LENGTH) {
                int length = MESSAGE_HEADER_LENGTH + (buffer.getShort(offset) & 0xFFFF);
                if (length > bytes.length - offset) {
                    break;
                }
                if (allSet(covered, offset, offset + length)) {
                    out.write(bytes, offset, length);
                }
                offset += length;
            }
            return out.toByteArray();
        }

        private static boolean allSet(byte[] flags, int from, int to) {
            for (int i = from; i < to; i++) {
                if (flags[i] == 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Session> sessions = new ArrayList<>();

    public List<Session> sessions() {
        return sessions;
    }

    @Override
    public void onSessionStart(byte[] header, long nowNs) {
        sessions.add(new Session());
    }

    @Override
    public void onChunk(
            int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long nowNs) {
        Session session = sessions.get(sessions.size() - 1);
        if (sequence != (session.chunks.size() & 0xFFFF)) {
            throw new AssertionError("chunk " + sequence + " after " + session.chunks.size() + " chunks");
        }
        session.chunks.add(Arrays.copyOfRange(data, offset, offset + length));
        session.sent.add(false);
        session.arrived.add(false);
    }

    @Override
    public void onChunkSent(int sequence, boolean acked, int attempt, long nowNs) {
        Session session = sessions.get(sessions.size() - 1);
        session.sent.set(newest(session, sequence), true);
    }

    /** A chunk passed the channel undamaged. */
    public void onArrival(int sequence, byte[] data) {
        for (int i = sessions.size() - 1; i >= 0; i--) {
            Session session = sessions.get(i);
            int index = newest(session, sequence);
            if (index >= 0 && session.sent.get(index) && Arrays.equals(session.chunks.get(index), data)) {
                session.arrived.set(index, true);
                session.lastArrived = Math.max(session.lastArrived, index);
                return;
            }
        }
        throw new AssertionError("chunk " + sequence + " arrived and was never sent");
    }

    private static int newest(Session session, int sequence) {
        int last = session.chunks.size() - 1;
        return last < 0 ? -1 : last - ((last - sequence) & 0xFFFF);
    }
}
