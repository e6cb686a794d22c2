package org.mavlogd.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.Settings;
import org.mavlogd.control.Watchdog;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.forward.ForwardRules;
import org.mavlogd.forward.ForwardStatus;
import org.mavlogd.forward.Forwarder;
import org.mavlogd.forward.LinkPort;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.local.heard.HeardMessages;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.signing.Signing;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.LinkFeeds;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleLogs;
import org.mavlogd.vehicle.VehicleStatus;

/**
 * The links on which vehicles are heard, each with its conversations and the rings that it fills for the recorder.
 * Started, stopped and closed by one thread at a time; any thread may read their state.
 */
final class VehicleLinks implements AutoCloseable {
    // Seconds of data of a fast link.
    private static final int LOCAL_RING_BYTES = 1 << 20;
    // Conversations give up by themselves after 3 s without an answer or data. Longer only if data does not end.
    private static final long STOP_NS = TimeUnit.MILLISECONDS.toNanos(3500);
    private static final int STOP_POLL_MS = 5;

    private final Metrics metrics;
    private final Optional<Signing> signing;
    private final ResumableLogs resumable;
    private final FetchAfterFlight fetch;
    private final Optional<Forwarder> forwarder;
    private final MemoryBudget memory;
    private final VehicleClaims claims;
    private final HeardMessages.Instances instances = new HeardMessages.Instances();
    private final List<Channel> channels = new ArrayList<>();

    private record Channel(
            Link link,
            boolean hasVehicles,
            LinkConversations conversations,
            Feed feed,
            LocalFeed local,
            Optional<FrameFeed> frames) {}

    VehicleLinks(
            Settings settings,
            SharedParts shared,
            Optional<Signing> signing,
            ResumableLogs resumable,
            FetchAfterFlight fetch,
            Optional<Forwarder> forwarder) {
        this.forwarder = forwarder;
        this.metrics = shared.metrics();
        this.memory = shared.memory();
        this.claims = new VehicleClaims(memory);
        this.signing = signing;
        this.resumable = resumable;
        this.fetch = fetch;
        for (LinkSettings link : settings.links()) {
            channels.add(channel(link, settings));
        }
    }

    private Channel channel(LinkSettings linkSettings, Settings settings) {
        String name = linkSettings.name();
        Feed feed = new Feed(name, settings.ringBytes());
        LocalFeed local = new LocalFeed("link." + name, LOCAL_RING_BYTES, memory.share(Requester.LOCAL_SOURCE));
        int number = channels.size();
        Signing.LinkParts signed =
                signing.map(parts -> parts.forLink(number, name, metrics)).orElse(Signing.LinkParts.OFF);
        LocalPublisher publisher = local.publisher();
        HeardMessages heard = heard(name, settings, publisher);
        LinkPort port = port(name, settings, heard);
        boolean isShared = port != null; // a lambda that takes the port would load its class
        Optional<FrameFeed> frames = settings.telemetry().map(limits -> new FrameFeed(name, isShared, metrics));
        boolean hasVehicles = !settings.forwarding().withoutVehicles().contains(name);
        LinkConversations conversations = new LinkConversations(
                new LinkFeeds(name, feed.publisher(), clocks(name, settings, publisher), port, frames.orElse(null)),
                hasVehicles ? settings.vehicles() : settings.vehicles().withoutVehicles(),
                new VehicleLogs(claims, resumable::ticket, fetch.forLink(name)),
                signed,
                heard,
                metrics);
        Link link = Links.create(linkSettings, conversations, LinkCounters.register(metrics, name));
        if (port != null) {
            port.connect(link::executeSending);
        }
        return new Channel(link, hasVehicles, conversations, feed, local, frames);
    }

    /** Not a lambda, which would load the classes of forwarding even if no link forwards. */
    private @Nullable LinkPort port(String link, Settings settings, HeardMessages heard) {
        Forwarder router = forwarder.orElse(null);
        ForwardRules rules =
                router == null ? null : settings.forwarding().rules(link).orElse(null);
        return router == null || rules == null ? null : router.add(rules, heard.dialect());
    }

