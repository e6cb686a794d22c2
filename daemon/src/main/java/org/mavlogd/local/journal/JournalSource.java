package org.mavlogd.local.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.RetryDelay;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.ulog.LogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the journal's entries, from the position at which the previous run ended, with the time at which the
 * journal received them. Entries of other boots have no usable time and are counted; this program's own entries are
 * left out, because they are published as events already.
 *
 * <p>Runs on one thread, which owns the producing end of the feed. A journalctl that is missing, ends or prints invalid
 * lines is reported once and started again at increasing intervals, at most {@link #MAX_RETRY_NS}. While the feed is
 * more than half full nothing is read: the journal keeps the entries.
 */
public final class JournalSource implements Agent {
    /**
     * Which entries are taken.
     *
     * @param program journalctl with the first arguments
     * @param tags by name of the unit; {@link #KERNEL} for the kernel's messages
     * @param otherTag of all others; without it only those of {@code tags} are taken
     * @param level minimum severity of an entry
     * @param stateFile stores the position in the journal for the next run
     */
    public record Settings(
            List<String> program, Map<String, Integer> tags, OptionalInt otherTag, LogLevel level, Path stateFile) {
        /** The kernel's name in place of a unit. */
        public static final String KERNEL = "kernel";

        public Settings {
            program = List.copyOf(program);
            tags = Map.copyOf(tags);
        }
    }

    /** Counters of the journal. Written by the journal's thread. */
    private record Counters(Counter entries, Counter otherBoots, Counter filtered, Counter malformed, Counter starts) {
        static Counters register(Metrics metrics) {
            return new Counters(
                    metrics.counter("journal.entries", "Entries read from the journal"),
                    metrics.counter("journal.other.boots", "Entries of the journal that are of another boot"),
                    metrics.counter(
                            "journal.filtered", "Entries of the journal that the settings leave out, and our own"),
                    metrics.counter("journal.malformed", "Lines of journalctl that are not an entry, or too long"),
                    metrics.counter("journal.starts", "Times that journalctl was started"));
        }
    }

    /**
     * The process that follows the journal.
     *
     * @param bootId of this boot, 32 hex digits without dashes
     * @param pid of this process
     * @param unit systemd's name of this service; empty if it is none
     * @param fill share of the feed's ring in use
     */
    public record Context(
            String bootId, long pid, String unit, NanoClock clock, EpochClock epochClock, DoubleSupplier fill) {}

    static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(60);

    /** After this time without a failure the program counts as working. */
    static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(JournalSource.class);
    private static final int READ_BYTES = 64 * 1024;
    private static final double FULL = 0.5;
    private static final long NS_PER_US = 1000;
    private static final long AFTER_SIGTERM_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int NOT_WANTED = -1;

    private final Settings settings;
    private final Context context;
    private final TextOutlet outlet;
    private final NanoClock clock;
    private final Follower.Launcher launcher;
    private final PlaceKeeper keeper;
    private final Counters counters;
    private final String ownPid;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final ProblemLog nonsense = new ProblemLog(LOG);
    private final JournalEntry entry = new JournalEntry();
    private final LineBuffer lines = new LineBuffer();
    private final byte[] buffer = new byte[READ_BYTES];
    private final LineBuffer.Handler taker = new Taker();

    private @Nullable Follower follower;
    private long startedNs;
    private final RetryDelay retry = new RetryDelay(FIRST_RETRY_NS, MAX_RETRY_NS);
    private final ContainedPart entries;
    private long nextStartNs;
    private boolean heard;
    // Cursor of the last entry read before journalctl was started; that entry comes once more, if the journal still has
    // it.
    private String expected = "";
    private long nowNs;

    public JournalSource(Settings settings, Context context, TextOutlet outlet, Metrics metrics) {
        this(settings, context, outlet, metrics, ChildProcess::launch);
    }

    JournalSource(Settings settings, Context context, TextOutlet outlet, Metrics metrics, Follower.Launcher launcher) {
        this.settings = settings;
        this.context = context;
        this.outlet = outlet;
        this.clock = context.clock();
        this.launcher = launcher;
        this.keeper = new PlaceKeeper(settings.stateFile());
        this.counters = Counters.register(metrics);
        this.entries = metrics.part("journal.entries", Recovery.CONTINUES);
        this.ownPid = Long.toString(context.pid());
    }

    @Override
    public void onStart() {
        nowNs = clock.nanoTime();
        nextStartNs = nowNs;
        keeper.load(epochUs(), nowNs);
    }

    private long epochUs() {
        return TimeUnit.MILLISECONDS.toMicros(context.epochClock().time());
    }

    @Override
    public int doWork() {
        nowNs = clock.nanoTime();
        Follower running = follower;
        int work = running == null ? startIfDue() : take(running);
        keeper.tick(nowNs);
        outlet.tick(nowNs);
        return work;
    }

    private int startIfDue() {
        if (nowNs - nextStartNs < 0) {
            return 0;
        }
        PlaceKeeper.Place place = keeper.place();
        expected = place.cursor();
        heard = false;
        startedNs = nowNs;
        lines.clear();
        try {
            follower = launcher.launch(JournalCommand.of(settings, place));
            counters.starts().increment();
            return 1;
        } catch (IOException e) {
            failed(program() + " cannot be started: " + e.getMessage());
            return 0;
        }
    }

    private String program() {
        return settings.program().get(0);
    }

    private int take(Follower running) {
        if (context.fill().getAsDouble() > FULL) {
            return 0;
        }
        int count;
        try {
            count = running.read(buffer);
        } catch (IOException e) {
            stop(running);
            failed(program() + " cannot be read: " + e.getMessage());
            return 1;
        }
        if (count > 0) {
            lines.add(buffer, count, taker);
        } else if (running.isOver()) {
            onOver(running);
            return 1;
        }
        if (nowNs - startedNs >= SETTLED_NS) {
            retry.reset();
            problems.resolved("journal: can be read again");
        }
        return count > 0 ? 1 : 0;
    }

    private void onOver(Follower over) {
        boolean terminated = over.wasTerminated();
        String reason = over.reason();
        stop(over);
        if (!expected.isEmpty() && !heard && reason.contains("cursor")) {
            LOG.warn("journal: the position of the previous run is unusable, so it is read from now on: {}", reason);
            keeper.moveTo(PlaceKeeper.Place.since(epochUs()));
            nextStartNs = nowNs + FIRST_RETRY_NS;
        } else if (terminated) {
            // Usually because this service is being stopped as well, so it is not reported as a problem.
            nextStartNs = nowNs + AFTER_SIGTERM_NS;
        } else {
            failed(program() + " " + reason);
        }
    }

    private void failed(String what) {
        problems.report("journal: " + what + "; trying again");
        retry.failed(nowNs);
        nextStartNs = retry.endNs();
    }

    private void stop(Follower running) {
        running.close();
        follower = null;
    }

    /** Takes the rest of the output, ends journalctl and stores the position. */
    @Override
    public void onClose() {
        nowNs = clock.nanoTime();
        Follower running = follower;
        if (running != null) {
            Follower last = running;
            entries.runAlways(() -> take(last));
        }
        running = follower;
        if (running != null) {
            stop(running);
        }
        outlet.tick(nowNs);
        keeper.close();
    }

    @Override
    public String roleName() {
        return "journal";
    }

    private final class Taker implements LineBuffer.Handler {
        @Override
        public void onLine(byte[] line, int offset, int length) {
            if (line[offset] == '-') {
                return; // "-- No entries --" and the like
            }
            try {
                entry.parse(line, offset, length);
            } catch (IOException e) {
                malformed("text that is not JSON");
                return;
            }
            counters.entries().increment();
            heard = true;
            try {
                onEntry();
            } catch (Throwable e) {
                // This entry is left out, but its position counts, or it would come again.
                entries.contain(e);
                passOver();
            }
        }

        @Override
        public void onLongLine() {
            malformed("a line of more than " + LineBuffer.MAX_LINE + " bytes");
        }

        private void malformed(String what) {
            counters.malformed().increment();
            nonsense.report("journal: " + program() + " writes " + what + "; such lines are skipped");
        }
    }

    private void onEntry() {
        String cursor = entry.cursor();
        if (!expected.isEmpty()) {
            boolean again = cursor.equals(expected);
            expected = "";
            if (again) {
                return;
            }
            LOG.warn("journal: the last entry that was read is gone, or the settings now leave it out:"
                    + " entries may be missing");
        }
        publish();
        passOver();
    }

    private void passOver() {
        if (PlaceKeeper.Place.isCursor(entry.cursor())) {
            keeper.moveTo(PlaceKeeper.Place.at(entry.cursor()));
        }
    }

    private void publish() {
        if (!entry.bootId().equals(context.bootId())) {
            counters.otherBoots().increment();
            return;
        }
        int tag = tag();
        if (tag < 0 || isOwn() || entry.level().compareTo(settings.level()) > 0) {
            counters.filtered().increment();
            return;
        }
        String speaker = entry.identifier().isEmpty() ? entry.unit() : entry.identifier();
        outlet.text(entry.level(), tag, takenNs(), speaker, entry.message());
    }

    /** Negative if the entry is not wanted. */
    private int tag() {
        Integer tag = settings.tags().get(entry.unit());
        if (tag == null) {
            tag = settings.tags().get(entry.isKernels() ? Settings.KERNEL : entry.aboutUnit());
        }
        return tag == null ? settings.otherTag().orElse(NOT_WANTED) : tag;
    }

    /** The journal also has what this program logs. */
    private boolean isOwn() {
        return entry.pid().equals(ownPid)
                || (!context.unit().isEmpty() && entry.unit().equals(context.unit()));
    }

    private long takenNs() {
        long us = entry.monotonicUs();
        return us == JournalEntry.NO_TIME ? nowNs : Math.min(us * NS_PER_US, nowNs);
    }
}
