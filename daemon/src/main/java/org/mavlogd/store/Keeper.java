package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Durations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of the thread that forces, finishes and deletes files: it forces files being written when the recorder asks
 * for it, and forces, closes and renames those that the recorder has released. A slow disk holds up only this thread.
 *
 * <p>Renaming, retention and the work on files of {@linkplain OtherRuns other runs} are parts: their errors are
 * contained. An error in forcing or closing a file ends the process, because data would not become durable any more.
 *
 * <p>One thread calls {@link #doWork}; {@link #watch} and {@link #finish} are its mailbox and may be called by any
 * thread. A thread that has work for it unparks it, so it must idle by parking.
 */
public final class Keeper implements Agent {
    /**
     * The disk as the keeper last saw it.
     *
     * @param measurement number of the measurement, from 1; 0 before the first
     * @param usableBytes {@link Long#MAX_VALUE} if not known
     * @param hasRoom whether there is room for recording
     * @param crowding new vehicles that have no room, because old logs would have to be deleted for them
     * @param problem a problem that the user must solve; empty if there is none
     */
    public record SpaceStatus(
            long measurement,
            long usableBytes,
            State state,
            boolean hasRoom,
            Set<Integer> crowding,
            String problem,
            long pauses) {
        /** The state of the disk. */
        public enum State {
            OK,
            /** Old logs are being deleted to make room. */
            DELETING,
            /** There is no room, and nothing left to delete: recording is paused. */
            PAUSED,
            /** An operation failed, and is tried again. */
            FAILING
        }

        static final SpaceStatus UNKNOWN = new SpaceStatus(0, Long.MAX_VALUE, State.OK, true, Set.of(), "", 0);

        public SpaceStatus {
            crowding = Set.copyOf(crowding);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    // Files that are being written are forced in time whatever else there is to do.
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Disk disk;
    private final NanoClock clock;
    private final FinishedListener listener;
    private final OtherRuns otherRuns;
    private final ManyToOneConcurrentLinkedQueue<Command> mailbox = new ManyToOneConcurrentLinkedQueue<>();
    private final List<LogFile> growing = new ArrayList<>();
    private final SpaceKeeper space;
    private final NameChanges names;
    private final StoreCounters counters;
    private final Counter progress = new Counter();
    // Null until it runs, and in tests that call the keeper themselves.
    private volatile @Nullable Thread thread;
    private boolean namesUnforced;

    /** Is informed about each file that got its final name, on the keeper's thread. */
    @FunctionalInterface
    public interface FinishedListener {
        void onFinished(String name, long bytes);
    }

    private sealed interface Command {
        record Watch(LogFile file) implements Command {}

        record Finish(LogFile file, boolean isFailureKnown) implements Command {}

        record Discard(LogFile file) implements Command {}

        record Leave(LogFile file, boolean isFailureKnown) implements Command {}

        record LeaveDeletable(LogFile file, boolean isFailureKnown) implements Command {}
    }

    /** A keeper that deletes nothing. */
    public Keeper(Disk disk, NanoClock clock, FinishedListener listener) {
        this(disk, clock, listener, SpaceLimits.NONE, StoreCounters.unregistered());
    }

    /** A keeper that enforces limits, and leaves unfinished files of earlier runs alone. */
    public Keeper(Disk disk, NanoClock clock, FinishedListener listener, SpaceLimits limits, StoreCounters counters) {
        this(disk, clock, listener, limits, counters, (names, finished) -> OtherRuns.NONE);
    }

    /** A keeper that also handles files of earlier and later runs. */
    public Keeper(
            Disk disk,
            NanoClock clock,
            FinishedListener listener,
            SpaceLimits limits,
            StoreCounters counters,
            OtherRuns.Factory otherRuns) {
        this.space = new SpaceKeeper(disk, limits, counters, clock);
        this.names = new NameChanges(disk, counters);
        this.counters = counters;
        this.disk = disk;
        this.clock = clock;
        this.listener = listener;
        this.otherRuns = otherRuns.create(names, this::onFinished);
    }

    /** Whether new files may be created: the files of earlier runs are known. Any thread. */
    boolean isReady() {
        return otherRuns.isListed();
    }

    /** The highest counter of a file that existed at the start. Any thread. */
    long highestCounter() {
        return otherRuns.highestCounter();
    }

    void watch(LogFile file) {
        mailbox.add(new Command.Watch(file));
        wake();
    }

    /** @param isFailureKnown whether the recorder knows that the file failed: the keeper reports what happens later */
    void finish(LogFile file, boolean isFailureKnown) {
        mailbox.add(new Command.Finish(file, isFailureKnown));
        wake();
    }

    /** Wakes the thread, because there is work. Costs nothing while the thread is busy. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** The durations of forces. Any thread. */
    Durations forces() {
        return counters.forces;
    }

    @Override
    public void onStart() {
        thread = Thread.currentThread();
    }

    /** Closes a file without useful data and deletes it. */
    void discard(LogFile file) {
        mailbox.add(new Command.Discard(file));
        wake();
    }

    /** Finishes a file, and leaves its note for the next run. */
    void leave(LogFile file, boolean isFailureKnown) {
        mailbox.add(new Command.Leave(file, isFailureKnown));
        wake();
    }

    /**
     * Leaves a file that only the next run needs, which deletes it if its stream does not continue: it is never
     * finished.
     */
    void leaveDeletable(LogFile file, boolean isFailureKnown) {
        mailbox.add(new Command.LeaveDeletable(file, isFailureKnown));
        wake();
    }

    /** The last measurement of the disk. Any thread. */
    public SpaceStatus spaceStatus() {
        return space.status();
    }

    /** A recording waits for room. Recorder's thread. */
    void waitForRoom() {
        space.waitForRoom();
    }

    long nowNs() {
        return clock.nanoTime();
    }

    /** A value that changes with each piece of work: while it does not change, no data becomes durable. Any thread. */
    public long progress() {
        return progress.get();
    }

    /** Does one round; after {@link #ROUND_NS} the rest waits for the next one. */
    @Override
    public int doWork() {
        long beginNs = clock.nanoTime();
        int work = takeCommands(beginNs);
        work += forceWanted(beginNs);
        long nowNs = clock.nanoTime();
        work += otherRuns.work(nowNs) ? 1 : 0;
        progress.increment();
        work += names.work(nowNs);
        progress.increment();
        return work + (workSpace(nowNs) ? 1 : 0);
    }

    // Called in each round: not a lambda, so that nothing is allocated.
    private boolean workSpace(long nowNs) {
        if (!counters.retention.mayRun()) {
            return false;
        }
        try {
            return space.work(nowNs, growing);
        } catch (Throwable e) {
            counters.retention.contain(e);
            return false;
        }
    }

    private boolean isRoundOver(long beginNs) {
        progress.increment();
        return clock.nanoTime() - beginNs >= ROUND_NS;
    }

    private int takeCommands(long beginNs) {
        int taken = 0;
        for (Command command = mailbox.poll(); command != null; command = mailbox.poll()) {
            execute(command);
            forceMostAtRisk(); // many files that begin or end at once must not hold up one being written
            taken++;
            if (isRoundOver(beginNs)) {
                break;
            }
        }
        return taken;
    }

    /** Does all work in the mailbox; files being written stay as they are. */
    @Override
    public void onClose() {
        do {
            doWork();
        } while (!mailbox.isEmpty());
        otherRuns.close();
        names.onClose(clock.nanoTime());
    }

    @Override
    public String roleName() {
        return "keeper";
    }

    private void execute(Command command) {
        if (command instanceof Command.Watch watch) {
            growing.add(watch.file());
            watch.file().watched(clock.nanoTime());
            forceNames();
            otherRuns.watch(watch.file());
        } else if (command instanceof Command.Finish finish) {
            growing.remove(finish.file());
            finishNow(finish.file(), finish.isFailureKnown());
        } else if (command instanceof Command.Discard discard) {
            growing.remove(discard.file());
            discardNow(discard.file());
        } else if (command instanceof Command.Leave leave) {
            growing.remove(leave.file());
            leaveNow(leave.file(), leave.isFailureKnown());
        } else if (command instanceof Command.LeaveDeletable deletable) {
            growing.remove(deletable.file());
            leaveDeletableNow(deletable.file(), deletable.isFailureKnown());
        }
    }

    /** Forces the directory: after a power cut the bytes of a new file are useless if its name is not on disk. */
    private void forceNames() {
        try {
            disk.forceNames();
            namesUnforced = false;
        } catch (IOException e) {
            if (!namesUnforced) {
                LOG.warn("names of new files may be missing after a loss of power: {}; trying again", Reason.of(e));
            }
            namesUnforced = true;
        }
    }

    /**
     * Forces the file with the most data at risk first, so that on a slow disk many files with little data do not hold
     * up the large one.
     */
    private int forceWanted(long beginNs) {
        int forced = 0;
        while (forced < growing.size() && forceMostAtRisk()) {
            forced++;
            if (isRoundOver(beginNs)) {
                break;
            }
        }
        return forced;
    }

    /** Returns false if no force is due. */
    private boolean forceMostAtRisk() {
        long nowNs = clock.nanoTime();
        LogFile most = null;
        double highest = 0;
        for (int i = 0; i < growing.size(); i++) {
            double risk = growing.get(i).risk(nowNs);
            if (risk > highest) {
                highest = risk;
                most = growing.get(i);
            }
        }
        if (most != null) {
            force(most);
        }
        return most != null;
    }

    private void force(LogFile file) {
        long beginNs = clock.nanoTime();
        if (file.force(clock)) {
            counters.forces.record(clock.nanoTime() - beginNs);
        }
        if (namesUnforced) {
            forceNames();
        }
    }

    /** Forces a file that is released. An earlier force may have failed after the recorder looked for the last time. */
    private void forceRest(LogFile file, boolean isFailureKnown) {
        force(file);
        if (file.isFailed() && !isFailureKnown) {
            LOG.error("{}: {}; the end of the file may be missing after a loss of power", file.name(), file.failure());
        }
    }

    private void finishNow(LogFile file, boolean isFailureKnown) {
        otherRuns.ends(file);
        forceRest(file, isFailureKnown);
        close(file);
        otherRuns.closed(file);
        otherRuns.finishing(file);
        String name = file.name();
        long bytes = file.writtenBytes();
        names.rename(file.unfinishedName(), name, () -> onFinished(name, bytes), clock.nanoTime());
    }

    private void onFinished(String name, long bytes) {
        counters.retention.runAlways(() -> space.onFinished(name, otherRuns.highestCounter()));
        counters.finishedLogs.runAlways(() -> listener.onFinished(name, bytes));
    }

    private void discardNow(LogFile file) {
        otherRuns.ends(file);
        close(file);
        otherRuns.closed(file);
        names.delete(file.unfinishedName(), clock.nanoTime());
    }

    /**
     * The next run may never come: so the file is finished like any other, and a note beside it shows that it may
     * continue.
     */
    private void leaveNow(LogFile file, boolean isFailureKnown) {
        forceRest(file, isFailureKnown);
        String name = file.name();
        otherRuns.leaves(file, LogName.stem(name), clock.nanoTime());
        close(file);
        otherRuns.closed(file);
        long bytes = file.writtenBytes();
        names.rename(file.unfinishedName(), name, () -> onFinished(name, bytes), clock.nanoTime());
        LOG.info("{} continues if mavlogd starts again within 10 s: its vehicle streams until then", name);
    }

    private void leaveDeletableNow(LogFile file, boolean isFailureKnown) {
        forceRest(file, isFailureKnown);
        otherRuns.leaves(file, file.stem(), clock.nanoTime());
        close(file);
    }

    private static void close(LogFile file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("{}: close: {}", file.name(), Reason.of(e));
        }
    }
}
