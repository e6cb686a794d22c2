package org.mavlogd.record.blocks;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.figures.RateAdvice;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingIdentity;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.merge.LocalMerge;
import org.mavlogd.recovery.UnfinishedLog;
import org.mavlogd.time.ClockFit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log of an ArduPilot on its way to disk: it puts the blocks in order and passes them to the unchanged file and to
 * the other sinks. Owned by the recorder's thread; taking blocks is on the hot path.
 */
final class BlockRecording implements BlockWindow.Output {
    private static final Logger LOG = LoggerFactory.getLogger(BlockRecording.class);

    // Messages about the event come in a block that is not full yet, or may have to be repeated.
    private static final long URGENT_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(250);

    // Memory for the file and for the numbers of fillers.
    private static final int OWN_BYTES = 16 << 10;

    private final RecordingIdentity identity;
    private final String name;
    private final Tally tally;
    private final StartClock clock;
    // The files that the configuration asks for.
    private final RecordSettings.BlockFiles files;
    // Without it no log could continue after a restart: it exists while the log lasts even if it is not wanted.
    private final BlockFile verbatim;
    private final BlockSink[] sinks;
    private final BlockSink[] others;
    private final RateAdvice advice;
    private final MemoryShare memory;
    private BlockWindow window;
    private long nowNs;
    private String lastFile = "";
    private boolean isResumed;
    private boolean wasArmed;
    private boolean isUnused;
    // Null, except for a moment after an urgent event.
    private @Nullable VehicleEvent urgent;
    private long urgentNs;

    /** Begins a log. */
    static BlockRecording of(RecordingIdentity identity, RecordContext context, RecordCounters totals) {
        RecordSettings.BlockFiles files = context.settings().blocks();
        MemoryShare memory = context.settings().memory().vehicle(identity.systemId());
        List<Supplier<BlockSink>> others = files.isMapped()
                ? List.of(() -> new MappedRecording(identity.begunEarlier(0), context, totals, memory))
                : List.of();
        return new BlockRecording(identity, context, totals, others, memory);
    }

    /**
     * Begins a log.
     *
     * @param others make the other sinks; their exceptions end only the sink
     * @param memory of the log; closed at its end
     */
    BlockRecording(
            RecordingIdentity identity,
            RecordContext context,
            RecordCounters totals,
            List<? extends Supplier<? extends BlockSink>> others,
            MemoryShare memory) {
        memory.take(OWN_BYTES);
        this.memory = memory;
        this.window = new BlockWindow(0, this, memory);
        this.identity = identity;
        this.name = "vehicle " + identity.systemId() + " on " + identity.feed();
        this.tally = new Tally(totals);
        this.clock = new StartClock(identity.startedNs());
        this.nowNs = identity.startedNs();
        clock.onSystemTime(identity.startedEpochMs(), identity.startedNs());
        this.files = context.settings().blocks();
        OptionalInt baud = context.settings().baud(identity.feed());
        this.advice = new RateAdvice(name, RateAdvice.Autopilot.ARDUPILOT, baud, totals.advice);
        this.verbatim = new BlockFile(identity, context.store(), clock, tally, this::isVerbatimNeeded);
        this.others = others.stream()
                .map(other -> new ContainedSink(other, name, totals.mapping))
                .toArray(BlockSink[]::new);
        // The unchanged file comes first, so that it has the data if another sink fails.
        this.sinks =
                Stream.concat(Stream.of(verbatim), Arrays.stream(this.others)).toArray(BlockSink[]::new);
    }

    /**
     * Whether the unchanged file is wanted, or has data that no other file has, such as data that was in memory when an
     * earlier run ended.
     */
    private boolean isVerbatimNeeded() {
        boolean isNeeded = files.isVerbatim() || isResumed || tally.hasPutInPlace();
        for (int i = 0; i < others.length; i++) {
            isNeeded |= !others[i].hasAll();
        }
        return isNeeded && !isUnused;
    }

    /**
     * Whether the log is not wanted. After each flight a vehicle begins a log that contains no flight until the next
     * one.
     */
    private boolean isNoFlight() {
        boolean isSound =
                !isResumed && !tally.hasPutInPlace() && tally.figures().lostChunks() == 0;
        boolean isEmpty = files.isOnlyArmed() && !wasArmed && isSound && others.length > 0;
        for (int i = 0; i < others.length && isEmpty; i++) {
            isEmpty = others[i].hasOnlyStart();
        }
        return isEmpty;
    }

    int session() {
        return identity.session();
    }

    /** Whether it is of that vehicle; any component may send the blocks. */
    boolean isOf(int systemId) {
        return identity.systemId() == systemId;
    }

    /** Continues a log of an earlier run. */
    void resume(UnfinishedLog log, long now) {
        nowNs = now;
        isResumed = true;
        window = BlockWindow.resumed(log.facts().sequence() + 1L, this, memory);
        for (BlockSink sink : sinks) {
            sink.onResume(log, now);
        }
    }

