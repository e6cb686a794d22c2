package org.mavlogd.record.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.figures.RateAdvice;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.FileHead;
import org.mavlogd.record.files.LogOutput;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.record.order.StreamPace;
import org.mavlogd.record.order.VehicleTimeline;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.store.StreamMark;
import org.mavlogd.time.ClockFit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live ULog of one log of blocks: an ArduPilot's log, mapped to topics while it arrives, with this computer's data
 * on the same time axis.
 *
 * <p>Files, rotation, disk failures and local data are as with a PX4's log ({@link LogOutput}, {@link LocalMerge}). The
 * first file begins when the log's definitions have come ({@link LogStart}). Every file can be read alone; a later run
 * begins a new one. Owned by the recorder's thread; taking blocks is on the hot path. Without memory in the budget the
 * log lacks topics, and the unchanged file is kept.
 */
public final class MappedRecording implements BlockSink, LogOutput.Listener {
    // Fixed memory of the output, the decoders and the mapper.
    private static final int OWN_BYTES = 48 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(MappedRecording.class);
    private static final long US_PER_MS = 1000;

    private final RecordingIdentity identity;
    private final String name;
    private final ZoneId zone;
    private final boolean isOnly;
    private final Tally tally;
    private final StartClock clock;
    private final LogOutput output;
    private final MappedMessages messages;
    private final MappedDamage damage;
    private final LocalMerge local;
    private final LogHead head;
    private final MemoryShare memory;
    private final VehicleTimeline timeline = new VehicleTimeline();
    private final RateAdvice advice;
    private final StreamPace pace = new StreamPace();
    private final LogStart.UnreadPast past = new LogStart.UnreadPast();
    private final byte[] block = new byte[BlockView.DATA_LENGTH];

    // Null once the log has begun, or has ended.
    private @Nullable LogStart begin;
    // Null before the log has begun, and after its end.
    private @Nullable ULogMapper mapper;
    private long nowNs;
    private long lastArrivalNs;
    private long lastNumber;
    private long blocks;
    private long lost;
    private boolean isMapped;
    private long unmapped;
    private boolean isClosed;
    private long closedUs;

    /** @param memory of the log; closed by its owner when the log has ended */
    public MappedRecording(
            RecordingIdentity identity, RecordContext context, RecordCounters totals, MemoryShare memory) {
        memory.take(OWN_BYTES);
        this.memory = memory;
        this.head = new LogHead(memory);
        this.begin = new LogStart(memory);
        RecordSettings settings = context.settings();
        this.identity = identity;
        this.name = "vehicle " + identity.systemId() + " on " + identity.feed();
        this.isOnly = !settings.blocks().isVerbatim();
        this.zone = settings.standalone().zone();
        this.nowNs = identity.startedNs();
        this.tally = new Tally(totals);
        this.damage = new MappedDamage(name, tally);
        this.advice =
                new RateAdvice(name, RateAdvice.Autopilot.ARDUPILOT, settings.baud(identity.feed()), totals.advice);
        this.clock = new StartClock(identity.startedNs());
        clock.onSystemTime(identity.startedEpochMs(), identity.startedNs());
        OwnInfos own = new OwnInfos(settings.recorder(), settings.infos());
        LocalPart part = new LocalPart(context.localFeeds(), settings.merge().prefix(), memory);
        FileHead fileHead = new FileHead(head, own, clock, part);
        this.output = new LogOutput(context.store(), identity.systemId(), identity.log(), fileHead, tally, this);
        this.messages = new MappedMessages(head, output, part, tally, memory, context.message());
        this.local = new LocalMerge(part, output, timeline, settings.merge().newTopics(), memory, settings.cbufTag());
    }

    /** The definitions of the log are in the files of the earlier run. */
    @Override
    public void onResume(UnfinishedLog log, long now) {
        nowNs = now;
        LogStart its = begin;
        if (its != null) {
            its.resume(log);
        }
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        blocks++;
        lastNumber = number;
        lastArrivalNs = arrivalNs;
        data.getBytes(offset, block, 0, BlockView.DATA_LENGTH);
        take(block, arrivalNs);
    }

    @Override
    public void onHole(long firstNumber, long count, long now) {
        nowNs = now;
        lost += count;
        damage.onHole(firstNumber, count);
        take(MappedDamage.HOLE, now);
    }

