package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after files beside the recorder: forces the growing ones when the recorder asks for it, and forces, closes and
 * renames those that the recorder let go of. A slow medium holds up this thread and no other.
 *
 * <p>Renaming, retention, notes for a restart and the unfinished logs of earlier runs are parts of their own: an error in them
 * is contained. An error in forcing or closing a file ends the process, since no data would become durable.
 *
 * <p>An agent: one thread calls {@link #doWork}; {@link #watch} and {@link #finish} are its mailbox and may be called by
 * any thread. Whoever has work for it ends its idling, so that thread must idle by parking.
 */
public final class Keeper implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    // Files that are being written are forced in time whatever else is to be done.
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Disk disk;
    private final NanoClock clock;
    private final FinishedListener listener;
    // Null when nothing is to outlive a crash, as in some tests.
    private final @Nullable LeftOvers leftOvers;
    private final @Nullable StreamNotes notes;
    private final @Nullable LeftOverBoard board;
    private final ManyToOneConcurrentLinkedQueue<Command> mailbox = new ManyToOneConcurrentLinkedQueue<>();
    private final List<LogFile> growing = new ArrayList<>();
    private final ForceMeter forceMeter = new ForceMeter();
    private final SpaceKeeper space;
    private final NameChanges names;
    private final StoreCounters counters;
    private final Counter progress = new Counter();
    // Null until it runs, and in tests that call it themselves.
    private volatile @Nullable Thread thread;
    private boolean namesUnforced;
    private int nextForced;

    /** Hears of each file that got its final name, on the keeper's thread. */
    @FunctionalInterface
    public interface FinishedListener {
        void onFinished(String name, long bytes);
    }

    /**
     * What connects this run with the one before.
     *
     * @param memory what is kept of unfinished logs is taken from it
     */
    public record Restart(HostClock clock, LeftOverBoard board, MemoryBudget memory, CrashReport.Source crashes) {}

    private sealed interface Command {
        record Watch(LogFile file) implements Command {}

        record Finish(LogFile file) implements Command {}

        record Discard(LogFile file) implements Command {}

        record Leave(LogFile file) implements Command {}

        record LeaveSpare(LogFile file) implements Command {}
    }

    /** A keeper that deletes nothing. */
    public Keeper(Disk disk, NanoClock clock, FinishedListener listener) {
        this(disk, clock, listener, SpaceLimits.NONE, StoreCounters.unregistered());
    }

    /** A keeper that holds the disk within limits, and leaves unfinished files of earlier runs as they are. */
    public Keeper(Disk disk, NanoClock clock, FinishedListener listener, SpaceLimits limits, StoreCounters counters) {
        this(disk, clock, listener, limits, counters, null);
    }

    /** A keeper that sees to it that a later run can go on in the same file, too, and looks after those of earlier runs. */
    public Keeper(
            Disk disk,
            NanoClock clock,
            FinishedListener listener,
            SpaceLimits limits,
            StoreCounters counters,
            @Nullable Restart restart) {
        this.space = new SpaceKeeper(disk, limits, counters);
        this.names = new NameChanges(disk, counters);
        this.counters = counters;
        this.board = restart == null ? null : restart.board();
        this.leftOvers = restart == null
                ? null
                : new LeftOvers(disk, contained(restart, counters), names, counters, this::onFinished);
        this.notes = restart == null ? null : new StreamNotes(disk, restart.clock());
        this.disk = disk;
        this.clock = clock;
        this.listener = listener;
    }

    private static Restart contained(Restart restart, StoreCounters counters) {
        return new Restart(
                restart.clock(),
                restart.board(),
                restart.memory(),
                (processId, sinceEpochMs) -> counters.crashData.get(
                        () -> restart.crashes().report(processId, sinceEpochMs), CrashReport.NONE));
    }

    void watch(LogFile file) {
        mailbox.add(new Command.Watch(file));
        wake();
    }

    void finish(LogFile file) {
        mailbox.add(new Command.Finish(file));
        wake();
    }

    /** There is something to do. Costs nothing while the thread is busy. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** What forces cost so far. Any thread. */
    public ForceMeter forceMeter() {
        return forceMeter;
    }

    @Override
    public void onStart() {
        thread = Thread.currentThread();
    }

    /** Closes a file that holds nothing of use and takes it away. */
    void discard(LogFile file) {
        mailbox.add(new Command.Discard(file));
        wake();
    }

    /** Finishes a file, and leaves its note to the next run. */
    void leave(LogFile file) {
        mailbox.add(new Command.Leave(file));
        wake();
    }

    /** Leaves a file that nobody needs but a next run, which takes it away if its stream does not go on: never finished. */
    void leaveSpare(LogFile file) {
        mailbox.add(new Command.LeaveSpare(file));
        wake();
    }

    /** The disk as it was measured last. Any thread. */
    public SpaceStatus spaceStatus() {
        return space.status();
    }

    /** The recorder's thread: a recording waits for room. */
    void waitForRoom() {
        space.waitForRoom();
    }

    long nowNs() {
        return clock.nanoTime();
    }

    /** Changes with everything that is done: while it stands still, no data becomes durable. Any thread. */
    public long progress() {
        return progress.get();
    }

    /** One round; after {@link #ROUND_NS} the rest waits for the next one. */
    @Override
    public int doWork() {
        long beginNs = clock.nanoTime();
        int work = takeCommands(beginNs);
        work += forceWanted(beginNs);
        long nowNs = clock.nanoTime();
        writeNotes(nowNs);
        work += workLeftOvers(nowNs) ? 1 : 0;
        progress.increment();
        work += names.work(nowNs);
        progress.increment();
        return work + (workSpace(nowNs) ? 1 : 0);
    }

    // Each round passes here: nothing is allocated, and so no call of a part is a lambda.

    private boolean workLeftOvers(long nowNs) {
        if (leftOvers == null || !counters.unfinishedLogs.mayRun()) {
            return false;
        }
        try {
            return leftOvers.work(nowNs);
        } catch (Throwable e) {
            if (board != null) {
                board.listed(); // no vehicle waits for a log that will not be found
            }
            counters.unfinishedLogs.contain(e);
            return false;
        }
    }

    private void writeNotes(long nowNs) {
        if (notes != null && counters.notes.mayRun()) {
            try {
                notes.work(nowNs);
            } catch (Throwable e) {
                counters.notes.contain(e);
            }
        }
    }

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
            taken++;
            if (isRoundOver(beginNs)) {
                break;
            }
        }
        return taken;
    }

    /** Does everything that is still in the mailbox; growing files are left as they are. */
    @Override
    public void onClose() {
        do {
            doWork();
        } while (!mailbox.isEmpty());
        counters.unfinishedLogs.runAlways(() -> {
            if (leftOvers != null) {
                leftOvers.close();
            }
        });
        names.onClose(clock.nanoTime());
    }

    @Override
    public String roleName() {
        return "keeper";
    }

    private void execute(Command command) {
        if (command instanceof Command.Watch watch) {
            growing.add(watch.file());
            forceNames();
            counters.notes.runAlways(() -> {
                if (notes != null) {
                    notes.watch(watch.file());
                }
            });
        } else if (command instanceof Command.Finish finish) {
            growing.remove(finish.file());
            finishNow(finish.file());
        } else if (command instanceof Command.Discard discard) {
            growing.remove(discard.file());
            discardNow(discard.file());
        } else if (command instanceof Command.Leave leave) {
            growing.remove(leave.file());
            leaveNow(leave.file());
        } else if (command instanceof Command.LeaveSpare spare) {
            growing.remove(spare.file());
            leaveSpareNow(spare.file());
        }
    }

    /** The bytes of a new file are of no use after a power cut while its name is not on the medium. */
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

    /** In turn, so that a slow disk does not keep any file waiting for ever. */
    private int forceWanted(long beginNs) {
        int forced = 0;
        for (int i = 0; i < growing.size(); i++) {
            nextForced = (nextForced + 1) % growing.size();
            LogFile file = growing.get(nextForced);
            if (file.isForceWanted()) {
                force(file);
                forced++;
                if (isRoundOver(beginNs)) {
                    return forced;
                }
            }
        }
        return forced;
    }

    private void force(LogFile file) {
        long beginNs = clock.nanoTime();
        if (file.force()) {
            forceMeter.add(clock.nanoTime() - beginNs);
        }
        if (namesUnforced) {
            forceNames();
        }
    }

    private void finishNow(LogFile file) {
        finishNotes(file);
        boolean sound = !file.isFailed();
        force(file);
        if (sound && file.isFailed()) {
            LOG.error("{}: {}; the end of the file may be missing after a loss of power", file.name(), file.failure());
        }
        close(file);
        letGo(file);
        counters.unfinishedLogs.runAlways(() -> {
            if (leftOvers != null) {
                leftOvers.finishing(file.stem());
            }
        });
        String name = file.name();
        long bytes = file.writtenBytes();
        names.rename(file.unfinishedName(), name, () -> onFinished(name, bytes), clock.nanoTime());
    }

    private void finishNotes(LogFile file) {
        counters.notes.runAlways(() -> {
            if (notes != null) {
                notes.finish(file);
            }
        });
    }

    private void letGo(LogFile file) {
        counters.unfinishedLogs.runAlways(() -> {
            if (leftOvers != null) {
                leftOvers.letGo(file.unfinishedName());
            }
        });
    }

    private void onFinished(String name, long bytes) {
        counters.retention.runAlways(() -> space.onFinished(name));
        counters.finishedLogs.runAlways(() -> listener.onFinished(name, bytes));
    }

    private void discardNow(LogFile file) {
        finishNotes(file);
        close(file);
        letGo(file);
        names.delete(file.unfinishedName(), clock.nanoTime());
    }

    /** Nobody may come back: so the file is as complete as any other, and the note beside it tells that it may go on. */
    private void leaveNow(LogFile file) {
        boolean sound = !file.isFailed();
        force(file);
        if (sound && file.isFailed()) {
            LOG.error("{}: {}; the end of the file may be missing after a loss of power", file.name(), file.failure());
        }
        String name = file.name();
        leaveNote(file, LogName.stem(name));
        close(file);
        letGo(file);
        long bytes = file.writtenBytes();
        names.rename(file.unfinishedName(), name, () -> onFinished(name, bytes), clock.nanoTime());
        LOG.info("{} goes on if mavlogd starts again within 10 s: its vehicle streams on for so long", name);
    }

    private void leaveSpareNow(LogFile file) {
        force(file);
        leaveNote(file, file.stem());
        close(file);
    }

    private void leaveNote(LogFile file, String stem) {
        counters.notes.runAlways(() -> {
            if (notes != null) {
                notes.leave(file, stem, clock.nanoTime());
            }
        });
    }

    private static void close(LogFile file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("{}: close: {}", file.name(), Reason.of(e));
        }
    }
}