    void onBlock(BlockView block, long now) {
        nowNs = now;
        window.offer(block);
    }

    @Override
    public void onBlock(DirectBuffer data, int offset, long number, long arrivalNs) {
        tally.chunk();
        for (int i = 0; i < sinks.length; i++) {
            sinks[i].onBlock(data, offset, number, arrivalNs);
        }
    }

    @Override
    public void onHole(long firstNumber, long count) {
        tally.hole(count);
        for (BlockSink sink : sinks) {
            sink.onHole(firstNumber, count, nowNs);
        }
    }

    @Override
    public void onLateBlock(DirectBuffer data, int offset, long number) {
        tally.late();
        for (BlockSink sink : sinks) {
            sink.onLateBlock(data, offset, number, nowNs);
        }
    }

    /** Does work that is due; returns whether it did anything. */
    boolean tick(long now) {
        nowNs = now;
        VehicleEvent what = urgent;
        if (what != null && now - urgentNs >= URGENT_AGAIN_NS) {
            urgent = null;
            tell(what, 0, urgentNs);
        }
        if (advice.isDue(now)) {
            advice.look(RateAdvice.Counts.of(tally.figures()), BlockView.DATA_LENGTH, now);
        }
        boolean worked = false;
        for (int i = 0; i < sinks.length; i++) {
            worked |= sinks[i].tick(now);
        }
        return worked;
    }

    /** Takes an event of the vehicle. */
    void onEvent(VehicleEvent event, long value, long eventNs) {
        if (event == VehicleEvent.TIME && clock.onVehicleTime(value, eventNs)) {
            onStartKnown();
        }
        wasArmed |= event == VehicleEvent.ARMED;
        if (event.isUrgent()) {
            urgent = event;
            urgentNs = nowNs;
        }
        tell(event, value, eventNs);
    }

    private void tell(VehicleEvent event, long value, long eventNs) {
        for (BlockSink sink : sinks) {
            sink.onEvent(event, value, eventNs);
        }
    }

    /** Takes a new fit of the vehicle's clock. */
    void onClockFit(ClockFit fit) {
        for (BlockSink sink : sinks) {
            sink.onClockFit(fit);
        }
    }

    /** Adds the sink that takes local data; returns whether another one is about to take them. */
    boolean addLocal(List<LocalMerge> logs, long patienceEndNs) {
        boolean begins = false;
        for (int i = 0; i < others.length; i++) {
            LocalMerge local = others[i].takesLocal() ? others[i].local() : null;
            if (local != null) {
                logs.add(local);
            } else {
                begins |= others[i].isBeginning() && identity.startedNs() - patienceEndNs > 0;
            }
        }
        return begins;
    }

    /** Takes the time of this computer's clock. */
    void onSystemTime(long epochMs, long now) {
        if (clock.onSystemTime(epochMs, now)) {
            onStartKnown();
        }
        for (BlockSink sink : sinks) {
            sink.onSystemTime(epochMs, now);
        }
    }

    private void onStartKnown() {
        verbatim.onClock();
        LOG.info(
                "{}: according to {}, the log started at {}",
                name,
                clock.sourceText(),
                Instant.ofEpochMilli(clock.startUtcUs() / 1000));
    }

    /** Ends the log: blocks that are missing now will not come. */
    void end(SessionEnd reason, long now) {
        nowNs = now;
        window.flush();
        isUnused = isNoFlight();
        for (BlockSink other : others) {
            if (isUnused) {
                other.onUnused(now);
            } else {
                other.onEnd(reason, now);
            }
        }
        lastFile = isVerbatimNeeded() ? verbatim.lastName() : "";
        verbatim.onEnd(reason, now);
        memory.close();
        RecordingStatus.Figures figures = tally.figures();
        LOG.info(
                "{}: log ended, {}: {}, {} blocks, {} lost",
                name,
                reason.text(),
                isUnused
                        ? "no flight and only the start of a log: not kept"
                        : lastFile.isEmpty() ? "no .bin" : tally.filesText(lastFile),
                figures.chunks(),
                figures.lostChunks());
    }

    void addStatuses(List<RecordingStatus> statuses, long now) {
        if (isVerbatimNeeded()) {
            statuses.add(status(verbatim, now));
        }
        for (BlockSink other : others) {
            other.addStatus(statuses, now);
        }
    }

    private RecordingStatus status(BlockFile file, long now) {
        RecordingStatus.Written written = file.written(advice.problem(), now);
        long utcMs = clock.isKnown() ? clock.epochMs(identity.startedNs()) : identity.startedEpochMs();
        return identity.status(written, utcMs, tally.figures(), memory.wasRefused(), now);
    }
}
