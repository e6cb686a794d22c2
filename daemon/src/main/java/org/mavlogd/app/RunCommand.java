package org.mavlogd.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.SystemNanoClock;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.control.SystemdNotifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mavlogd run}: records until SIGTERM or SIGINT. */
@Command(
        name = "run",
        description = "Records every vehicle that the configuration names, until it is told to stop.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "SIGTERM and Ctrl-C stop the stream, finish the logs and end with 0.",
            "Exit codes: 0 stopped in good order, 1 failed to start, 2 wrong usage, 78 wrong configuration."
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    /** Half watchdog times that a link's thread may be stuck in its device: a restart costs the other links their data. */
    private static final int LINK_PATIENCE_HALVES = 4;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "/etc/mavlogd/mavlogd.toml",
            description = "The configuration (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path config;

    @Option(names = "--check-config", description = "Only check the configuration and tell all its problems.")
    private boolean checkConfig;

    @Option(names = "--live", description = "Show vehicle, state, rate, loss and file in a line on standard output.")
    private boolean live;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            description = "How much is logged to standard error: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LoggingSetup.Level logLevel = LoggingSetup.Level.INFO;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        LoggingSetup.install(logLevel, System.getenv());
        Settings settings;
        try {
            settings = Settings.load(config);
        } catch (ConfigException e) {
            PrintWriter err = spec.commandLine().getErr();
            e.problems().forEach(err::println);
            err.flush();
            return ExitCode.CONFIG;
        }
        if (checkConfig) {
            spec.commandLine().getOut().println(config + ": no problem found");
            return ExitCode.OK;
        }
        return record(settings);
    }

    private int record(Settings settings) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> Fatal.end("thread " + thread.getName(), e));
        try {
            DirectoryLock lock = DirectoryLock.take(settings.log().directory());
            try {
                return recordAlone(settings);
            } finally {
                lock.close();
            }
        } catch (StartException e) {
            LOG.error("{}", e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private int recordAlone(Settings settings) throws StartException, InterruptedException {
        SystemdNotifier notifier =
                SystemdNotifier.of(System.getenv(), ProcessHandle.current().pid());
        Path state = stateDirectory(settings, System.getenv());
        CrashFiles crashes = CrashFiles.after(state, List.of(state.resolve("crash"), Path.of("")));
        LastWords words = LastWords.begin(state);
        LOG.info(
                "mavlogd {} begins, process {}",
                Version.text(),
                ProcessHandle.current().pid());
        Daemon daemon = new Daemon(settings, crashes);
        try {
            daemon.start();
        } catch (StartException e) {
            daemon.close();
            throw e;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Runnable stopFeeding = feedWatchdog(daemon);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stopFeeding.run();
                            stop(daemon, notifier, words, stopped);
                        },
                        "stop"));
        notifier.ready();
        LOG.info("ready");
        if (live) {
            new LiveLine(daemon, spec.commandLine().getOut(), Terminal.isStandardOutput()).showUntil(stopped);
        }
        stopped.await();
        return ExitCode.OK;
    }

    /** Starts to feed systemd's watchdog when there is one; the result stops that. */
    private static Runnable feedWatchdog(Daemon daemon) {
        // Its own socket, because a notifier belongs to one thread.
        SystemdNotifier notifier =
                SystemdNotifier.of(System.getenv(), ProcessHandle.current().pid());
        long halfNs = notifier.watchdogIntervalNs();
        if (halfNs == 0) {
            notifier.close();
            return () -> {};
        }
        WatchdogFeeder feeder =
                new WatchdogFeeder(notifier, daemon.vitals(0, LINK_PATIENCE_HALVES * halfNs), SystemNanoClock.INSTANCE);
        Thread thread = new Thread(feeder, "watchdog");
        thread.setDaemon(true);
        thread.start();
        return feeder::end;
    }

    /** Where systemd lets a service keep its state; beside the logs for everyone else. */
    private static Path stateDirectory(Settings settings, Map<String, String> environment) {
        String directories = environment.getOrDefault("STATE_DIRECTORY", "");
        int end = directories.indexOf(':');
        String first = end < 0 ? directories : directories.substring(0, end);
        return first.isEmpty() ? settings.log().directory() : Path.of(first);
    }

    /** Runs in the JVM's shutdown, which a signal began; ends it with 0 because a signal is how this program is stopped. */
    private static void stop(Daemon daemon, SystemdNotifier notifier, LastWords words, CountDownLatch stopped) {
        notifier.stopping();
        daemon.close();
        stopped.countDown();
        notifier.close();
        LOG.info("stopped");
        words.close();
        Runtime.getRuntime().halt(ExitCode.OK);
    }
}
