package org.mavlogd.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Terminal;
import org.mavlogd.cli.Version;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.SystemdNotifier;
import org.mavlogd.control.Watchdog;
import org.mavlogd.link.ShutdownHook;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.text.Words;
import org.mavlogd.wiring.Daemon;
import org.mavlogd.wiring.Fatal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the recorder, from reading its configuration to the end of the process. */
public final class RecorderRun {
    private static final Logger LOG = LoggerFactory.getLogger(RecorderRun.class);
    /** Patience for a link's thread, in half watchdog times: a restart costs the other links their data. */
    private static final int LINK_PATIENCE_HALVES = 4;
    /** Patience for the keeper, in half watchdog times: a disk may take long, and a restart does not make it faster. */
    private static final int KEEPER_PATIENCE_HALVES = 8;
    /** Used if systemd does not watch. */
    private static final long DEFAULT_HALF_NS = TimeUnit.SECONDS.toNanos(15);

    private final Path config;
    private final boolean live;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * Runs like the service, without output on standard output, except for {@code live}.
     *
     * @param live whether a line on {@code out} shows the state
     */
    public RecorderRun(Path config, boolean live, PrintWriter out, PrintWriter err) {
        this.config = config;
        this.live = live;
        this.out = out;
        this.err = err;
    }

    /**
     * Records until the process is asked to stop; returns an exit code if there is nothing to record, or recording is
     * impossible.
     */
    int record() throws InterruptedException {
        RestartDelay restarts = RestartDelay.of(System.getenv(), SystemNanoClock.INSTANCE);
        restarts.await();
        try {
            return record(Settings.load(config), restarts);
        } catch (ConfigException e) {
            int code = tell(e);
            if (code == ExitCode.CONFIG) {
                restarts.end();
            }
            return code;
        }
    }

    /** Only prints errors of the configuration, what will not work on this computer, or that there are none. */
    int checkConfig() {
        try {
            List<String> warnings = new ArrayList<>();
            Settings settings = Settings.loadBesideService(
                    config, place -> warnings.add(place + " is not checked: systemd passes it to the service only"));
            warnings.addAll(ConfigWarnings.of(settings, config));
            warnings.forEach(warning -> err.println(config + ": warning: " + warning));
            err.flush();
            out.println(config
                    + (warnings.isEmpty()
                            ? ": no problem found"
                            : ": valid, " + Words.count(warnings.size(), "warning")));
        } catch (ConfigException e) {
            return tell(e);
        }
        return ExitCode.OK;
    }

    private int tell(ConfigException problems) {
        problems.problems().forEach(err::println);
        err.flush();
        // A file that cannot be read now, such as a key on a disk that is not mounted yet, may be there at the next
        // start.
        return problems.isUnreadable() ? ExitCode.FAILED : ExitCode.CONFIG;
    }

    private int record(Settings settings, RestartDelay restarts) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> Fatal.end("thread " + thread.getName(), e));
        try {
            DirectoryLock lock = DirectoryLock.take(settings.logDirectory());
            LoggingSetup.waitForNobody();
            try {
                return recordAlone(settings, restarts);
            } finally {
                LoggingSetup.flush();
                lock.close();
            }
        } catch (DirectoryLock.StartException e) {
            LOG.error("{}", e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private int recordAlone(Settings settings, RestartDelay restarts) throws InterruptedException {
        SystemdNotifier notifier =
                SystemdNotifier.of(System.getenv(), ProcessHandle.current().pid());
        Path state = stateDirectory(settings, System.getenv());
        ContainedPart crashData = ContainedPart.unlisted("crash.files", Recovery.CONTINUES);
        CrashReport.Source crashes = CrashFiles.of(state, crashData);
        LastLogLines words = LastLogLines.begin(state);
        LOG.info(
                "mavlogd {}" + CrashFiles.BEGIN + "{}",
                Version.text(),
                ProcessHandle.current().pid());
        Daemon daemon = started(new Daemon(settings, crashes), crashData, LoggingSetup.errors(), words.errors());
        CountDownLatch stopped = new CountDownLatch(1);
        Runnable stopFeeding = feedWatchdog(daemon);
        ShutdownHook.add("stop", () -> {
            stopFeeding.run();
            int code = stop(daemon, notifier, stopped);
            restarts.end();
            words.close();
            LoggingSetup.flush();
            Runtime.getRuntime().halt(code);
        });
        notifier.ready();
        LOG.info("ready");
        if (live) {
            ContainedPart part = daemon.metrics().part("live.line", Recovery.CONTINUES);
            new LiveLine(daemon.status(), out, Terminal.isStandardOutput(), part).showUntil(stopped);
        }
        stopped.await();
        return ExitCode.OK;
    }

    private static Daemon started(Daemon daemon, ContainedPart... parts) {
        List.of(parts).forEach(daemon.metrics()::add);
        try {
            daemon.start();
        } catch (RuntimeException e) {
            closeAfter(e, daemon);
            throw e;
        }
        return daemon;
    }

    /** Starts to watch the threads, and to feed systemd's watchdog if there is one; the result stops that. */
    private static Runnable feedWatchdog(Daemon daemon) {
        // Its own socket, because a notifier belongs to one thread.
        SystemdNotifier notifier =
                SystemdNotifier.of(System.getenv(), ProcessHandle.current().pid());
        boolean isWatched = notifier.watchdogIntervalNs() > 0;
        long halfNs = isWatched ? notifier.watchdogIntervalNs() : DEFAULT_HALF_NS;
        // Without systemd there is no restart, and a short stall is not worth a line in the log.
        long recorderPatienceNs = isWatched ? 0 : 2 * DEFAULT_HALF_NS;
        long patienceNs = LINK_PATIENCE_HALVES * halfNs;
        Watchdog watchdog = new Watchdog(
                daemon.vitals(recorderPatienceNs, KEEPER_PATIENCE_HALVES * halfNs, patienceNs),
                daemon.watchedParts(),
                patienceNs,
                SystemNanoClock.INSTANCE.nanoTime());
        WatchdogFeeder feeder = new WatchdogFeeder(notifier, halfNs, watchdog, SystemNanoClock.INSTANCE, daemon::hangs);
        Thread thread = new Thread(feeder, "watchdog");
        thread.setDaemon(true);
        thread.start();
        return feeder::end;
    }

    /** The service's state directory; outside of a service the log directory. */
    private static Path stateDirectory(Settings settings, Map<String, String> environment) {
        return ServiceDirectory.of(environment, "STATE_DIRECTORY").orElse(settings.logDirectory());
    }

    /** Closes the daemon; the cause of the failed start takes precedence over failures of closing. */
    private static void closeAfter(RuntimeException cause, Daemon daemon) {
        try {
            daemon.close();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
            LOG.error("closing", e);
        }
    }

    /**
     * Runs in the JVM's shutdown after a signal; the exit code is then 0, because a signal is the normal way to stop
     * this program.
     */
    private static int stop(Daemon daemon, SystemdNotifier notifier, CountDownLatch stopped) {
        int code = ExitCode.OK;
        notifier.stopping();
        try {
            daemon.close();
        } catch (RuntimeException | Error e) {
            LOG.error("stopping: not everything could be closed", e);
            code = ExitCode.SOFTWARE;
        }
        stopped.countDown();
        notifier.close();
        LOG.info("stopped");
        return code;
    }
}