    private LinkFeeds.ClockListener clocks(String link, Settings settings, LocalPublisher publisher) {
        return settings.vehicles().timesync().asks()
                ? new ClockTopic(link, publisher, metrics)
                : LinkFeeds.ClockListener.NONE;
    }

    private HeardMessages heard(String name, Settings settings, LocalPublisher publisher) {
        TextOutlet.Settings tags = settings.local().texts().tags();
        return new HeardMessages(
                name,
                settings.local().messages(),
                instances,
                publisher,
                new TextOutlet("link." + name, publisher, tags.tags(), tags.limits(), metrics),
                metrics);
    }

    void addGauges() {
        for (Channel channel : channels) {
            String name = channel.feed().name();
            metrics.gauge("ring.fill.ratio", "Share of the ring in use", channel.feed()::fill, "link", name);
            metrics.gauge(
                    "link.up",
                    "1 while bytes can flow",
                    () -> channel.link().status().state() == Link.Status.State.UP ? 1 : 0,
                    "link",
                    name);
        }
    }

    /** The vehicles' streams, to be drained by the recorder. */
    List<Feed> feeds() {
        return channels.stream().map(Channel::feed).toList();
    }

    /** Other messages of the links, to be drained by the recorder. */
    List<LocalFeed> localFeeds() {
        return channels.stream().map(Channel::local).toList();
    }

    /** All frames of the links, to be drained by the recorder; empty without telemetry logs. */
    List<FrameFeed> frameFeeds() {
        return channels.stream().flatMap(channel -> channel.frames().stream()).toList();
    }

    /** The fill of the fullest ring. */
    double ringFill() {
        return channels.stream()
                .mapToDouble(channel -> channel.feed().fill())
                .max()
                .orElse(0);
    }

    List<Link.Status> statuses() {
        return channels.stream().map(channel -> channel.link().status()).toList();
    }

    /** The links that are down and of which vehicles are recorded, a line each. */
    List<String> problems() {
        return channels.stream()
                .filter(Channel::hasVehicles)
                .map(channel -> channel.link().status())
                .filter(Link.Status::hasProblem)
                .map(link -> "link " + link.name() + ": " + link.detail())
                .toList();
    }

    /** The state of forwarding on each link that forwards. */
    List<ForwardStatus> forwarding() {
        return forwarder.map(Forwarder::status).orElse(List.of());
    }

    List<VehicleStatus> vehicles() {
        return channels.stream()
                .flatMap(channel -> channel.conversations().statuses().stream())
                .toList();
    }

    /** Why links accept no frames, for people; empty if all do. */
    List<String> refusals() {
        return channels.stream()
                .map(channel -> channel.conversations().refusal())
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** Links with more vehicles than can be recorded, for people; empty if there are none. */
    List<String> crowds() {
        return channels.stream()
                .map(channel -> channel.conversations().crowd())
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** @param patienceNs how long the thread of a link may make no progress */
    List<Watchdog.Vital> vitals(long patienceNs) {
        return channels.stream()
                .map(channel -> new Watchdog.Vital(
                        "link \"" + channel.link().name() + '"', new LinkPulse(channel.link()), patienceNs))
                .toList();
    }

    void start() {
        channels.forEach(channel -> channel.link().start());
    }

    /** Stops the vehicles' streams, and waits up to 3.5 s for their rest. */
    void stopStreams(NanoClock clock) {
        long deadlineNs = clock.nanoTime() + STOP_NS;
        CountDownLatch told = new CountDownLatch(channels.size());
        for (Channel channel : channels) {
            channel.link().execute(() -> {
                channel.conversations().shutDown();
                told.countDown();
            });
        }
        try {
            boolean allTold = told.await(STOP_NS, TimeUnit.NANOSECONDS);
            while (!(allTold && isAtRest()) && deadlineNs - clock.nanoTime() > 0) {
                Thread.sleep(STOP_POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAtRest() {
        return channels.stream().allMatch(channel -> channel.conversations().isAtRest());
    }

    @Override
    public void close() {
        Closing.all(channels.stream()
                .map(channel -> (Runnable) channel.link()::close)
                .toList());
    }
}
