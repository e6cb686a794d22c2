package org.mavlogd.fuzz;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.VehicleClaims;

/**
 * The conversations of one link, driven by an input that is read as a program: which component sends what, when time
 * passes, which vehicles appear and leave, and when the recorder is slow. All in one thread and in virtual time.
 *
 * <p>The conversations never throw, never answer an address that sent no valid frame, keep no more than their limits,
 * come to rest when asked to, and acknowledge no block that the recorder does not get. Checks are plain conditions:
 * each input makes thousands of them.
 */
abstract class ConversationWorld implements Feed.Handler {
    static final int PEERS = 4;
    static final int OWN_COMPONENT = 191;
    private static final int MAX_VEHICLES = 48;
    // Making metrics takes a thousand times as long as a frame.
    private static final Metrics METRICS = new Metrics();
    // Console output took most of the time. Kept in a field, or the logger and its level would be garbage-collected.
    private static final Logger QUIET = Logger.getLogger("org.mavlogd");

    static {
        QUIET.setLevel(Level.OFF);
    }

    private final ByteBuffer program;
    private final Feed feed = new Feed("fuzz", 1 << 13);
    private final Feed.Consumer consumer = feed.consumer(this);
    private final LinkConversations link;
    private final Far[] peers = new Far[PEERS];
    private final Map<Integer, Set<Long>> blocks = new HashMap<>();
    private final Set<Long> acked = new HashSet<>();
    private long nowNs = 1;
    private int openSession;
    private long sessions;

    ConversationWorld(byte[] program, ConversationSettings.Mode mode) {
        this.program = ByteBuffer.wrap(program);
        this.link = new LinkConversations(
                "fuzz",
                new ConversationSettings(0, OWN_COMPONENT, mode, 0, TimeUnit.SECONDS.toNanos(5)),
                new VehicleClaims(),
                feed.publisher(),
                METRICS);
    }

    /** Executes the next bytes of the program. */
    abstract void step();

    final void run() {
        for (int i = 0; i < PEERS; i++) {
            peers[i] = new Far(i);
            link.onPeerUp(peers[i], nowNs);
        }
        while (program.hasRemaining()) {
            step();
        }
        check(link.statuses().size() <= MAX_VEHICLES, "too many vehicles");
        link.shutDown();
        for (int i = 0; i < 200 && !link.isAtRest(); i++) {
            pass(100);
        }
        while (consumer.drain(1000) > 0) {
            // until the ring is empty
        }
        check(link.isAtRest(), "no rest");
        check(sessions <= 20L * MAX_VEHICLES + program.capacity(), "too many logs");
        Set<Long> stored = new HashSet<>();
        blocks.values().forEach(stored::addAll);
        check(stored.containsAll(acked), "acknowledged and not there");
    }

    static void check(boolean isRight, String what) {
        if (!isRight) {
            throw new AssertionError(what);
        }
    }

    final void pass(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
        link.onTick(nowNs);
        link.mayWait();
        drain(1000);
    }

    final void drain(int limit) {
        consumer.drain(limit);
    }

    final Far peer() {
        return peers[next() % PEERS];
    }

    final int next() {
        return program.hasRemaining() ? program.get() & 0xFF : 0;
    }

    final byte[] bytes(int length) {
        byte[] bytes = new byte[Math.min(length, program.remaining())];
        program.get(bytes);
        return bytes.length == 0 ? new byte[1] : bytes;
    }

    private void onBegin(int session) {
        check(session > openSession, "session numbers rise");
        openSession = session;
        sessions++;
    }

    @Override
    public void onSessionBegin(int session, int systemId, int componentId, long now) {
        onBegin(session);
    }

    @Override
    public void onChunk(int session, ChunkView chunk) {
        check(chunk.length() >= 0 && chunk.length() <= ChunkView.MAX_DATA_LENGTH, "chunk length");
    }

    @Override
    public void onBlocksBegin(int session, int systemId, int componentId, long beginNs) {
        onBegin(session);
        blocks.put(session, new HashSet<>());
    }

    @Override
    public void onBlock(int session, BlockView block) {
        Set<Long> known = blocks.get(session);
        if (known == null) {
            throw new AssertionError("block of no log");
        }
        check(!known.isEmpty() || block.number() == 0, "a log begins with block 0");
        check(known.add(block.number()), "block twice");
    }

    @Override
    public void onSessionResume(int session, int systemId, int componentId, long nowNs) {}

    @Override
    public void onSessionEnd(int session, SessionEnd reason, int ringDropped, long now) {
        check(session <= openSession, "end of no log");
    }

    /** A far end: either a port, or an address that may be forged. */
    final class Far implements Peer {
        private final int number;
        private final FrameDecoder ours = new FrameDecoder(this::onOurs, FrameCounters.unregistered());
        private FrameDecoder judge = new FrameDecoder(this::onGood, FrameCounters.unregistered());
        private boolean good;

        Far(int number) {
            this.number = number;
        }

        private void onGood(FrameView frame, long now) {
            good = true;
        }

        private void onOurs(FrameView frame, long now) {
            if (frame.messageId() == MessageIds.REMOTE_LOG_BLOCK_STATUS) {
                LogBlockStatus status = LogBlockStatus.decode(frame);
                if (status.status() == LogBlockStatus.ACK && status.number() < LogBlockStatus.STOP) {
                    acked.add(status.number());
                }
            }
        }

        void receive(byte[] bytes) {
            if (isDatagram()) {
                judge.decodeDatagram(bytes, 0, bytes.length, nowNs);
            }
            link.onBytes(this, bytes, 0, bytes.length, nowNs);
        }

        void goAndComeBack() {
            link.onPeerDown(this, nowNs);
            good = false;
            judge = new FrameDecoder(this::onGood, FrameCounters.unregistered());
            link.onPeerUp(this, nowNs);
        }

        @Override
        public String address() {
            return "far";
        }

        @Override
        public boolean isDatagram() {
            return number > 0;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            check(isExpected() || good, "answers a stranger");
            check(buffer[offset] == (byte) 0xFD || buffer[offset] == (byte) 0xFE, "no frame");
            check(length >= 8 && length <= 280, "length of a frame");
            ours.decodeDatagram(buffer, offset, length, nowNs);
        }
    }
}
