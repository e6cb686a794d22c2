package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/**
 * Creates log files and passes them to the {@link Keeper}. Owned by the recorder's thread; the keeper's thread does
 * everything that waits for the disk.
 */
public final class LogStore {
    /** Why no file can be created now although the disk has not failed. */
    public enum Obstacle {
        NONE,
        /** The disk is nearly full. */
        NO_SPACE,
        /** The vehicle had too many new files in the last minute. */
        TOO_MANY_FILES
    }

    private static final int NAME_ATTEMPTS = 1000;
    private static final long UNKNOWN = -1;

    private final Disk disk;
    private final EpochClock clock;
    private final StoreSettings settings;
    private final Keeper keeper;
    private final NextLook nextLook;
    private final FileBudget budget = new FileBudget();
    private long lastCounter = UNKNOWN;
    // The disk was full when it was written: only later measurements show whether it still is.
    private long trustedMeasurement;

    public LogStore(Disk disk, EpochClock clock, StoreSettings settings, Keeper keeper) {
        this.disk = disk;
        this.clock = clock;
        this.settings = settings;
        this.keeper = keeper;
        this.nextLook = new NextLook(settings.durability());
    }

    /** When the files must be checked next. */
    public NextLook nextLook() {
        return nextLook;
    }

    /**
     * Creates the first file of a new log, a ULog, under an unfinished name, for a vehicle or for
     * {@link LogName#NO_SYSTEM}.
     */
    public LogFile create(int systemId) throws IOException {
        return create(systemId, LogKind.ULG, new LogName.LogNumber());
    }

    /** Creates the first file of a new log under an unfinished name. */
    public LogFile create(int systemId, LogKind kind) throws IOException {
        return create(systemId, kind, new LogName.LogNumber());
    }

