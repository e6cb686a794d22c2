package org.mavlogd.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
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
import org.mavlogd.store.LogName;
import org.mavlogd.store.StreamMark;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.ULogLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that contains only this computer's data. Its time is this computer's time since boot: the microseconds of the
 * monotonic clock. Directory, rotation and failures of the disk are handled as for a vehicle's log. Owned by the
 * recorder's thread.
 */
final class CompanionLog implements LogOutput.Listener {
    static final String FEED = "local";

    private static final Logger LOG = LoggerFactory.getLogger(CompanionLog.class);
    private static final long SYNC_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MARK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NS_PER_US = 1000;
    private static final int SCRATCH_BYTES = 1024;
    // The dropout messages that fit into the buffer: more than an hour.
    private static final long MAX_DROPOUT_MS =
            (long) SCRATCH_BYTES / MessageEncoder.DROPOUT_LENGTH * ULogLayout.MAX_DROPOUT_MS;

    private final MemoryShare memory;
    private final RecordingIdentity identity;
    private final Tally tally;
    private final StartClock clock;
    private final OwnInfos own;
    private final LogOutput output;
    private final LocalMerge local;
    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer scratchView = new UnsafeBuffer(scratch);
    private long nowNs;
    private long lastSyncNs;
    private long lastMarkNs;
    private long closedNs;
    private boolean isClosed;

    CompanionLog(RecordContext context, RecordCounters totals, long nowNs, long epochMs) {
        RecordSettings settings = context.settings();
        this.nowNs = nowNs;
        this.identity = new RecordingIdentity(FEED, 0, LogName.NO_SYSTEM, 0, nowNs, epochMs);
        this.lastSyncNs = nowNs;
        this.tally = new Tally(totals);
        this.clock = new StartClock(nowNs);
        clock.onSystemTime(epochMs, nowNs);
        this.own = new OwnInfos(settings.recorder(), settings.infos());
        this.memory = settings.memory().share(Requester.LOCAL_SOURCE);
        LocalPart part = new LocalPart(context.localFeeds(), settings.merge().prefix(), memory);
        FileHead head = new FileHead(head(settings, nowNs, epochMs), own, clock, part);
        this.output = new LogOutput(context.store(), LogName.NO_SYSTEM, identity.log(), head, tally, this);
        // NEW_FILE in any case: nothing else would ever begin a new file for a topic that appears.
        this.local = new LocalMerge(
                part,
                output,
                timeNs -> timeNs / NS_PER_US,
                RecordSettings.Merge.NewTopics.NEW_FILE,
                memory,
                settings.cbufTag());
    }

    /** Header, flag bits and infos, as a vehicle would send them. */
    private LogHead head(RecordSettings settings, long startNs, long epochMs) {
        LogHead head = new LogHead(memory);
        scratch.clear();
        MessageEncoder.header(scratch, startNs / NS_PER_US);
        head.onHeader(scratchView, 0);
        scratch.clear();
        MessageEncoder.flagBits(scratch, 0);
        keep(head);
        MessageEncoder.infoText(scratch, "sys_name", "companion");
        keep(head);
        MessageEncoder.infoText(scratch, "ver_sw", settings.recorder());
        keep(head);
        int zoneS = settings.standalone()
                .zone()
                .getRules()
                .getOffset(Instant.ofEpochMilli(epochMs))
                .getTotalSeconds();
        MessageEncoder.infoInt32(scratch, "time_ref_utc", zoneS);
        keep(head);
        MessageEncoder.sync(scratch); // ends the definitions; not kept itself
        keep(head);
        return head;
    }

    private void keep(LogHead head) {
        head.onMessage(scratchView, 0, scratch.position());
        scratch.clear();
    }

    void begin() {
        output.begin(nowNs, nowNs);
        LOG.info(
                "no vehicle's log is being recorded: recording {}",
                output.isOpen() ? output.fileName() : "waits for the disk");
    }

    LocalMerge local() {
        return local;
    }

    /** Writes data that is due. */
    void tick(long now) {
        nowNs = now;
        output.tick(now);
        local.tick(now);
        if (now - lastSyncNs >= SYNC_NS && local.takeWritten()) {
            lastSyncNs = now;
            scratch.clear();
            MessageEncoder.sync(scratch);
            output.appendLocal(scratchView, scratch.position());
        }
        if (now - lastMarkNs >= MARK_NS) {
            lastMarkNs = now;
            mark(now);
        }
    }

    /**
     * Notes to which log crash data of this run would belong; no later run continues this log. Allocates, some times a
     * second.
     */
    private void mark(long now) {
        output.mark(
                new StreamMark.Stream(FEED, LogName.NO_SYSTEM, 0, 0, now, now / NS_PER_US, 0, 0, StreamMark.Fate.ENDS));
    }

    /** Takes the time of this computer's clock. */
    void onSystemTime(long epochMs, long now) {
        if (clock.onSystemTime(epochMs, now)) {
            onStartKnown();
        }
    }

    /** Takes the time of a vehicle's clock. */
    void onVehicleTime(long utcUs, long thenNs) {
        if (clock.onVehicleTime(utcUs, thenNs)) {
            onStartKnown();
        }
    }

    private void onStartKnown() {
        output.onClock();
        if (output.isOpen()) {
            own.encodeStart(clock);
            output.appendLocal(own.buffer(), own.length());
        }
    }

    void end(long now, String why) {
        nowNs = now;
        local.end(now);
        output.finish();
        memory.close();
        LOG.info("log of this computer ended, {}: {}", why, output.filesText());
    }

    RecordingStatus status(long now) {
        return output.status(identity, tally.figures(), "", memory, now);
    }

    @Override
    public void onClosed() {
        if (!isClosed) {
            isClosed = true;
            closedNs = nowNs;
        }
    }

    /** All data of this log comes from this computer, so the dropout is as long as the log had no file. */
    @Override
    public void onReopened() {
        isClosed = false;
        long missingMs = TimeUnit.NANOSECONDS.toMillis(nowNs - closedNs);
        scratch.clear();
        MessageEncoder.dropouts(scratch, Math.max(1, Math.min(missingMs, MAX_DROPOUT_MS)));
        output.appendLocal(scratchView, scratch.position());
        tally.dropout(missingMs);
    }
}
