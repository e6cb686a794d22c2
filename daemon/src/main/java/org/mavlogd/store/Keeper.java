package org.mavlogd.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after files beside the recorder: forces the growing ones on schedule, and forces, closes and renames those that the
 * recorder let go of. A slow medium holds up this thread and no other.
 *
 * <p>An agent: one thread calls {@link #doWork}; {@link #watch} and {@link #finish} are its mailbox and may be called by
 * any thread.
 */
public final class Keeper implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);

    private final Disk disk;
    private final NanoClock clock;
    private final long forceIntervalNs;
    private final FinishedListener listener;
    private final ManyToOneConcurrentLinkedQueue<Command> mailbox = new ManyToOneConcurrentLinkedQueue<>();
    private final List<LogFile> growing = new ArrayList<>();
    private long lastForceNs;

    /** Hears of each file that got its final name, on the keeper's thread. */
    @FunctionalInterface
    public interface FinishedListener {
        void onFinished(String name, long bytes);
    }

    private sealed interface Command {
        record Watch(LogFile file) implements Command {}

        record Finish(LogFile file) implements Command {}
    }

    public Keeper(Disk disk, NanoClock clock, StoreSettings settings, FinishedListener listener) {
        this.disk = disk;
        this.clock = clock;
        this.forceIntervalNs = settings.forceIntervalNs();
        this.listener = listener;
        this.lastForceNs = clock.nanoTime();
    }

    void watch(LogFile file) {
        mailbox.add(new Command.Watch(file));
    }

    void finish(LogFile file) {
        mailbox.add(new Command.Finish(file));
    }

    @Override
    public int doWork() {
        int work = 0;
        for (Command command = mailbox.poll(); command != null; command = mailbox.poll()) {
            execute(command);
            work++;
        }
        long nowNs = clock.nanoTime();
        if (nowNs - lastForceNs >= forceIntervalNs) {
            lastForceNs = nowNs;
            forceAll();
        }
        return work;
    }

    /** Does everything that is still in the mailbox; growing files are left as they are. */
    @Override
    public void onClose() {
        doWork();
    }

    @Override
    public String roleName() {
        return "keeper";
    }

    private void execute(Command command) {
        if (command instanceof Command.Watch watch) {
            growing.add(watch.file());
            forceNames(watch.file());
        } else if (command instanceof Command.Finish finish) {
            growing.remove(finish.file());
            finishNow(finish.file());
        }
    }

    /** The bytes of a new file are of no use after a power cut while its name is not on the medium. */
    private void forceNames(LogFile file) {
        try {
            disk.forceNames();
        } catch (IOException e) {
            LOG.warn("{}: its name may be missing after a loss of power: {}", file.name(), Reason.of(e));
        }
    }

    private void forceAll() {
        for (LogFile file : growing) {
            file.force();
        }
    }

    private void finishNow(LogFile file) {
        boolean sound = !file.isFailed();
        file.force();
        if (sound && file.isFailed()) {
            LOG.error("{}: {}; the end of the file may be missing after a loss of power", file.name(), file.failure());
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("{}: close: {}", file.name(), Reason.of(e));
        }
        try {
            disk.rename(file.stem() + LogName.UNFINISHED_SUFFIX, file.name());
            listener.onFinished(file.name(), file.writtenBytes());
        } catch (IOException e) {
            LOG.error(
                    "{} keeps its unfinished name {}: rename: {}",
                    file.name(),
                    file.stem() + LogName.UNFINISHED_SUFFIX,
                    Reason.of(e));
        }
    }
}
