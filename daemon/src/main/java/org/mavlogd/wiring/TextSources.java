package org.mavlogd.wiring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.TextsSettings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.events.EventAgent;
import org.mavlogd.local.events.EventHandler;
import org.mavlogd.local.journal.JournalSource;
import org.mavlogd.local.syslog.SyslogSource;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.ulog.LogLevel;

/** Sources of log messages: the daemon's own events, the journal, and syslog, each with its own thread and feed. */
final class TextSources implements AutoCloseable {
    private static final int RING_BYTES = 1 << 18;
    // Messages have their own times, so a delay does not matter.
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String BOOT_ID = "MAVLOGD_BOOT_ID";
    private static final Pattern BOOT_ID_FORM = Pattern.compile("[0-9a-f]{32}");
    private static final Path CONTROL_GROUP = Path.of("/proc/self/cgroup");

    private final TextsSettings settings;
    private final Metrics metrics;
    private final List<LocalFeed> feeds = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<AgentRunner> runners = new ArrayList<>();
    private final List<Watchdog.Contained> watched = new ArrayList<>();
    private final List<EventHandler> handlers = new ArrayList<>();
    private final List<WakeUp> wakeUps = new ArrayList<>();
    private boolean started;

    /** Events are taken from now on; they wait until {@link #start}. */
    TextSources(TextsSettings settings, Metrics metrics, NanoClock clock, EventAgent.Watch watch) {
        this.settings = settings;
        this.metrics = metrics;
        settings.journal().ifPresent(journal -> addJournal(journal, clock));
        settings.syslog().links().forEach(this::addSyslog);
        // Closed last, so that it takes the last messages of the others.
        settings.events().ifPresent(level -> addEvents(level, clock, watch));
    }

    private void addEvents(LogLevel level, NanoClock clock, EventAgent.Watch watch) {
        WakeUp wakeUp = new WakeUp(LOOK_NS);
        wakeUps.add(wakeUp);
        EventHandler handler = new EventHandler(
                settings.tags().tags(), level, clock, wakeUp::wake, metrics.part("log.events", Recovery.CONTINUES));
        TextOutlet outlet = outlet("events", addFeed("events"));
        addAgent(wakeUp, new EventAgent(handler, outlet, watch, level, clock, metrics));
        Logger.getLogger("").addHandler(handler);
        handlers.add(handler);
    }

    private void addJournal(JournalSource.Settings journal, NanoClock clock) {
        LocalFeed feed = addFeed("journal");
        JournalSource.Context context = new JournalSource.Context(
                bootId(System.getenv()),
                ProcessHandle.current().pid(),
                ownUnit(),
                clock,
                SystemEpochClock.INSTANCE,
                feed::fill);
        addAgent(
                new SleepingIdleStrategy(IDLE_NS),
                new JournalSource(journal, context, outlet("journal", feed), metrics));
    }

    private void addSyslog(LinkSettings link) {
        String name = link.name();
        addLink(link, new SyslogSource(name, settings.syslog().settings(), outlet(name, addFeed(name)), metrics));
    }

    private void addLink(LinkSettings link, LinkListener source) {
        String name = link.name();
        ContainedPart part = metrics.part(name, Recovery.CONTINUES);
        Link contained = Links.createContained(link, source, LinkCounters.register(metrics, name), part);
        links.add(contained);
        watched.add(new Watchdog.Contained(part, new LinkPulse(contained)));
    }

    private LocalFeed addFeed(String name) {
        LocalFeed feed = new LocalFeed(name, RING_BYTES);
        feeds.add(feed);
        return feed;
    }

    private TextOutlet outlet(String source, LocalFeed feed) {
        return new TextOutlet(
                source,
                feed.publisher(),
                settings.tags().tags(),
                settings.tags().limits(),
                metrics);
    }

    private void addAgent(IdleStrategy idle, Agent agent) {
        ContainedAgent contained = new ContainedAgent(agent, metrics);
        watched.add(new Watchdog.Contained(contained.part(), contained::rounds));
        runners.add(contained.runner(idle));
    }

    /**
     * The boot id in the journal's form, without dashes. In a container it is not the kernel's: systemd gives the
     * container its own boot id, which the service's sandbox hides again, so the unit passes it on.
     */
    static String bootId(Map<String, String> environment) {
        String told = environment.getOrDefault(BOOT_ID, "");
        return BOOT_ID_FORM.matcher(told).matches()
                ? told
                : Storage.BootId.read().replace("-", "");
    }

    /** The systemd service of this process; empty if it is none. */
    private static String ownUnit() {
        try {
            return Files.readAllLines(CONTROL_GROUP).stream()
                    .map(line -> line.substring(line.lastIndexOf('/') + 1))
                    .filter(name -> name.endsWith(".service"))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    List<LocalFeed> feeds() {
        return feeds;
    }

    /** To be started and closed by the caller. */
    List<Link> links() {
        return links;
    }

    /** The parts to report when their thread hangs. */
    List<Watchdog.Contained> watched() {
        return watched;
    }

    void start() {
        started = true;
        for (AgentRunner runner : runners) {
            AgentRunner.startOnThread(
                    runner, task -> new Thread(task, runner.agent().roleName()));
        }
    }

    /** Stops the sources; messages published so far are in the feeds. */
    @Override
    public void close() {
        handlers.forEach(Logger.getLogger("")::removeHandler);
        wakeUps.forEach(WakeUp::end);
        if (started) {
            runners.forEach(AgentRunner::close);
        }
    }

    /**
     * Lets a thread sleep until another thread wakes it, or until a long time has passed, because a thread that polls
     * several times a second costs a wake-up each time.
     */
    static final class WakeUp implements IdleStrategy {
        private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);

        private final long longestNs;
        private volatile boolean over;
        private volatile @Nullable Thread sleeper;

        /** @param longestNs how long the thread sleeps if no other thread wakes it */
        WakeUp(long longestNs) {
            this.longestNs = longestNs;
        }

        /** There is work. Any thread; cheap. */
        void wake() {
            LockSupport.unpark(sleeper);
        }

        /** The thread is about to be stopped: from now on it sleeps only for moments. Any thread. */
        void end() {
            over = true;
            wake();
        }

        @Override
        public void idle(int workCount) {
            if (workCount <= 0) {
                idle();
            }
        }

        @Override
        public void idle() {
            if (sleeper == null) {
                sleeper = Thread.currentThread();
            }
            LockSupport.parkNanos(over ? SHORT_NS : longestNs);
        }

        @Override
        public void reset() {
            // Every sleep is equally long.
        }
    }
}
