package org.mavlogd.whole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.recovery.HostClock;
import org.mavlogd.recovery.LogRecovery;
import org.mavlogd.recovery.RecoveryCounters;
import org.mavlogd.recovery.Restart;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.HeardFrames;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.LinkFeeds;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleLogs;

/**
 * The complete path of the data of one link, in one thread and with a clock that only the test moves: real decoder,
 * conversation, ring, recorder and keeper between a peer and a disk that the test simulates.
 */
public final class WholeRecorder {
    public static final int OWN_COMPONENT = 191;
    public static final int BATCH_BYTES = 64 << 10;
    public static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    public static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long STEP_NS = 20 * MILLISECOND_NS;
    private static final long WALL_CLOCK_EPOCH_MS = 1_790_000_000_000L;

    /** Takes the frames that the recorder sends. */
    public interface Uplink {
        void onFrame(byte[] frame, int offset, int length);
    }

    /** What the recorder calls besides recording. */
    record Surroundings(
            CardFetch.VehicleCardLogs cardLogs, CrashReport.Source crashes, Keeper.FinishedListener finished) {
        static final Surroundings QUIET =
                new Surroundings(CardFetch.VehicleCardLogs.NONE, CrashReport.Source.NONE, (name, bytes) -> {});
    }

    /** The settings of a test. */
    public record Setup(
            ConversationSettings.Mode mode,
            long leadOutNs,
            boolean datagrams,
            int ringBytes,
            FakeDisk disk,
            StoreSettings.RotationPolicy rotation,
            RecordSettings.BlockFiles blocks,
            Surroundings around) {
        Setup(
                ConversationSettings.Mode mode,
                long leadOutNs,
                boolean datagrams,
                int ringBytes,
                FakeDisk disk,
                StoreSettings.RotationPolicy rotation,
                RecordSettings.BlockFiles blocks) {
            this(mode, leadOutNs, datagrams, ringBytes, disk, rotation, blocks, Surroundings.QUIET);
        }

        /** Call this last: the other methods reset it. */
        Setup amid(Surroundings newAround) {
            return new Setup(mode, leadOutNs, datagrams, ringBytes, disk, rotation, blocks, newAround);
        }

        public Setup(ConversationSettings.Mode mode, long leadOutNs, boolean datagrams, int ringBytes, FakeDisk disk) {
            this(
                    mode,
                    leadOutNs,
                    datagrams,
                    ringBytes,
                    disk,
                    StoreSettings.RotationPolicy.NEVER,
                    RecordSettings.BlockFiles.BOTH);
        }

        public static Setup plain() {
            return new Setup(ConversationSettings.Mode.ALWAYS, 0, true, 1 << 20, new FakeDisk());
        }

        public Setup asStream() {
            return new Setup(mode, leadOutNs, false, ringBytes, disk, rotation, blocks);
        }

        public Setup armed(long newLeadOutNs) {
            return new Setup(
                    ConversationSettings.Mode.ARMED, newLeadOutNs, datagrams, ringBytes, disk, rotation, blocks);
        }

        public Setup withRing(int bytes) {
            return new Setup(mode, leadOutNs, datagrams, bytes, disk, rotation, blocks);
        }

        public Setup making(RecordSettings.BlockFiles newBlocks) {
            return new Setup(mode, leadOutNs, datagrams, ringBytes, disk, rotation, newBlocks);
        }

        public Setup on(FakeDisk newDisk) {
            return new Setup(mode, leadOutNs, datagrams, ringBytes, newDisk, rotation, blocks);
        }

        public Setup rotating(StoreSettings.RotationPolicy newRotation) {
            return new Setup(mode, leadOutNs, datagrams, ringBytes, disk, newRotation, blocks);
        }
    }

    private final FakeDisk disk;
    private final Metrics metrics = new Metrics(() -> this.nowNs);
    private final LinkConversations conversations;
    private final Recorder recorder;
    private final Keeper keeper;
    private final Peer peer;
    private final LocalFeed companion = new LocalFeed("companion", 1 << 20);
    private final LocalPublisher companionPublisher = companion.publisher();
    private LongConsumer eachStep = now -> {};
    private long nowNs;
    private long nextStepNs;
    private boolean connected;
    private boolean recorderStalls;

    public WholeRecorder(Setup setup, Uplink uplink) {
        this(setup, uplink, 77 * SECOND_NS);
    }

