package org.mavlogd.vehicle.px4;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.NewLogs;

/**
 * One conversation with an outbox that writes down, a ring that the test drains, and a clock that only the test moves.
 */
final class SessionFixture implements Px4Outbox, Feed.Handler {
    static final int OWN_COMPONENT = 191;
    static final int SYSTEM = 1;
    static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RING_BYTES = 8192;
    private static final int TICK_MS = 10;

    /** Messages that the session sent: START, STOP, ACK 7. */
    final List<String> sent = new ArrayList<>();
    /** Records that the recorder got: begin 1, 1:0 (session 1, chunk 0), end 1 STOPPED, refused 3 (by the full ring). */
    final List<String> fed = new ArrayList<>();

    final Metrics metrics = new Metrics();
    final Px4LogSession session;
    private final Feed.Consumer consumer;
    private final FeedPublisher filler;
    private final FrameEncoder encoder = new FrameEncoder(1);
    private long nowNs = TimeUnit.SECONDS.toNanos(1000);
    private boolean heard = true;
    private boolean stalled;
    private ResumeTicket ticket = ResumeTicket.NONE;

    /** With a vehicle that was recorded before. */
    SessionFixture() {
        this(true);
    }

    SessionFixture(boolean isKnown) {
        Feed feed = new Feed("test", RING_BYTES);
        consumer = feed.consumer(this);
        filler = feed.publisher();
        FeedPublisher publisher = feed.publisher();
        session = new Px4LogSession(
                new LogConversation.Settings(SYSTEM, 1, OWN_COMPONENT, TimeUnit.SECONDS.toNanos(5), true),
                publisher,
                new NewLogs(systemId -> isKnown, publisher),
                this,
                new Px4Counters(metrics, "test"),
                systemId -> ticket);
    }

    /** Fills the ring until the smallest record does not fit. */
    void fillRing() {
        for (int other = 1000; filler.sessionEnd(other, SessionEnd.STOPPED, 0, nowNs); other++) {
            // of unknown sessions
        }
    }

    /** A session whose START was accepted and that got chunk 0. */
    static SessionFixture recording() {
        SessionFixture fixture = asking();
        fixture.answerStart(0);
        fixture.begin(1);
        fixture.sent.clear();
        fixture.fed.clear();
        return fixture;
    }

    static SessionFixture asking() {
        SessionFixture fixture = new SessionFixture();
        fixture.session.want(true);
        fixture.pass(TICK_MS);
        return fixture;
    }

    /** An earlier run left this log. */
    void unfinishedLog(ResumeTicket unfinishedLog) {
        ticket = unfinishedLog;
    }

    /** From now on nothing arrives from the vehicle, or everything again. */
    void heard(boolean isHeard) {
        heard = isHeard;
    }

    /** Stalls the recorder, or lets it work again. */
    void stalled(boolean isStalled) {
        stalled = isStalled;
        drain();
    }

    long nowNs() {
        return nowNs;
    }

    LogConversation.State state() {
        return session.state();
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

    void answerStart(int result) {
        session.onCommandAck(CommandLong.LOGGING_START, result, nowNs);
    }

    void answerStop(int result) {
        session.onCommandAck(CommandLong.LOGGING_STOP, result, nowNs);
    }

    /** Sends the first chunk of a log that its start time identifies. */
    void begin(long startUs) {
        begin(startUs, OWN_COMPONENT);
    }

    void begin(long startUs, int targetComponent) {
        byte[] header = {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1, (byte) startUs, 0, 0, 0, 0, 0, 0, 0, 1};
        chunk(true, 0, targetComponent, 0, header);
    }

    void acked(int sequence) {
        chunk(true, sequence, OWN_COMPONENT, LogChunkLayout.NO_MESSAGE_START, new byte[100]);
    }

    void plain(int sequence) {
        chunk(false, sequence, OWN_COMPONENT, LogChunkLayout.NO_MESSAGE_START, new byte[100]);
    }

    void foreignAcked(int sequence) {
        chunk(true, sequence, 7, LogChunkLayout.NO_MESSAGE_START, new byte[100]);
    }

    void foreign(int sequence) {
        chunk(false, sequence, 7, LogChunkLayout.NO_MESSAGE_START, new byte[100]);
    }

    void chunk(boolean acked, int sequence, int targetComponent, int first, byte[] data) {
        chunk(acked, sequence, targetComponent, first, data.length, data);
    }

    void chunk(boolean acked, int sequence, int targetComponent, int first, int toldLength, byte[] data) {
        byte[] payload = new byte[255];
        payload[0] = (byte) sequence;
        payload[1] = (byte) (sequence >>> 8);
        payload[LogChunkLayout.TARGET_SYSTEM] = SYSTEM;
        payload[LogChunkLayout.TARGET_COMPONENT] = (byte) targetComponent;
        payload[LogChunkLayout.LENGTH_OFFSET] = (byte) toldLength;
        payload[LogChunkLayout.FIRST_MESSAGE_OFFSET] = (byte) first;
        System.arraycopy(data, 0, payload, LogChunkLayout.DATA_OFFSET, data.length);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int id = acked ? LogChunkLayout.LOGGING_DATA_ACKED : LogChunkLayout.LOGGING_DATA;
        int length = encoder.encode(SYSTEM, id, payload, payload.length, frame, 0);
        FrameDecoder.Handler handler = (view, now) -> {
            session.onHeard(now);
            session.onChunk(new LogChunk(view), 0, now);
        };
        new FrameDecoder(handler, FrameCounters.unregistered()).decodeDatagram(frame, 0, length, nowNs);
        drain();
    }

    long sent(String what) {
        return sent.stream().filter(what::equals).count();
    }

    private void drain() {
        if (!stalled) {
            consumer.drain(Integer.MAX_VALUE);
        }
    }

    double metric(String name) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_px4_" + name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    static String[] acks(int... sequences) {
        return Arrays.stream(sequences).mapToObj(sequence -> "ACK " + sequence).toArray(String[]::new);
    }

    @Override
    public void sendStart() {
        sent.add("START");
    }

    @Override
    public void sendStop() {
        sent.add("STOP");
    }

    @Override
    public void sendAck(int sequence) {
        sent.add("ACK " + sequence);
    }

    @Override
    public void onSessionBegin(int number, int systemId, int componentId, long beginNs) {
        fed.add("begin " + number);
    }

    @Override
    public void onSessionResume(int number, int systemId, int componentId, long beginNs) {
        fed.add("resume " + number);
    }

    @Override
    public void onChunk(int number, ChunkView chunk) {
        fed.add(number + ":" + chunk.sequence());
    }

    @Override
    public void onSessionEnd(int number, SessionEnd reason, int ringDropped, long endNs) {
        fed.add("end " + number + " " + reason + (ringDropped == 0 ? "" : ", refused " + ringDropped));
    }

    @Override
    public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {
        throw new AssertionError("a log session tells of no events");
    }
}
