package org.mavlogd.wiring;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.mavlogd.cli.Version;
import org.mavlogd.config.Settings;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.forward.Forwarder;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.signing.Signing;
import org.mavlogd.tags.TagMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorder with all its parts. Starts them in the order keeper, recorder, links, HTTP, and stops them in an order
 * in which no data is lost: the vehicles' streams, the links, the recorder, the keeper.
 */
public final class Daemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

    // The keeper is woken if there is a file to force or to finish. It then also measures the disk, and by itself while
    // nothing comes. Forces come more often than this while a vehicle streams, so each round does both.
    private static final long KEEPER_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(480);
    private static final long SIGNING_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FETCH_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    // Well within TimeoutStopSec of the unit, so that the journal has the reason of the delay.
    private static final int CLOSE_WARNING_MS = 10_000;

    private final Settings settings;
    private final NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private final EpochClock epochClock = SystemEpochClock.INSTANCE;
    private final long startedNs = nanoClock.nanoTime();
    private final SharedParts shared = new SharedParts(new Metrics(), MemoryBudget.ofHeap(), nanoClock);
    private final ContainedPart httpStart = shared.metrics().part("http.start", Recovery.PAUSES);
    private final Storage storage;
    private final VehicleLinks vehicleLinks;
    private final LocalSources localSources;
    private final Recorder recorder;
    private final Counter recorderRounds;
    private final AgentRunner recorderRunner;
    private final AgentRunner keeperRunner;
    private final Optional<ContainedAgent> signer;
    private final Optional<ContainedAgent> fetcher;
    private final Optional<ContainedAgent> forwarder;
    private final List<AgentRunner> containedRunners = new ArrayList<>();
    private final DaemonStatus status;
    private final Pages pages;
    private boolean agentsStarted;
    private volatile String hanging = "";

    /** A daemon without reports on earlier runs. */
    public Daemon(Settings settings) {
        this(settings, CrashReport.Source.NONE);
    }

    public Daemon(Settings settings, CrashReport.Source crashes) {
        this.settings = settings;
        this.storage = Storage.of(settings, shared, epochClock, crashes);
        Optional<Signing> signing = Signing.of(settings.signing(), epochClock);
        this.signer = signing.map(parts -> contained(parts.agent(), SIGNING_IDLE_NS));
        FetchAfterFlight fetch =
                new FetchAfterFlight(settings, () -> settings.space().spareBytes(storage.disk()), shared);
        this.fetcher = fetch.isNeeded() ? Optional.of(contained(fetch.agent(), FETCH_IDLE_NS)) : Optional.empty();
        Optional<Forwarder> forwarding = forwarding();
        // Not a lambda, which would load the classes of forwarding even if no link forwards.
        this.forwarder = forwarding.isPresent()
                ? Optional.of(contained(forwarding.get(), forwarding.get().rest()))
                : Optional.empty();
        this.vehicleLinks = new VehicleLinks(settings, shared, signing, storage.resumable(), fetch, forwarding);
        this.localSources = localSources();
        this.recorder = recorder();
        this.recorderRounds =
                shared.metrics().counter("recorder.rounds", "Rounds of the recorder; it hangs if they do not increase");
        this.recorderRunner = runner(new CountedAgent(recorder, recorderRounds), new RecorderRest(recorder::sleepNs));
        this.keeperRunner = runner(storage.keeper(), new SleepingIdleStrategy(KEEPER_IDLE_NS));
        this.status = new DaemonStatus(
                vehicleLinks,
                recorder,
                storage,
                signing,
                shared.memory(),
                shared.metrics().containment(),
                new UploadProgress(settings.uploads().resolve(UploadSettings.STATUS)),
                () -> hanging,
                () -> TimeUnit.NANOSECONDS.toSeconds(nanoClock.nanoTime() - startedNs));
        status.addGauges(shared.metrics());
        this.pages = new Pages(
                settings.http(),
                shared,
                httpStart,
                () -> Stream.concat(Pages.endpoints(status, shared.metrics()).stream(), fetch.commands().stream())
                        .toList());
    }

    private Optional<Forwarder> forwarding() {
        ForwardSettings forward = settings.forwarding();
        if (!forward.isOn()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Forwarder(
                    forward.sharesLogStream(),
                    nanoClock,
                    shared.metrics(),
                    shared.memory().share(Requester.FORWARDING),
                    new SecureRandom().nextLong()));
        } catch (Throwable e) {
            shared.metrics().part("forward.start", Recovery.STAYS_OFF).contain(e);
            return Optional.empty();
        }
    }

    /** An agent that is not essential for recording. */
    private ContainedAgent contained(Agent agent, long idleNs) {
        return contained(agent, new SleepingIdleStrategy(idleNs));
    }

    private ContainedAgent contained(Agent agent, IdleStrategy idle) {
        ContainedAgent contained = new ContainedAgent(agent, shared.metrics());
        containedRunners.add(contained.runner(idle));
        return contained;
    }

    private LocalSources localSources() {
        Metrics metrics = shared.metrics();
        return new LocalSources(
                settings.local(),
                shared,
                new RecorderFigures(metrics, vehicleLinks::ringFill, storage.writeNs()),
                new FlightWatch(
                        this::recordings,
                        vehicleLinks::vehicles,
                        () -> metrics.total("signing.dropped.frames"),
                        TimeUnit.NANOSECONDS.toMillis(settings.vehicles().silenceNs())));
    }

    private Recorder recorder() {
        List<LocalFeed> local = new ArrayList<>(localSources.feeds());
        local.addAll(vehicleLinks.localFeeds());
        return new Recorder(
                nanoClock,
                epochClock,
                storage.store(),
                shared.metrics(),
                recordSettings(),
                new Recorder.Feeds(vehicleLinks.feeds(), local, vehicleLinks.frameFeeds(), storage.resumable()));
    }

    /** A method reference to this is passed on before the recorder exists. */
    private List<RecordingStatus> recordings() {
        return recorder.statuses();
    }

    private static AgentRunner runner(Agent agent, IdleStrategy idle) {
        return new AgentRunner(idle, e -> Fatal.end(agent.roleName(), e), null, agent);
    }

    /**
     * Starts everything. Parts that cannot be opened yet are tried again, and do not keep the others from recording.
     */
    public void start() {
        startThread(keeperRunner);
        startThread(recorderRunner);
        containedRunners.forEach(Daemon::startThread);
        agentsStarted = true;
        vehicleLinks.start();
        localSources.start();
        pages.start();
    }

    private static void startThread(AgentRunner runner) {
        AgentRunner.startOnThread(
                runner, task -> new Thread(task, runner.agent().roleName()));
    }

    /**
     * The threads that must make progress while recording: without them data is lost that a restart would save.
     *
     * @param recorderPatienceNs how long the recorder may make no progress
     * @param keeperPatienceNs how long the keeper may make none, which waits for the disk
     * @param linkPatienceNs how long the thread of a link may make none
     */
    public List<Watchdog.Vital> vitals(long recorderPatienceNs, long keeperPatienceNs, long linkPatienceNs) {
        List<Watchdog.Vital> vitals = new ArrayList<>();
        vitals.add(new Watchdog.Vital("the recorder", recorderRounds::get, recorderPatienceNs));
        vitals.add(new Watchdog.Vital("the keeper", storage.keeper()::progress, keeperPatienceNs));
        vitals.addAll(vehicleLinks.vitals(linkPatienceNs));
        return vitals;
    }

    /** The threads of parts that may hang without ending the process; they are reported. */
    public List<Watchdog.Contained> watchedParts() {
        List<Watchdog.Contained> parts = new ArrayList<>(localSources.watched());
        Stream.of(signer, fetcher, forwarder)
                .flatMap(Optional::stream)
                .forEach(agent -> parts.add(new Watchdog.Contained(agent.part(), agent::rounds)));
        return parts;
    }

    /** Shows in the status which vital thread makes no progress; empty if all do. Any thread. */
    public void hangs(String complaint) {
        hanging = complaint;
    }

    /** The metrics of this daemon. */
    public Metrics metrics() {
        return shared.metrics();
    }

    /** The address of the status server; empty while it does not listen. */
    public Optional<InetSocketAddress> httpAddress() {
        return pages.address();
    }

    public DaemonStatus status() {
        return status;
    }

    /**
     * Stops the streams, takes the rest of the data, and finishes all files. Throws failures after everything is
     * closed.
     */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>();
        if (agentsStarted) {
            steps.add(() -> vehicleLinks.stopStreams(nanoClock));
        }
        steps.add(vehicleLinks::close);
        steps.add(localSources::close);
        if (agentsStarted) {
            steps.add(() -> closePatiently(recorderRunner, CLOSE_WARNING_MS));
            steps.add(() -> closePatiently(keeperRunner, CLOSE_WARNING_MS));
            containedRunners.forEach(runner -> steps.add(() -> closePatiently(runner, CLOSE_WARNING_MS)));
        }
        steps.add(pages::close);
        Closing.all(steps);
    }

    /**
     * Waits until the agent's thread has ended, and reports each time that this takes long. The runner itself must wait
     * without a limit: at its limit it interrupts the thread, which closes the file during a write that only takes long.
     */
    static void closePatiently(AgentRunner runner, long warningMs) {
        Thread closing = new Thread(
                () -> runner.close(0, thread -> {}), "close-" + runner.agent().roleName());
        closing.start();
        boolean isInterrupted = false;
        while (closing.isAlive()) {
            try {
                closing.join(warningMs);
                if (closing.isAlive()) {
                    LOG.warn("{} still waits for the disk", runner.agent().roleName());
                }
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private RecordSettings recordSettings() {
        return new RecordSettings(
                "mavlogd " + Version.text(),
                infos(),
                settings.merge(),
                settings.standalone(),
                settings.blocks(),
                settings.telemetry().orElse(TelemetryLogs.Limits.DEFAULT),
                bauds(settings.links()),
                shared.memory());
    }

    private static Map<String, Integer> bauds(List<LinkSettings> links) {
        return links.stream()
                .filter(LinkSettings.SerialPort.class::isInstance)
                .map(LinkSettings.SerialPort.class::cast)
                .collect(Collectors.toMap(LinkSettings.SerialPort::name, LinkSettings.SerialPort::baud));
    }

    /** The names of tags, so that readers of a log do not need this configuration. */
    private Map<String, String> infos() {
        return Map.of(TagMap.INFO, settings.local().texts().tags().tags().infoText());
    }

    /** Counts the finished rounds of an agent, so that other threads see its progress. Hot path. */
    private static final class CountedAgent implements Agent {
        private final Agent agent;
        private final Counter rounds;

        CountedAgent(Agent agent, Counter rounds) {
            this.agent = agent;
            this.rounds = rounds;
        }

        @Override
        public void onStart() {
            agent.onStart();
        }

        @Override
        public int doWork() throws Exception {
            int work = agent.doWork();
            rounds.increment();
            return work;
        }

        @Override
        public void onClose() {
            agent.onClose();
        }

        @Override
        public String roleName() {
            return agent.roleName();
        }
    }
}