    /** A recorder that starts at this time; the disk may have logs of a killed one. */
    WholeRecorder(Setup setup, Uplink uplink, long startNs) {
        nowNs = startNs;
        nextStepNs = startNs;
        disk = setup.disk();
        StoreSettings store = new StoreSettings(BATCH_BYTES, StoreSettings.Durability.ofMs(500), setup.rotation());
        Disk seen = disk.seen();
        HostClock clock =
                new HostClock(() -> nowNs, () -> WALL_CLOCK_EPOCH_MS + nowNs / MILLISECOND_NS, "this boot", 4711);
        ResumableLogs resumable = new ResumableLogs();
        keeper = new Keeper(
                seen,
                clock.monotonic(),
                setup.around().finished(),
                SpaceLimits.NONE,
                StoreCounters.register(metrics),
                LogRecovery.of(
                        seen,
                        new Restart(
                                clock,
                                resumable,
                                new MemoryBudget(32 << 20),
                                setup.around().crashes()),
                        RecoveryCounters.register(metrics)));
        Feed feed = new Feed("test", setup.ringBytes());
        conversations = new LinkConversations(
                new LinkFeeds("test", feed.publisher(), LinkFeeds.ClockListener.NONE),
                new ConversationSettings(
                        ConversationSettings.EVERY_VEHICLE,
                        OWN_COMPONENT,
                        setup.mode(),
                        setup.leadOutNs(),
                        5 * SECOND_NS,
                        ConversationSettings.Timesync.OFF),
                new VehicleLogs(
                        new VehicleClaims(),
                        resumable::ticket,
                        CardFetch.factory(
                                setup.around().cardLogs(), OWN_COMPONENT, metrics.part("fetch.test", Recovery.PAUSES))),
                Signing.LinkParts.OFF,
                HeardFrames.NONE,
                metrics);
        LogStore logs = new LogStore(seen, clock.wall(), store, keeper);
        recorder = new Recorder(
                () -> nowNs,
                () -> WALL_CLOCK_EPOCH_MS + nowNs / MILLISECOND_NS,
                logs,
                metrics,
                new RecordSettings(
                        "test", Map.of(), RecordSettings.Merge.DEFAULT, RecordSettings.Standalone.OFF, setup.blocks()),
                new Recorder.Feeds(List.of(feed), List.of(companion), List.of(), resumable));
        peer = new Peer() {
            @Override
            public String address() {
                return "test";
            }

            @Override
            public boolean isDatagram() {
                return setup.datagrams();
            }

            @Override
            public void send(byte[] buffer, int offset, int length) {
                uplink.onFrame(buffer, offset, length);
            }
        };
    }

    public long nowNs() {
        return nowNs;
    }

    /** Publishes data of the companion computer. */
    public LocalPublisher companion() {
        return companionPublisher;
    }

    /** Sets an action for each step of the clock. */
    public void eachStep(LongConsumer action) {
        eachStep = action;
    }

    FakeDisk disk() {
        return disk;
    }

    /** Moves the clock; everything due in between is done at its time. */
    public void advanceTo(long timeNs) {
        if (!connected) {
            connected = true;
            conversations.onPeerUp(peer, nowNs);
        }
        while (nextStepNs - timeNs <= 0) {
            nowNs = nextStepNs;
            nextStepNs += STEP_NS;
            conversations.onTick(nowNs);
            eachStep.accept(nowNs);
            work();
        }
        nowNs = timeNs;
    }

    /** While stalled, the recorder's thread does nothing, as with a disk that hangs. */
    public void stallRecorder(boolean stalls) {
        recorderStalls = stalls;
    }

    private void work() {
        if (!recorderStalls) {
            recorder.doWork();
            keeper.doWork();
        }
    }

    public void receive(byte[] bytes, int offset, int length) {
        conversations.onBytes(peer, bytes, offset, length, nowNs);
    }

    /** Starts to shut down as after SIGTERM. */
    public void shutDown() {
        conversations.shutDown();
    }

    public boolean isAtRest() {
        return conversations.isAtRest();
    }

    public String state() {
        return conversations.statuses().stream()
                .map(vehicle -> vehicle.state() + (vehicle.detail().isEmpty() ? "" : ": " + vehicle.detail()))
                .collect(Collectors.joining(", "));
    }

    public List<RecordingStatus> recordings() {
        return recorder.statuses();
    }

    /** Finishes everything, as the last work of the program. */
    public void close() {
        recorderStalls = false;
        recorder.onClose();
        keeper.onClose();
    }

    /** Errors contained in one part. */
    long errors(String part) {
        return metrics.containment().statuses().stream()
                .filter(status -> status.part().equals(part))
                .mapToLong(ContainedPart.Status::errors)
                .sum();
    }

    /** Chunks counted as lost for one cause: link, vehicle or ring. */
    public double lostChunks(String cause) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_record_lost_chunks_total") && line.contains('"' + cause + '"'))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The value of a counter as Prometheus reads it, summed over all feeds and causes. */
    public double metric(String name) {
        double sum = 0;
        for (String line : metrics.scrape().lines().toList()) {
            if (line.startsWith("mavlogd_" + name + "_total")) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ')));
            }
        }
        return sum;
    }

    /** All log files in the order in which they started, each cut into messages. */
    public List<LogContent> logs() {
        List<LogContent> logs = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : disk.contents().entrySet()) {
            if (file.getKey().startsWith(".")) {
                continue; // a note of a log that the disk failed to delete: the next start deletes it
            }
            if (!file.getKey().endsWith(".ulg")) {
                throw new AssertionError("unfinished: " + file.getKey());
            }
            logs.add(LogContent.of(file.getKey(), file.getValue()));
        }
        return logs;
    }
}
