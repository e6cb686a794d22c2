package org.mavlogd.wiring;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.Settings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.StatusServer;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;
import org.mavlogd.record.Feeds;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.recovery.HostClock;
import org.mavlogd.recovery.LeftOverBoard;
import org.mavlogd.recovery.LogRecovery;
import org.mavlogd.recovery.RecoveryCounters;
import org.mavlogd.recovery.Restart;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts put together. Started in the order keeper, recorder, links, HTTP, and stopped in an order in which nothing that
 * is on its way gets lost: the vehicles' streams, the links, the recorder, the keeper.
 */
public final class Daemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

    // It is woken when there is something to force or to finish.
    private static final long KEEPER_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SIGNING_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FETCH_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    // Well within TimeoutStopSec of the unit: the journal shall say what was waited for.
    private static final int CLOSE_WARNING_MS = 10_000;

    private final Settings settings;
    private final NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private final EpochClock epochClock = SystemEpochClock.INSTANCE;
    private final long startedNs = nanoClock.nanoTime();
    private final Metrics metrics = new Metrics();
    private final MemoryBudget memory = MemoryBudget.ofHeap();
    private final Peak writeNs = new Peak();
    private final VehicleLinks vehicleLinks;
    private final LocalSources localSources;
    private final Recorder recorder;
    private final Counter recorderRounds;
    private final AgentRunner recorderRunner;
    private final Keeper keeper;
    private final AgentRunner keeperRunner;
    private final Optional<AgentRunner> signingRunner;
    private final Optional<ContainedAgent> fetcher;
    private final Optional<AgentRunner> fetchRunner;
    private final ContainedPart httpStart = metrics.part("http.start", Recovery.PAUSES);
    private final DaemonStatus status;
    private @Nullable StatusServer http;
    private boolean agentsStarted;

    /** A daemon that knows nothing of the end of earlier runs. */
    public Daemon(Settings settings) {
        this(settings, CrashReport.Source.NONE);
    }

    public Daemon(Settings settings, CrashReport.Source crashes) {
        this.settings = settings;
        Disk disk = new FileDisk(settings.logDirectory(), writeNs);
        StoreCounters storeCounters = StoreCounters.register(metrics);
        RecoveryCounters recoveryCounters = RecoveryCounters.register(metrics);
        HostClock clock = new HostClock(
                nanoClock, epochClock, BootId.read(), ProcessHandle.current().pid());
        SpaceLimits limits = settings.space();
        LeftOverBoard leftOvers = new LeftOverBoard();
        FinishedLogs finished = new FinishedLogs();
        this.keeper = new Keeper(
                disk,
                nanoClock,
                finished::add,
                limits,
                storeCounters,
                LogRecovery.of(disk, new Restart(clock, leftOvers, memory, crashes), recoveryCounters));
        KnownVehicles.note(disk, memory);
        LogStore store = new LogStore(disk, epochClock, settings.store(), keeper);
        Optional<Signing> signing = Signing.of(settings.signing(), epochClock);
        this.signingRunner = signing.map(parts -> runner(parts.agent(), SIGNING_IDLE_NS));
        FetchAfterFlight fetch = new FetchAfterFlight(settings, () -> limits.spareBytes(disk), nanoClock, metrics);
        this.fetcher = settings.fetch().afterDisarm()
                ? Optional.of(new ContainedAgent(fetch.agent(), metrics))
                : Optional.empty();
        this.fetchRunner = fetcher.map(agent -> agent.runner(new SleepingIdleStrategy(FETCH_IDLE_NS)));
        SharedParts shared = new SharedParts(metrics, memory, nanoClock);
        this.vehicleLinks = new VehicleLinks(settings, shared, signing, leftOvers, fetch);
        this.localSources = new LocalSources(
                settings.local(),
                shared,
                new RecorderFigures(metrics, vehicleLinks::ringFill, writeNs),
                new FlightWatch(
                        this::recordings,
                        vehicleLinks::vehicles,
                        () -> metrics.total("signing.dropped.frames"),
                        TimeUnit.NANOSECONDS.toMillis(settings.vehicles().silenceNs())));
        this.recorder =
                new Recorder(nanoClock, epochClock, store, metrics, RecordParts.of(settings, memory), feeds(leftOvers));
        this.recorderRounds =
                metrics.counter("recorder.rounds", "Rounds of the recorder; it hangs when they stand still");
        this.recorderRunner = runner(
                new CountedAgent(recorder, recorderRounds),
                settings.store().durability().lookNs());
        this.keeperRunner = runner(keeper, KEEPER_IDLE_NS);
        this.status = new DaemonStatus(
                vehicleLinks,
                recorder,
                new DaemonStatus.Storage(disk, keeper, storeCounters, recoveryCounters, finished),
                signing,
                memory,
                metrics.containment(),
                () -> TimeUnit.NANOSECONDS.toSeconds(nanoClock.nanoTime() - startedNs));
        status.addGauges(metrics);
    }

    private Feeds feeds(LeftOverBoard leftOvers) {
        List<LocalFeed> local = new ArrayList<>(localSources.feeds());
        local.addAll(vehicleLinks.localFeeds());
        return new Feeds(vehicleLinks.feeds(), local, leftOvers);
    }

    /** The recorder does not exist yet when this is handed out. */
    private List<RecordingStatus> recordings() {
        return recorder.statuses();
    }

    private static AgentRunner runner(Agent agent, long idleNs) {
        return new AgentRunner(new SleepingIdleStrategy(idleNs), e -> Fatal.end(agent.roleName(), e), null, agent);
    }

    /** Starts everything. What cannot be opened yet is tried again: nothing of it keeps the rest from recording. */
    public void start() {
        startThread(keeperRunner);
        startThread(recorderRunner);
        signingRunner.ifPresent(Daemon::startThread);
        fetchRunner.ifPresent(Daemon::startThread);
        agentsStarted = true;
        vehicleLinks.start();
        localSources.start();
        startHttp();
    }

    private static void startThread(AgentRunner runner) {
        AgentRunner.startOnThread(
                runner, task -> new Thread(task, runner.agent().roleName()));
    }

    private void startHttp() {
        settings.http().listen().ifPresent(address -> {
            try {
                StatusServer server = new StatusServer(
                        address.getHostString(),
                        address.getPort(),
                        settings.http().token(),
                        StatusPages.of(status, metrics),
                        metrics,
                        memory.share(Requester.HTTP_CLIENT));
                http = server;
                server.start();
            } catch (Throwable e) {
                // Recording matters more than its status page.
                httpStart.contain(e);
            }
        });
    }

    /**
     * The threads that must move for as long as we record: without them data are lost that a restart would save.
     *
     * @param recorderPatienceNs how long the recorder may stand still
     * @param keeperPatienceNs how long the keeper may, which waits for the disk as long as that takes
     * @param linkPatienceNs how long the thread of a link may
     */
    public List<Watchdog.Vital> vitals(long recorderPatienceNs, long keeperPatienceNs, long linkPatienceNs) {
        List<Watchdog.Vital> vitals = new ArrayList<>();
        vitals.add(new Watchdog.Vital("the recorder", recorderRounds::get, recorderPatienceNs));
        vitals.add(new Watchdog.Vital("the keeper", keeper::progress, keeperPatienceNs));
        vitals.addAll(vehicleLinks.vitals(linkPatienceNs));
        return vitals;
    }

    /** The threads of parts that may hang without ending anything; that is reported. */
    public List<Watchdog.Contained> watchedParts() {
        List<Watchdog.Contained> parts = new ArrayList<>(localSources.watched());
        fetcher.ifPresent(agent -> parts.add(new Watchdog.Contained(agent.part(), agent::rounds)));
        return parts;
    }

    /** Numbers of this daemon. */
    public Metrics metrics() {
        return metrics;
    }

    /** Where status is served; empty while it is not. */
    public Optional<InetSocketAddress> httpAddress() {
        StatusServer server = http;
        return server == null ? Optional.empty() : server.address();
    }

    public DaemonStatus status() {
        return status;
    }

    /** Stops the streams, takes what is on its way, finishes all files. Throws what failed after all is closed. */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>();
        if (agentsStarted) {
            steps.add(() -> vehicleLinks.stopStreams(nanoClock));
        }
        steps.add(vehicleLinks::close);
        steps.add(localSources::close);
        if (agentsStarted) {
            steps.add(() -> closePatiently(recorderRunner));
            steps.add(() -> closePatiently(keeperRunner));
            signingRunner.ifPresent(runner -> steps.add(() -> closePatiently(runner)));
            fetchRunner.ifPresent(runner -> steps.add(() -> closePatiently(runner)));
        }
        StatusServer server = http;
        if (server != null) {
            steps.add(server::close);
        }
        Closing.all(steps);
    }

    /** An interrupt would close the file under a write that only takes long. */
    private static void closePatiently(AgentRunner runner) {
        runner.close(CLOSE_WARNING_MS, thread -> LOG.warn("{} still waits for the disk", thread.getName()));
    }
}
