package org.mavlogd.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.HostPort;
import org.mavlogd.config.LogSettings;
import org.mavlogd.config.MessagesSection;
import org.mavlogd.config.RetentionSettings;
import org.mavlogd.config.Settings;
import org.mavlogd.config.TagsSection;
import org.mavlogd.control.StatusServer;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.LinkStatus;
import org.mavlogd.link.Links;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.HeardInstances;
import org.mavlogd.local.heard.HeardMessages;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.Peak;
import org.mavlogd.record.Feeds;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.RecordingStatus;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.CrashReport;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Durability;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.ForceMeter;
import org.mavlogd.store.HostClock;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LeftOverBoard;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.RotationPolicy;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.SpaceStatus;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.RecordingMode;
import org.mavlogd.vehicle.TimesyncSettings;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts put together. Started in the order keeper, recorder, HTTP, links, and stopped in an order in which nothing that
 * is on its way gets lost: the vehicles' streams, the links, the recorder, the keeper.
 */
final class Daemon implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
    private static final int MEBI = 1 << 20;
    private static final int KIBI = 1 << 10;
    // Seconds of all that a fast link may carry.
    private static final int LOCAL_RING_BYTES = 1 << 20;

    // It is woken when there is something to force or to finish.
    private static final long KEEPER_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SIGNING_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FETCH_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long STOP_NS = TimeUnit.MILLISECONDS.toNanos(2000);
    private static final int STOP_POLL_MS = 5;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int CLOSE_PATIENCE_MS = 60_000;

    private record Channel(Link link, LinkConversations conversations, Feed feed, LocalFeed local) {}

    private final Settings settings;
    private final NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private final EpochClock epochClock = SystemEpochClock.INSTANCE;
    private final long startedNs = nanoClock.nanoTime();
    private final Metrics metrics = new Metrics();
    private final Peak writeNs = new Peak();
    private final Disk disk;
    private final LeftOverBoard leftOvers = new LeftOverBoard();
    private final FinishedLogs finished = new FinishedLogs();
    private final List<Channel> channels = new ArrayList<>();
    private final StoreCounters storeCounters;
    private final Keeper keeper;
    private final LocalSources localSources;
    private final Recorder recorder;
    private final Counter recorderRounds;
    private final AgentRunner recorderRunner;
    private final AgentRunner keeperRunner;
    private final Optional<Signing> signing;
    private final Optional<AgentRunner> signingRunner;
    private final FetchAfterFlight fetch;
    private final Optional<AgentRunner> fetchRunner;
    private @Nullable StatusServer http;
    private @Nullable InetSocketAddress httpAddress;
    private boolean agentsStarted;

    /** A daemon that knows nothing of the end of earlier runs. */
    Daemon(Settings settings) {
        this(settings, CrashReport.Source.NONE);
    }

    Daemon(Settings settings, CrashReport.Source crashes) {
        this.settings = settings;
        Durability durability = Durability.ofMs(settings.recorder().forceIntervalMs());
        StoreSettings storeSettings = new StoreSettings(
                settings.recorder().writeBatchKib() * KIBI,
                durability,
                new RotationPolicy(
                        (long) settings.log().rotateMib() * MEBI,
                        TimeUnit.MINUTES.toNanos(settings.log().rotateMin())));
        this.disk = new FileDisk(settings.log().directory(), writeNs);
        this.storeCounters = StoreCounters.register(metrics);
        HostClock clock = new HostClock(
                nanoClock, epochClock, bootId(), ProcessHandle.current().pid());
        SpaceLimits limits = spaceLimits(settings.log().retention());
        this.keeper = new Keeper(
                disk, nanoClock, finished::add, limits, storeCounters, new Keeper.Restart(clock, leftOvers, crashes));
        LogStore store = new LogStore(disk, epochClock, storeSettings, keeper, leftOvers);
        this.signing = settings.signing()
                .key()
                .map(key -> new Signing(
                        key, settings.signing().policy(), settings.signing().stateFile(), epochClock));
        this.signingRunner = signing.map(parts -> runner(parts.agent(), SIGNING_IDLE_NS));
        this.fetch = new FetchAfterFlight(settings, () -> limits.spareBytes(disk), nanoClock);
        this.fetchRunner = settings.fetch().afterDisarm() ? Optional.of(fetchRunner(fetch.agent())) : Optional.empty();
        addChannels();
        this.localSources = new LocalSources(
                settings.local(),
                settings.log().directory(),
                metrics,
                nanoClock,
                new RecorderFigures(metrics, this::ringFill, writeNs),
                new FlightWatch(
                        this::recordings,
                        this::vehicles,
                        () -> metrics.total("signing.dropped.frames"),
                        TimeUnit.SECONDS.toMillis(settings.vehicle().silenceTimeoutS())));
        this.recorder = new Recorder(nanoClock, epochClock, store, metrics, RecordParts.of(settings), feeds());
        this.recorderRounds =
                metrics.counter("recorder.rounds", "Rounds of the recorder; it hangs when they stand still");
        this.recorderRunner = runner(new CountedAgent(recorder, recorderRounds), durability.lookNs());
        this.keeperRunner = runner(keeper, KEEPER_IDLE_NS);
        addGauges();
        addForces(keeper.forceMeter());
    }

    private Feeds feeds() {
        List<LocalFeed> local = new ArrayList<>(localSources.feeds());
        channels.forEach(channel -> local.add(channel.local()));
        return new Feeds(channels.stream().map(Channel::feed).toList(), local);
    }

    /** Of the fullest ring. */
    private double ringFill() {
        return channels.stream()
                .mapToDouble(channel -> channel.feed().fill())
                .max()
                .orElse(0);
    }

    private static SpaceLimits spaceLimits(RetentionSettings retention) {
        return new SpaceLimits(
                (long) retention.keepFreeMib() * MEBI,
                (long) retention.maxTotalMib() * MEBI,
                retention.maxFiles(),
                (long) retention.reserveMib() * MEBI);
    }

    /** As the kernel has it, with dashes; empty when it does not tell. */
    static String bootId() {
        try {
            return Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private void addChannels() {
        VehicleClaims claims = new VehicleClaims();
        HeardInstances instances = new HeardInstances();
        MessagesSection messages = settings.local().messages();
        TagsSection tags = settings.local().texts().tags();
        ConversationSettings conversation = new ConversationSettings(
                settings.vehicle().systemId(),
                settings.mavlink().componentId(),
                settings.log().mode() == LogSettings.Mode.ARMED ? RecordingMode.ARMED : RecordingMode.ALWAYS,
                TimeUnit.SECONDS.toNanos(settings.log().leadOutS()),
                TimeUnit.SECONDS.toNanos(settings.vehicle().silenceTimeoutS()),
                new TimesyncSettings(
                        settings.mavlink().timesync(), settings.mavlink().answerTimesync()));
        for (LinkSettings linkSettings : settings.links()) {
            String name = linkSettings.name();
            Feed feed = new Feed(name, settings.recorder().ringMib() * MEBI);
            LocalFeed local = new LocalFeed("link." + name, LOCAL_RING_BYTES);
            int number = channels.size();
            Signing.LinkParts signed =
                    signing.map(parts -> parts.forLink(number, name, metrics)).orElse(Signing.LinkParts.OFF);
            LocalPublisher publisher = local.publisher();
            LinkConversations conversations = new LinkConversations(
                    name,
                    conversation,
                    claims,
                    feed.publisher(),
                    publisher,
                    metrics,
                    signed,
                    leftOvers::ticket,
                    new HeardMessages(
                            name,
                            messages.heard(),
                            messages.dialect(),
                            instances,
                            publisher,
                            new TextOutlet("link." + name, publisher, tags.tags(), tags.limits(), metrics),
                            metrics),
                    fetch.forLink(name));
            Link link = Links.create(linkSettings, conversations, LinkCounters.register(metrics, name));
            channels.add(new Channel(link, conversations, feed, local));
        }
    }

    private void addGauges() {
        for (Channel channel : channels) {
            String name = channel.feed().name();
            metrics.gauge("ring.fill.ratio", "Share of the ring in use", channel.feed()::fill, "feed", name);
            metrics.gauge(
                    "link.up",
                    "1 while bytes can flow",
                    () -> channel.link().status().state() == LinkStatus.State.UP ? 1 : 0,
                    "link",
                    name);
        }
        metrics.gauge("vehicles", "Vehicles heard so far", () -> vehicles().size());
        metrics.gauge("recordings", "Logs that grow now", () -> recordings().size());
        metrics.gauge("disk.usable.bytes", "Bytes that may still be written", () -> (double) usableBytes());
        metrics.gauge(
                "disk.paused",
                "1 while recording pauses for want of space",
                () -> space().state() == SpaceStatus.State.PAUSED ? 1 : 0);
        metrics.gauge("uptime.seconds", "Time since start", () -> (double) uptimeS());
    }

    private void addForces(ForceMeter meter) {
        metrics.counter("store.forces", "Times that a file was forced to the medium", meter.forces());
        metrics.counter("store.force.us", "Microseconds that forces took, all together", meter.microseconds());
        metrics.gauge("store.force.max.us", "Longest force since the start", () -> (double) meter.longestUs());
    }

    private static AgentRunner runner(Agent agent, long idleNs) {
        return new AgentRunner(new SleepingIdleStrategy(idleNs), e -> Fatal.end(agent.roleName(), e), null, agent);
    }

    /** What goes wrong with fetching must not end the recording; only what the whole process suffers from does. */
    private static AgentRunner fetchRunner(Agent agent) {
        return new AgentRunner(
                new SleepingIdleStrategy(FETCH_IDLE_NS),
                e -> {
                    if (e instanceof VirtualMachineError) {
                        Fatal.end(agent.roleName(), e);
                    }
                    LOG.error("fetch: {}", e.toString(), e);
                },
                null,
                agent);
    }

    /** Starts everything. After an exception the daemon is to be closed. */
    void start() throws StartException {
        startThread(keeperRunner);
        startThread(recorderRunner);
        signingRunner.ifPresent(Daemon::startThread);
        fetchRunner.ifPresent(Daemon::startThread);
        agentsStarted = true;
        startHttp();
        for (Channel channel : channels) {
            channel.link().start();
        }
        localSources.start();
    }

    private static void startThread(AgentRunner runner) {
        AgentRunner.startOnThread(
                runner, task -> new Thread(task, runner.agent().roleName()));
    }

    private void startHttp() throws StartException {
        if (settings.http().listen().isEmpty()) {
            return;
        }
        HostPort address = settings.http().listen().get();
        StatusServer server = new StatusServer(
                address.host(), address.port(), settings.http().token(), StatusPages.of(this, metrics), metrics);
        try {
            InetSocketAddress bound = server.start();
            httpAddress = bound;
            LOG.info("status at http://{}/status", new HostPort(address.host(), bound.getPort()));
        } catch (IOException e) {
            server.close();
            throw new StartException(e.getMessage() + "; change [http] listen, or set it to \"\"");
        }
        http = server;
    }

    /**
     * What must move for as long as we record. The keeper is not among it: a slow medium may hold it up, and meanwhile
     * nothing is lost that a restart would save.
     *
     * @param recorderPatienceNs how long the recorder may stand still
     * @param linkPatienceNs how long the thread of a link may
     */
    List<Watchdog.Vital> vitals(long recorderPatienceNs, long linkPatienceNs) {
        List<Watchdog.Vital> vitals = new ArrayList<>();
        vitals.add(new Watchdog.Vital("the recorder", recorderRounds::get, recorderPatienceNs));
        for (Channel channel : channels) {
            vitals.add(new Watchdog.Vital(
                    "link \"" + channel.link().name() + '"', new LinkPulse(channel.link()), linkPatienceNs));
        }
        return vitals;
    }

    /** Where status is served; empty when it is not. */
    Optional<InetSocketAddress> httpAddress() {
        return Optional.ofNullable(httpAddress);
    }

    List<LinkStatus> links() {
        return channels.stream().map(channel -> channel.link().status()).toList();
    }

    List<VehicleStatus> vehicles() {
        return channels.stream()
                .flatMap(channel -> channel.conversations().statuses().stream())
                .toList();
    }

    /** What is wrong with signing, if it is on and anything is; for people. */
    Optional<String> signingProblem() {
        return signing.map(parts -> parts.agent().problem()).filter(problem -> !problem.isEmpty());
    }

    /** The policy in words, or that signing is off. */
    String signingState() {
        return signing.map(parts -> parts.policy().name().toLowerCase(Locale.ROOT))
                .orElse("off");
    }

    List<RecordingStatus> recordings() {
        return recorder.statuses();
    }

    List<FinishedLogs.Log> finishedLogs() {
        return finished.newest();
    }

    String directory() {
        return disk.location();
    }

    /** {@link Long#MAX_VALUE} when the disk does not tell. */
    long usableBytes() {
        try {
            return disk.usableBytes();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The disk as the keeper saw it last. */
    SpaceStatus space() {
        return keeper.spaceStatus();
    }

    StoreCounters storeCounters() {
        return storeCounters;
    }

    long uptimeS() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoClock.nanoTime() - startedNs);
    }

    /** Stops the streams, takes what is on its way, finishes all files. */
    @Override
    public void close() {
        stopStreams();
        channels.forEach(channel -> channel.link().close());
        localSources.close();
        if (agentsStarted) {
            closePatiently(recorderRunner);
            closePatiently(keeperRunner);
            signingRunner.ifPresent(Daemon::closePatiently);
            fetchRunner.ifPresent(Daemon::closePatiently);
        }
        if (http != null) {
            http.close();
        }
    }

    /** An interrupt would close the file under a write that only takes long. */
    private static void closePatiently(AgentRunner runner) {
        runner.close(CLOSE_PATIENCE_MS, thread -> LOG.warn("{} still waits for the disk", thread.getName()));
    }

    private void stopStreams() {
        if (!agentsStarted) {
            return;
        }
        long deadlineNs = nanoClock.nanoTime() + STOP_NS;
        CountDownLatch told = new CountDownLatch(channels.size());
        for (Channel channel : channels) {
            channel.link().execute(() -> {
                channel.conversations().shutDown();
                told.countDown();
            });
        }
        try {
            boolean allTold = told.await(STOP_NS, TimeUnit.NANOSECONDS);
            while (!(allTold && isAtRest()) && deadlineNs - nanoClock.nanoTime() > 0) {
                Thread.sleep(STOP_POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAtRest() {
        return channels.stream().allMatch(channel -> channel.conversations().isAtRest());
    }
}
