package org.mavlogd.vehicle.ardupilot;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.NewLogs;

/**
 * One conversation with an outbox that writes down, a ring that the test drains, and a clock that only the test moves.
 */
final class BlockSessionFixture implements ArduPilotOutbox, StrictFeedHandler {
    static final int OWN_COMPONENT = 191;
    static final int SYSTEM = 1;
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RING_BYTES = 16_384;
    private static final int TICK_MS = 20;

    /** Messages that the session sent: START, STOP, ACK 7, NACK 8. */
    final List<String> sent = new ArrayList<>();
    /** Records that the recorder got: begin 1, 1:0 (session 1, block 0), resume 2, end 1 STOPPED. */
    final List<String> fed = new ArrayList<>();

    final ArduPilotLogSession session;
    private final Feed.Consumer consumer;
    private long nowNs = TimeUnit.SECONDS.toNanos(1000);
    private boolean heard = true;
    private boolean stalled;
    private boolean v1;
    private ResumeTicket ticket = ResumeTicket.NONE;

    BlockSessionFixture() {
        this(true);
    }

    /** @param isDatagram whether the link is UDP, on which the vehicle notices a missing recorder */
    BlockSessionFixture(boolean isDatagram) {
        Feed feed = new Feed("test", RING_BYTES);
        consumer = feed.consumer(this);
        FeedPublisher publisher = feed.publisher();
        session = new ArduPilotLogSession(
                new LogConversation.Settings(SYSTEM, 1, OWN_COMPONENT, TimeUnit.SECONDS.toNanos(5), isDatagram),
                publisher,
                new NewLogs(systemId -> true, publisher),
                this,
                new ArduPilotCounters(new Metrics(), "test"),
                systemId -> ticket);
    }

    static BlockSessionFixture asking() {
        return asking(true);
    }

    static BlockSessionFixture asking(boolean isDatagram) {
        BlockSessionFixture fixture = new BlockSessionFixture(isDatagram);
        fixture.session.want(true);
        fixture.pass(TICK_MS);
        return fixture;
    }

    /** A session that got blocks 0 to {@code highest} of log 1. */
    static BlockSessionFixture recording(int highest) {
        BlockSessionFixture fixture = asking();
        fixture.blocks(1, 0, highest);
        fixture.forget();
        return fixture;
    }

    void forget() {
        sent.clear();
        fed.clear();
    }

    void asMavlink1() {
        v1 = true;
    }

    /** An earlier run left a log of this many blocks at this age. */
    void unfinishedLog(int blocks, long ageMs) {
        unfinishedLog(blocks, ageMs, List.of());
    }

    /** The same, with fillers for blocks that may still arrive. */
    void unfinishedLog(int blocks, long ageMs, List<Long> stillMissing) {
        ticket = new ResumeTicket(new ResumeTicket.Facts(
                SYSTEM,
                LogBlock.COMPONENT_ID,
                hash(1, 0),
                0,
                blocks - 1,
                nowNs - ageMs * MILLISECOND_NS,
                0,
                0,
                0,
                -1,
                0,
                stillMissing,
                new KnownTopics.Collector().topics()));
    }

    private static long hash(int log, long number) {
        byte[] payload = payload(log, number, OWN_COMPONENT);
        return BlockHash.of(ByteBuffer.wrap(payload, LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH)
                .slice());
    }

    ResumeTicket ticket() {
        return ticket;
    }

    void heard(boolean isHeard) {
        heard = isHeard;
    }

    void stalled(boolean isStalled) {
        stalled = isStalled;
        drain();
    }

    /** Lets time pass, with ticks and with heartbeats of the vehicle unless it is silent. */
    void pass(long ms) {
        for (long passedMs = 0; passedMs < ms; passedMs += TICK_MS) {
            nowNs += TICK_MS * MILLISECOND_NS;
            if (heard) {
                session.onHeard(nowNs);
            }
            session.onTick(nowNs);
            drain();
        }
    }

    /** Sets the vehicle's time since boot. */
    void bootTime(long ms) {
        session.onBootTime(ms, nowNs);
        drain();
    }

    void shutDown() {
        session.shutDown(nowNs);
        drain();
    }

    void endDrive() {
        session.endDrive(nowNs);
        drain();
    }

    void blocks(int log, int first, int last) {
        for (int number = first; number <= last; number++) {
            block(log, number);
        }
    }

    /** A block with its log and number as content, and many zeros at its end. */
    void block(int log, long number) {
        block(log, number, OWN_COMPONENT);
    }

    void block(int log, long number, int targetComponent) {
        byte[] payload = payload(log, number, targetComponent);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        FrameEncoder encoder = new FrameEncoder(LogBlock.COMPONENT_ID);
        int id = MessageIds.REMOTE_LOG_DATA_BLOCK;
        int length = v1
                ? encoder.encodeV1(SYSTEM, id, payload, LogBlockLayout.BLOCK_LENGTH, frame, 0)
                : encoder.encode(SYSTEM, id, payload, LogBlockLayout.BLOCK_LENGTH, frame, 0);
        new FrameDecoder((view, now) -> session.onBlock(new LogBlock(view), nowNs), FrameCounters.unregistered())
                .decodeDatagram(frame, 0, length, nowNs);
        drain();
    }

    private static byte[] payload(int log, long number, int targetComponent) {
        byte[] payload = new byte[255];
        for (int i = 0; i < Integer.BYTES; i++) {
            payload[LogBlockLayout.NUMBER_OFFSET + i] = (byte) (number >>> (8 * i));
            payload[LogBlockLayout.DATA_OFFSET + 2 + i] = (byte) (number >>> (8 * i));
        }
        payload[LogBlockLayout.TARGET_SYSTEM] = SYSTEM;
        payload[LogBlockLayout.TARGET_COMPONENT] = (byte) targetComponent;
        payload[LogBlockLayout.DATA_OFFSET] = (byte) log;
        return payload;
    }

    private void drain() {
        while (!stalled && consumer.drain(100) > 0) {
            // until the ring is empty
        }
    }

    long count(String word) {
        return sent.stream().filter(said -> said.startsWith(word)).count();
    }

    @Override
    public void sendBlockStart() {
        sent.add("START");
    }

    @Override
    public void sendBlockStop() {
        sent.add("STOP");
    }

    @Override
    public void sendBlockAck(long number) {
        sent.add("ACK " + number);
    }

    @Override
    public void sendBlockNack(long number) {
        sent.add("NACK " + number);
    }

    @Override
    public void onBlocksBegin(int number, int systemId, int componentId, long beginNs) {
        fed.add("begin " + number);
    }

    @Override
    public void onBlocksResume(int number, int systemId, int componentId, long beginNs) {
        ticket.resume();
        fed.add("resume " + number);
    }

    @Override
    public void onBlock(int number, BlockView block) {
        byte[] data = new byte[BlockView.DATA_LENGTH];
        block.data().getBytes(block.dataOffset(), data);
        byte[] rest = Arrays.copyOfRange(data, 6, data.length);
        if (!Arrays.equals(rest, new byte[rest.length])) {
            throw new AssertionError("the zeros at the end of block " + block.number() + " are not there");
        }
        fed.add(number + ":" + block.number());
    }

    @Override
    public void onSessionEnd(int number, SessionEnd reason, int ringDropped, long endNs) {
        fed.add("end " + number + " " + reason);
    }
}