    /** Hot path. */
    private void take(byte[] bytes, long arrivalNs) {
        try {
            LogStart its = begin;
            if (its != null && its.add(bytes, bytes.length, arrivalNs)) {
                if (its.isComplete(arrivalNs)) {
                    beginLog(its, arrivalNs);
                }
                return;
            }
            if (its != null) {
                beginLog(its, arrivalNs);
            }
            ULogMapper current = mapper;
            if (current != null) {
                map(current, bytes, arrivalNs);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read or written here
        }
    }

    private void map(ULogMapper current, byte[] bytes, long arrivalNs) throws IOException {
        long beforeUs = messages.youngestUs();
        messages.at(arrivalNs, nowNs);
        current.feed(bytes, 0, bytes.length);
        onTime(beforeUs, arrivalNs);
    }

    private void onTime(long beforeUs, long arrivalNs) {
        if (messages.youngestUs() != beforeUs) {
            timeline.onStream(arrivalNs, messages.youngestUs(), pace.usPerSecond());
        }
    }

    private void beginLog(LogStart its, long arrivalNs) throws IOException {
        begin = null;
        isMapped = !its.isForgotten();
        past.await(its.unread());
        ULogMapper next = its.mapper(messages);
        next.reportFlaws(damage);
        mapper = next;
        messages.at(arrivalNs, nowNs);
        timeline.seed(arrivalNs, its.startUs());
        int zoneS = zone.getRules()
                .getOffset(Instant.ofEpochMilli(identity.startedEpochMs()))
                .getTotalSeconds();
        messages.beginHead(its.startUs(), zoneS);
        next.begin();
        output.begin(identity.startedNs(), nowNs);
        messages.endHead();
        LOG.info("{}: recording {}", name, output.isOpen() ? output.fileName() : "a ULog waits for the disk");
        long beforeUs = messages.youngestUs();
        its.moveTo(next);
        onTime(beforeUs, arrivalNs);
    }

    private boolean beginIfComplete(long now) {
        LogStart its = begin;
        try {
            if (its == null || !its.isComplete(now)) {
                return false;
            }
            beginLog(its, now);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read or written here
        }
    }

    private void catchUp(ULogMapper current) {
        HeadCollector read = past.take();
        try {
            if (read != null) {
                messages.at(nowNs, nowNs);
                current.catchUp(read.head());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read or written here
        }
    }

    @Override
    public boolean tick(long now) {
        nowNs = now;
        if (beginIfComplete(now)) {
            return true;
        }
        if (mapper == null) {
            return false;
        }
        boolean worked = output.tick(now);
        catchUp(mapper);
        messages.tick(now);
        local.tick(now);
        if (advice.isDue(now)) {
            advice.lookAtBlocks(mapper.counts().records(), blocks, lost, tally.droppedMessages(), now);
        }
        if (head.isComplete() && pace.isDue(now)) {
            mark(now);
        }
        return worked;
    }

    /** Notes to which log crash data of this run would belong; no later run continues this log. Allocates. */
    private void mark(long now) {
        pace.mark((int) lastNumber, messages.youngestUs(), now);
        output.mark(identity.blockMark(lastNumber, lastArrivalNs, messages.youngestUs(), StreamMark.Fate.ENDS));
    }

    /** Whether every received record is in a file, or about to be written. */
    @Override
    public boolean hasAll() {
        ULogMapper current = mapper;
        long missing = current == null ? unmapped : current.counts().unmapped();
        return isMapped && output.lack().isEmpty() && missing == 0 && !damage.hasLost() && tally.lostBytes() == 0;
    }

    /** Called at the end, because the last record is complete only then. */
    @Override
    public boolean hasOnlyStart() {
        LogStart its = begin;
        ULogMapper current = mapper;
        try {
            if (current != null) {
                current.finish();
                return isMapped && output.part() == 1 && !current.hasMoreThanStart();
            }
            return its != null && its.hasOnlyStart();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read or written here
        }
    }

    @Override
    public void onUnused(long now) {
        letGo(output::discard, now);
    }

    @Override
    public void onEvent(VehicleEvent event, long value, long eventNs) {
        if (event.isUrgent()) {
            output.makeUrgent();
        } else if (event == VehicleEvent.TIME && clock.onVehicleTime(value, eventNs)) {
            output.onStartKnown(nowNs);
        }
    }

    @Override
    public void onSystemTime(long epochMs, long now) {
        if (clock.onSystemTime(epochMs, now)) {
            output.onStartKnown(nowNs);
        }
    }

    @Override
    public void onClockFit(ClockFit fit) {
        timeline.fit(fit);
    }

    @Override
    public boolean takesLocal() {
        return mapper != null && head.isComplete();
    }

    @Override
    public boolean isBeginning() {
        return begin != null || (mapper != null && !head.isComplete());
    }

    @Override
    public LocalMerge local() {
        return local;
    }

    @Override
    public void onEnd(SessionEnd reason, long now) {
        nowNs = now;
        try {
            LogStart its = begin;
            if (its != null && its.hasData()) {
                beginLog(its, now); // although it is short
            }
            begin = null;
            ULogMapper last = mapper;
            if (last == null) {
                return;
            }
            last.finish();
            messages.end(now);
            mapper = null;
            unmapped = last.counts().unmapped();
            finish(output::finish);
            tell(reason, last);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read or written here
        }
    }

    private void finish(Runnable last) {
        past.drop();
        local.end(nowNs);
        last.run();
    }

    private void tell(SessionEnd reason, ULogMapper last) {
        RecordingStatus.Figures figures = tally.figures();
        LOG.info(
                "{}: ULog ended, {}: {}, {} messages of the vehicle, {} of no known format, {} bytes in no intact"
                        + " record, {} dropouts of {} ms",
                name,
                reason.text(),
                output.filesText(),
                last.counts().records(),
                last.counts().undeclared(),
                damage.count(),
                figures.dropouts(),
                figures.dropoutMs());
    }

    /** The data in the file stays readable. */
    @Override
    public void abandon(long now) {
        letGo(output::finish, now);
    }

    private void letGo(Runnable last, long now) {
        nowNs = now;
        begin = null;
        if (mapper != null) {
            mapper = null;
            finish(last);
        }
    }

    @Override
    public void addStatus(List<RecordingStatus> statuses, long now) {
        if (mapper == null) {
            return;
        }
        RecordingStatus.Figures figures = isOnly ? tally.figures().withChunks(blocks, lost) : tally.figures();
        statuses.add(output.status(identity, figures, advice.problem(), memory, now));
    }

    @Override
    public void onClosed() {
        if (!isClosed) {
            isClosed = true;
            closedUs = messages.youngestUs();
        }
    }

    /** Messages before the data section are kept, and at the start of the new file. */
    @Override
    public void onReopened() {
        isClosed = false;
        if (head.isComplete()) {
            messages.dropout(Math.max(0, messages.youngestUs() - closedUs) / US_PER_MS);
        }
    }
}
