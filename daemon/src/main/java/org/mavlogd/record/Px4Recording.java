package org.mavlogd.record;

import java.nio.ByteOrder;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.figures.RateAdvice;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.DropoutWriter;
import org.mavlogd.record.files.FileHead;
import org.mavlogd.record.files.LogOutput;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.record.order.ChunkAssembler;
import org.mavlogd.record.order.DropoutMarker;
import org.mavlogd.record.order.MessageTimes;
import org.mavlogd.record.order.ReorderWindow;
import org.mavlogd.record.order.StreamPace;
import org.mavlogd.record.order.UrgentText;
import org.mavlogd.record.order.VehicleTimeline;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.NextLook;
import org.mavlogd.time.ClockFit;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log of one PX4 on its way to disk: it puts the chunks in order, joins them to messages, measures and marks gaps,
 * and passes everything else unchanged. Owned by the recorder's thread; taking chunks is on the hot path.
 */
final class Px4Recording
        implements ReorderWindow.Output, ChunkAssembler.Output, DropoutMarker.Output, LogOutput.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Px4Recording.class);

    // While nothing arrives, a gap is given up much later than by arrival times: the missing chunk may still wait in a
    // socket, and no later data needs to be written yet.
    private static final long IDLE_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final int START_TIME_OFFSET = Long.BYTES;
    private static final double FRAME_BYTES = 267; // LOGGING_DATA with 249 bytes of log
    // Memory of any log: reordering and gaps 50 KiB, topics 16 KiB.
    private static final int OWN_BYTES = 66 << 10;

    private final String name;
    private final RecordingIdentity identity;
    private final Tally tally;
    private final MemoryShare memory;
    private final LogHead head;
    private final LocalPart localPart;
    private final LocalMerge local;
    private final VehicleTimeline timeline = new VehicleTimeline();
    private final RateAdvice advice;
    private final StartClock clock;
    private final long holdNs;
    private final NextLook nextLook;
    private final LogOutput output;
    private final DataRun run;
    private final DropoutWriter dropoutWriter;
    private final MessageTimes times;
    private final DropoutMarker dropouts = new DropoutMarker(this);
    private final ChunkAssembler assembler;
    private final ReorderWindow window = new ReorderWindow(this);
    private final StreamPace pace = new StreamPace();

    private long nowNs;
    // Since when the current message waits at most, or the first one that waits until a gap is measured.
    private long sinceNs;
    private ResumeTicket.@Nullable Facts resumedFrom;
    private boolean recorderNamed;
    private boolean definitionsForced;
    // Of the messages that may end in the current chunk.
    private int chunkBytes;

    Px4Recording(RecordingIdentity identity, RecordContext context, RecordCounters totals) {
        this.identity = identity;
        this.name = "vehicle " + identity.systemId() + " on " + identity.feed();
        this.tally = new Tally(totals);
        RecordSettings settings = context.settings();
        this.advice = new RateAdvice(name, RateAdvice.Autopilot.PX4, settings.baud(identity.feed()), totals.advice);
        this.memory = settings.memory().vehicle(identity.systemId());
        memory.take(OWN_BYTES);
        this.head = new LogHead(memory);
        this.times = new MessageTimes(memory);
        this.assembler = new ChunkAssembler(this, memory);
        LogStore store = context.store();
        OwnInfos own = new OwnInfos(settings.recorder(), settings.infos());
        this.localPart = new LocalPart(context.localFeeds(), settings.merge().prefix(), memory);
        this.clock = new StartClock(identity.startedNs());
        clock.onSystemTime(identity.startedEpochMs(), identity.startedNs());
        this.output = new LogOutput(
                store, identity.systemId(), identity.log(), new FileHead(head, own, clock, localPart), tally, this);
        this.run = new DataRun(output);
        this.dropoutWriter = new DropoutWriter(output);
        this.local =
                new LocalMerge(localPart, output, timeline, settings.merge().newTopics(), memory, settings.cbufTag());
        // No data waits longer than the age at which it must be forced.
        this.nextLook = store.nextLook();
        this.holdNs = store.settings().durability().flushAgeNs();
    }

    int session() {
        return identity.session();
    }

    /** Continues a log of an earlier run. */
    void resume(UnfinishedLog log, long now) {
        nowNs = now;
        recorderNamed = true;
        resumedFrom = log.facts();
        pace.resume(log.facts());
        int part = HeadReader.read(log.head(), head, times, localPart);
        timeline.seed(log.facts().sequenceNs(), log.facts().logUs());
        assembler.joinMidStream();
        dropouts.resume(log.facts().lastLogUs(), now - log.facts().sequenceNs()); // first: there may be no file
        output.resume(log, part, identity.startedNs(), now);
        if (output.isTimeOpen() && clock.isKnown()) {
            onStartKnown();
        }
        LOG.info("{}: recording continues in {}", name, output.isOpen() ? output.fileName() : "no file yet");
    }

    private void countHole(ResumeTicket.Facts before, ChunkView first) {
        resumedFrom = null;
        tally.restartGap(StreamPace.lostChunks(before, first.sequence(), first.arrivalNs()));
    }

    void onChunk(ChunkView chunk, long now) {
        nowNs = now;
        if (resumedFrom != null) {
            countHole(resumedFrom, chunk);
        }
        long beforeUs = dropouts.lastUs();
        window.offer(chunk);
        if (dropouts.lastUs() != beforeUs) {
            timeline.onStream(window.arrivalNs(), dropouts.lastUs(), pace.usPerSecond());
        }
    }

    /** Takes a new fit of the vehicle's clock. */
    void onClockFit(ClockFit fit) {
        timeline.fit(fit);
    }

    /** Whether the log's head is complete, so that it takes local data. */
    boolean takesLocal() {
        return head.isComplete();
    }

    /** Merges local data into this log. */
    LocalMerge local() {
        return local;
    }

    long startedNs() {
        return identity.startedNs();
    }

    /** Gives up on old gaps and writes data that is due; returns whether it did anything. */
    boolean tick(long now) {
        nowNs = now;
        window.expire(now - IDLE_WAIT_NS);
        while (window.isHolding() && now - window.heldSinceNs() >= holdNs) {
            window.expire(window.heldArrivalNs());
        }
        if (dropouts.isHolding() && now - sinceNs >= holdNs) {
            dropouts.giveUpHolding();
        }
        if (dropouts.isHolding()) {
            nextLook.at(sinceNs + holdNs);
        }
        if (window.isHolding()) {
            nextLook.at(window.heldArrivalNs() + IDLE_WAIT_NS);
            nextLook.at(window.heldSinceNs() + holdNs);
        }
        boolean worked = recorderNamed && output.tick(now);
        local.tick(now);
        if (advice.isDue(now)) {
            advice.look(RateAdvice.Counts.of(tally.figures()), FRAME_BYTES, now);
        }
        // After a gap the log's time stays behind until the gap is measured, and would not match the chunk's number.
        if (head.isComplete() && resumedFrom == null && !dropouts.isMeasuring() && pace.isDue(now)) {
            mark(now);
        }
        return worked;
    }

    /** Notes what a later run needs to recognise this stream. Allocates, some times a second. */
    private void mark(long now) {
        int sequence = window.lastSequence();
        pace.mark(sequence, dropouts.lastUs(), now);
        output.mark(identity.chunkMark(sequence, window.arrivalNs(), dropouts.lastUs(), pace));
    }

    boolean isOf(int systemId, int componentId) {
        return identity.systemId() == systemId && identity.componentId() == componentId;
    }

    /** Takes an event of the vehicle. */
    void onEvent(VehicleEvent event, long value, long eventNs) {
        if (event.isUrgent()) {
            output.makeUrgent();
        } else if (event == VehicleEvent.TIME && clock.onVehicleTime(value, eventNs)) {
            onStartKnown();
        }
    }

    /** Takes the time of this computer's clock. */
    void onSystemTime(long epochMs, long now) {
        if (clock.onSystemTime(epochMs, now)) {
            onStartKnown();
        }
    }

    private void onStartKnown() {
        if (output.isOpen() && !output.isTimeOpen()) {
            return;
        }
        output.onStartKnown(nowNs);
        LOG.info(
                "{}: according to {}, the log started at {}",
                name,
                clock.sourceText(),
                Instant.ofEpochMilli(clock.startUtcUs() / 1000));
    }

    /**
     * Ends the log: no more data comes, and the file is finished.
     *
     * @param ringDropped see {@link ChunkView#ringDropped}; 0 if not known
     * @param endNs end of the stream on the link
     */
    void end(SessionEnd reason, int ringDropped, long endNs, long now) {
        nowNs = now;
        window.end(ringDropped, endNs);
        assembler.onEnd();
        dropouts.onEnd();
        local.end(now);
        output.finish();
        memory.close();
        LOG.info("{}: log ended, {}: {}, {}", name, reason.text(), output.filesText(), tally.lossesText());
    }

    RecordingStatus status(long now) {
        String problem = output.lack().isEmpty() ? advice.problem() : output.lack();
        return output.status(identity, tally.figures(), problem, memory, now);
    }

    // Callbacks of the window, in order.

    @Override
    public void onChunk(DirectBuffer data, int offset, int length, int firstMessageOffset) {
        tally.chunk();
        chunkBytes = assembler.partialLength() + length;
        judgeRun();
        assembler.onChunk(data, offset, length, firstMessageOffset);
        run.end();
    }

    @Override
    public void onGap(ReorderWindow.Gap gap) {
        tally.gap(gap);
        assembler.onGap();
        dropouts.onGap(gap.arrivalDifferenceNs());
    }

    @Override
    public void onLateChunk(int length) {
        tally.late();
    }

    // Callbacks of the assembler.

    @Override
    public void onHeader(DirectBuffer buffer, int offset) {
        head.onHeader(buffer, offset);
        timeline.seed(window.arrivalNs(), buffer.getLong(offset + START_TIME_OFFSET, ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public void onMessage(DirectBuffer buffer, int offset, int length) {
        byte type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        if (!recorderNamed && !head.isFlagsOfHeader(buffer, offset, length)) {
            nameRecorder();
        }
        if (type != MessageType.DATA) {
            times.onMessage(buffer, offset, length);
        } else if (!times.isSubscribed(buffer, offset, length)) {
            tally.orphan(length); // several readers refuse a complete file because of one
            return;
        }
        if (!dropouts.isHolding() || window.sinceNs() - sinceNs < 0) {
            sinceNs = window.sinceNs();
        }
        dropouts.onMessage(buffer, offset, length, times.timestampUs(buffer, offset, length));
    }

    @Override
    public void onDiscarded(int bytes) {
        tally.partial(bytes);
    }

    @Override
    public void onContradiction() {
        tally.contradiction();
        dropouts.onGap(0);
    }

    // Callbacks of the dropout marker.

    @Override
    public void onDropout(long durationMs) {
        run.end();
        if (output.isOpen()) {
            output.endDefinitions(nowNs); // many readers take a dropout as their end
            dropoutWriter.write(durationMs, sinceNs);
            tally.dropout(durationMs);
        }
        judgeRun(); // the file is longer now
    }

    @Override
    public void onMeasuredMessage(DirectBuffer buffer, int offset, int length) {
        byte type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        if (type == MessageType.DATA && run.take(buffer, offset, length, sinceNs)) {
            return;
        }
        run.end();
        output.rotateIfDue(length, nowNs);
        if (type == MessageType.SUBSCRIPTION) {
            keepApart(buffer, offset, length);
        }
        if (!LogHead.isDefinition(type)) {
            output.endDefinitions(nowNs);
        }
        boolean kept = head.onMessage(buffer, offset, length);
        // Every file begins with the head, so messages kept there are not lost while there is no file.
        if (output.isOpen() || !kept) {
            output.append(buffer, offset, length, sinceNs);
        }
        if (head.isComplete() != definitionsForced || UrgentText.is(buffer, offset, length)) {
            definitionsForced = head.isComplete();
            output.makeUrgent();
        }
        judgeRun();
    }

    /** Data messages of the current chunk go into one piece if nothing can come between them. */
    private void judgeRun() {
        boolean isPlain = definitionsForced && localPart.isDefined() && !output.isRotationNear(chunkBytes, nowNs);
        run.of(isPlain ? assembler.messages() : null);
    }

    /**
     * Separates a vehicle's subscription from a local one with the same id: in a new file, which assigns the local ids
     * anew, or else by moving the local topic in this file.
     */
    private void keepApart(DirectBuffer buffer, int offset, int length) {
        if (localPart.onVehicleSubscription(buffer, offset, length)) {
            output.beginNextFile(nowNs);
            localPart.giveWay(buffer, offset, length);
        }
    }

    /** Begins the first file: header and flag bits are known. */
    private void nameRecorder() {
        recorderNamed = true;
        output.begin(nowNs, nowNs);
        LOG.info("{}: recording {}", name, output.isOpen() ? output.fileName() : "waits for the disk");
    }

    // Callbacks of the output.

    @Override
    public void onClosed() {
        dropouts.onOutputClosed();
    }

    @Override
    public void onReopened() {
        // Messages before the data section are kept, and at the start of the new file.
        dropouts.onOutputReopened(head.isComplete());
    }
}
