package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.mavlogd.config.LocalSettings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.Sampler;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.TopicSource;
import org.mavlogd.local.events.EventAgent;
import org.mavlogd.local.gpsd.GpsdSource;
import org.mavlogd.local.iio.IioSource;
import org.mavlogd.local.nmea.NmeaSource;
import org.mavlogd.local.publish.FormatClaims;
import org.mavlogd.local.publish.PublishSource;
import org.mavlogd.local.publish.TopicDefinition;
import org.mavlogd.local.system.SystemSources;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;

/**
 * All sources of local data: the sampler with its polled sources, the links of instruments and programs, and a feed for
 * each producing thread.
 */
public final class LocalSources implements AutoCloseable {
    // The value that PublishSource expects for an unknown tag.
    private static final int NO_TAG = -1;
    // Minutes of all sampled sources at their usual rates; seconds of the fastest instruments.
    private static final int SAMPLER_RING_BYTES = 1 << 20;
    private static final int LINK_RING_BYTES = 1 << 18;

    private final Metrics metrics;
    private final MemoryBudget memory;
    private final List<LocalFeed> feeds = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Watchdog.Contained> watched = new ArrayList<>();
    private final ThreadPoolExecutor readers = Sampler.readingThreads();
    private final Optional<AgentRunner> sampler;
    private final Optional<TextSources> messages;
    private boolean started;

    public LocalSources(
            LocalSettings settings, SharedParts shared, SystemSources.RecorderHealth health, EventAgent.Watch watch) {
        this.metrics = shared.metrics();
        this.memory = shared.memory();
        // A source that cannot be made does not keep the others or the recorder from starting.
        ContainedPart making = metrics.part("local.start", Recovery.STAYS_OFF);
        this.sampler = making.getAlways(() -> sampler(settings, shared.clock(), health), Optional.empty());
        making.runAlways(() -> settings.gpsd().ifPresent(this::addGpsd));
        settings.nmea().forEach(nmea -> making.runAlways(() -> addNmea(nmea)));
        making.runAlways(() -> addPublish(settings.publish(), settings.texts().tags()));
        this.messages = making.getAlways(
                () -> Optional.of(new TextSources(settings.texts(), metrics, shared.clock(), watch)), Optional.empty());
        messages.ifPresent(its -> {
            feeds.addAll(its.feeds());
            links.addAll(its.links());
            watched.addAll(its.watched());
        });
        for (LocalFeed feed : feeds) {
            metrics.gauge(
                    "local.fill.ratio", "Share of a local source's ring in use", feed::fill, "source", feed.name());
        }
        for (Link link : links) {
            metrics.gauge(
                    "link.up",
                    "1 while bytes can flow",
                    () -> link.status().state() == Link.Status.State.UP ? 1 : 0,
                    "link",
                    link.name());
        }
    }

    private Optional<AgentRunner> sampler(
            LocalSettings settings, NanoClock clock, SystemSources.RecorderHealth health) {
        if (settings.system().isEmpty() && settings.iio().isEmpty()) {
            return Optional.empty();
        }
        LocalPublisher publisher = addFeed("sampler", SAMPLER_RING_BYTES);
        List<TopicSource> sources = new ArrayList<>();
        settings.system().ifPresent(system -> sources.addAll(SystemSources.create(system, publisher, metrics, health)));
        settings.iio().ifPresent(iio -> sources.add(new IioSource(iio, new Outlet("iio", publisher, metrics), clock)));
        Sampler agent = new Sampler(sources, clock, readers, metrics);
        ContainedAgent contained = new ContainedAgent(agent, metrics);
        watched.add(new Watchdog.Contained(contained.part(), contained::rounds));
        return Optional.of(contained.runner(agent.idleStrategy()));
    }

    private void addGpsd(LinkSettings gpsd) {
        addLink(gpsd, new GpsdSource(addFeed(gpsd.name(), LINK_RING_BYTES), metrics));
    }

    private void addNmea(LocalSettings.LinkedSource<NmeaSource.Settings> nmea) {
        for (LinkSettings link : nmea.links()) {
            LocalPublisher feed = addFeed("nmea." + link.name(), LINK_RING_BYTES);
            addLink(link, new NmeaSource(nmea.settings(), feed, metrics));
        }
    }

    private void addPublish(
            LocalSettings.LinkedSource<LocalSettings.PublishSettings> publish, TextOutlet.Settings tags) {
        FormatClaims claims = new FormatClaims();
        // Declared on one socket only, so that they are not in a log twice; the others take them over when they are
        // used there.
        List<TopicDefinition> declared = publish.settings().topics();
        for (LinkSettings socket : publish.links()) {
            PublishSource.Settings settings = new PublishSource.Settings(
                    socket.name(),
                    declared,
                    publish.settings().infers(),
                    name -> tags.tags().id(name).orElse(NO_TAG),
                    tags.limits(),
                    ThreadLocalRandom.current().nextInt(),
                    Links.maxDatagramLength(socket));
            LocalPublisher feed = addFeed(socket.name(), publish.settings().ringBytes());
            addLink(
                    socket,
                    new PublishSource(
                            settings,
                            claims,
                            feed,
                            metrics,
                            SystemEpochNanoClock.INSTANCE::nanoTime,
                            System::nanoTime));
            declared = List.of();
        }
    }

    private LocalPublisher addFeed(String name, int ringBytes) {
        LocalFeed feed = new LocalFeed(name, ringBytes, memory.share(Requester.LOCAL_SOURCE));
        feeds.add(feed);
        return feed.publisher();
    }

    private void addLink(LinkSettings settings, LinkListener source) {
        String name = settings.name();
        ContainedPart part = metrics.part(name, Recovery.CONTINUES);
        Link link = Links.createContained(settings, source, LinkCounters.register(metrics, name), part);
        links.add(link);
        watched.add(new Watchdog.Contained(part, new LinkPulse(link)));
    }

    /** One for each producing thread, to be drained by the recorder. */
    public List<LocalFeed> feeds() {
        return List.copyOf(feeds);
    }

    /** The parts to report when their thread hangs. */
    List<Watchdog.Contained> watched() {
        return List.copyOf(watched);
    }

    /** The links of sources, for the status. */
    public List<Link.Status> linkStatuses() {
        return links.stream().map(Link::status).toList();
    }

    public void start() {
        started = true;
        sampler.ifPresent(runner -> AgentRunner.startOnThread(
                runner, task -> new Thread(task, runner.agent().roleName())));
        messages.ifPresent(TextSources::start);
        links.forEach(Link::start);
    }

    /** Stops the sources; published data stays in the feeds. */
    @Override
    public void close() {
        links.forEach(Link::close);
        if (started) {
            sampler.ifPresent(AgentRunner::close);
        }
        readers.shutdownNow();
        messages.ifPresent(TextSources::close);
    }
}