    /** Creates the first or the next file of a log under an unfinished name. */
    public LogFile create(int systemId, LogKind kind, LogName.LogNumber log) throws IOException {
        if (!keeper.isReady()) {
            // A file created now could be mistaken for one of an earlier run.
            throw new IOException("the directory is still being read");
        }
        requireNoObstacle(systemId, kind);
        if (lastCounter == UNKNOWN) {
            lastCounter = highestCounter();
        }
        long begin = clock.time();
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            String stem = LogName.stem(begin, systemId, log.value(), lastCounter + 1);
            try {
                Disk.Output output = disk.create(kind.unfinished(stem));
                lastCounter++;
                log.onFile(lastCounter);
                budget.take(systemId, kind, keeper.nowNs());
                LogFile file = new LogFile(LogFile.Start.empty(stem, kind), output, settings, nextLook, keeper::wake);
                keeper.watch(file);
                return file;
            } catch (FileAlreadyExistsException e) {
                lastCounter++;
            } catch (IOException e) {
                onFailure(Reason.of(e));
                lastCounter = UNKNOWN; // when the directory comes back it may be another one
                throw e;
            }
        }
        throw new IOException(NAME_ATTEMPTS + " names after counter " + lastCounter + " are taken");
    }

    /** Continues a file of an earlier run. */
    public LogFile resume(LogFile.Start start) throws IOException {
        Disk.Output output = disk.grow(start.kind().unfinished(start.stem()), start.bytes());
        LogFile file = new LogFile(start, output, settings, nextLook, keeper::wake);
        keeper.watch(file);
        return file;
    }

    private void requireNoObstacle(int systemId, LogKind kind) throws IOException {
        Obstacle obstacle = obstacle(systemId, kind);
        if (obstacle != Obstacle.NONE) {
            throw new IOException(describe(obstacle));
        }
    }

    /** Why no ULog can be created now. Cheap. */
    public Obstacle obstacle(int systemId) {
        return obstacle(systemId, LogKind.ULG);
    }

    /** Why no file of this kind can be created now. Cheap. */
    public Obstacle obstacle(int systemId, LogKind kind) {
        if (!hasRoom(systemId)) {
            return Obstacle.NO_SPACE;
        }
        return budget.allows(systemId, kind, keeper.nowNs()) ? Obstacle.NONE : Obstacle.TOO_MANY_FILES;
    }

    /** The obstacle as a message, which stays the same while it lasts. */
    public String describe(Obstacle obstacle) {
        return switch (obstacle) {
            case NONE -> "";
            case NO_SPACE -> "paused: no space left in " + location();
            case TOO_MANY_FILES -> "more than " + FileBudget.FILES + " new files within a minute; waiting";
        };
    }

    /**
     * Whether there is room for more data, by the last measurement, which is at most a quarter of a second old. Cheap.
     */
    public boolean hasRoom() {
        Keeper.SpaceStatus space = keeper.spaceStatus();
        boolean hasRoom = space.hasRoom() && space.measurement() >= trustedMeasurement;
        if (!hasRoom) {
            keeper.waitForRoom();
        }
        return hasRoom;
    }

    /** Like {@link #hasRoom()}, for files of one vehicle. */
    public boolean hasRoom(int systemId) {
        Set<Integer> crowding = keeper.spaceStatus().crowding();
        return hasRoom() && (crowding.isEmpty() || !crowding.contains(systemId)); // boxes the id only then
    }

    private void onFailure(String reason) {
        if (Reason.isFull(reason)) {
            // The next measurement may have begun before the failure; the one after it has not.
            trustedMeasurement = keeper.spaceStatus().measurement() + 2;
        }
    }

    /**
     * Its force is requested at once, because the keeper may be busy with many other files that end.
     *
     * @return whether the file has failed
     */
    private boolean writeRest(LogFile file) {
        file.flush(keeper.nowNs());
        String failure = file.failure();
        onFailure(failure);
        return !failure.isEmpty();
    }

    /**
     * Writes the rest and releases the file: the keeper forces, closes and renames it, and reports a failure of that.
     *
     * @return whether the file has failed so far, which the caller reports
     */
    public boolean finish(LogFile file) {
        boolean isFailed = writeRest(file);
        keeper.finish(file, isFailed);
        return isFailed;
    }

    /**
     * Writes the rest and releases a file whose stream may continue: it is finished, and the next run may continue it.
     *
     * @return as {@link #finish}
     */
    public boolean leave(LogFile file) {
        boolean isFailed = writeRest(file);
        keeper.leave(file, isFailed);
        return isFailed;
    }

    /**
     * The same for a file whose mark is {@link StreamMark.Fate#DELETABLE}: the next run continues it, or deletes it.
     *
     * @return as {@link #finish}
     */
    public boolean leaveDeletable(LogFile file) {
        boolean isFailed = writeRest(file);
        keeper.leaveDeletable(file, isFailed);
        return isFailed;
    }

    /** Releases a file without useful data: the keeper deletes it. */
    public void discard(LogFile file) {
        onFailure(file.failure());
        keeper.discard(file);
    }

    public StoreSettings settings() {
        return settings;
    }

    /** The directory, for messages. */
    public String location() {
        return disk.location();
    }

    private long highestCounter() throws IOException {
        // Also above the counters of files that existed at the start: else a new file could be mistaken for one of an
        // earlier run.
        long[] highest = {keeper.highestCounter()};
        disk.forEach(file -> highest[0] = Math.max(highest[0], LogName.counterOf(file.name())));
        return highest[0];
    }

    /**
     * Limits how many new files of each kind a vehicle may have in a minute. A vehicle that reboots as fast as it can
     * needs fewer; only a stream that is broken, or forged, needs more. Owned by the recorder's thread.
     */
    private static final class FileBudget {
        static final int FILES = 30;
        private static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(1);

        /** The times of the last files, the oldest at {@code next}. */
        private static final class Times {
            private final long[] beginsNs = new long[FILES];
            private int next;

            private Times(long longAgoNs) {
                Arrays.fill(beginsNs, longAgoNs);
            }
        }

        private final Map<LogKind, Map<Integer, Times>> vehicles = new EnumMap<>(LogKind.class);

        boolean allows(int systemId, LogKind kind, long nowNs) {
            Times times = vehicles.getOrDefault(kind, Map.of()).get(systemId);
            return times == null || nowNs - times.beginsNs[times.next] >= WINDOW_NS;
        }

        /** Counts a new file. */
        void take(int systemId, LogKind kind, long nowNs) {
            Times times = vehicles.computeIfAbsent(kind, any -> new HashMap<>())
                    .computeIfAbsent(systemId, any -> new Times(nowNs - WINDOW_NS));
            times.beginsNs[times.next] = nowNs;
            times.next = (times.next + 1) % FILES;
        }
    }
}
