package org.mavlogd.local.heard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.HeardFrames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records messages of one link: each configured message as a sample of the topic {@code mavlink_<name>}, with an
 * instance for each sender and the frame's arrival as its time, and STATUSTEXT as log messages. A topic is declared
 * when its first message comes; if it is configured by name, already when any message comes, so that the log has it
 * from the start.
 *
 * <p>An error here costs only its own message, never the vehicle's log. Owned by the link's thread. Hot path: after the
 * first message of a sender allocates nothing, except for STATUSTEXT.
 */
public final class HeardMessages implements HeardFrames {
    private static final Logger LOG = LoggerFactory.getLogger(HeardMessages.class);
    /** The link's own topics need some places, too. */
    private static final int MAX_TOPICS = 768;

    private final String link;
    private final Dialect dialect;
    private final HeardSettings.MessageChoice choice;
    private final HeardSettings.SenderChoice senders;
    private final Instances instances;
    private final LocalPublisher publisher;
    private final Counters counters;
    private final StatusTexts texts;
    private final ContainedPart part;

    /** By definition; null for messages that have not come yet. */
    private final @Nullable HeardTopic[] topics;

    /** By definition, for messages that are left out: counts them by the reason. Null for others. */
    private final @Nullable Counter[] leftOut;

    private int topicCount;
    private boolean begun;
    private boolean toldRefusal;

    /**
     * For one link.
     *
     * @param instances shared by all links
     * @param publisher takes samples, {@code texts} takes log messages; both of the link's own feed
     */
    public HeardMessages(
            String link,
            HeardSettings settings,
            Instances instances,
            LocalPublisher publisher,
            TextOutlet texts,
            Metrics metrics) {
        this.link = link;
        this.dialect = settings.dialect();
        this.choice = new HeardSettings.MessageChoice(settings);
        this.senders = settings.senders();
        this.instances = instances;
        this.publisher = publisher;
        this.counters = Counters.register(metrics, link);
        this.texts = new StatusTexts(settings.statusText(), texts, counters);
        this.part = metrics.part("messages." + link, Recovery.CONTINUES);
        this.topics = new HeardTopic[dialect.count()];
        this.leftOut = new Counter[dialect.count()];
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public boolean takesAnyones() {
        return senders == HeardSettings.SenderChoice.ANYONE;
    }

    @Override
    public boolean takesOthers() {
        return senders != HeardSettings.SenderChoice.VEHICLES;
    }

    @Override
    public int[] timedMessages() {
        return IntStream.range(0, dialect.count())
                .filter(definition -> choice.isWanted(dialect.name(definition)))
                .map(dialect::id)
                .toArray();
    }

    @Override
    public void onFrame(FrameView frame, boolean isLogged, boolean isNamed, long nowNs) {
        if (!part.mayRun()) {
            return;
        }
        try {
            record(frame, nowNs);
            if (frame.messageId() == MessageIds.STATUSTEXT) {
                texts.onFrame(frame, isLogged, isNamed, nowNs);
            }
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    @Override
    public void onTick(long nowNs) {
        if (!part.mayRun()) {
            return;
        }
        try {
            texts.onTick(nowNs);
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    private void record(FrameView frame, long nowNs) {
        int definition = frame.definition();
        if (topics[definition] == null && leftOut[definition] == null) {
            onFirst(definition);
        }
        HeardTopic topic = topics[definition];
        Counter reason = leftOut[definition];
        if (topic != null) {
            if (!topic.onFrame(frame, nowNs)) {
                onNewSender(topic, frame, nowNs);
            }
        } else if (reason != null) {
            reason.increment();
        }
    }

    private void onFirst(int definition) {
        if (!begun) {
            begun = true;
            for (int named = 0; named < dialect.count(); named++) {
                if (choice.isNamed(dialect.name(named))) {
                    declare(named);
                }
            }
        }
        if (topics[definition] == null && leftOut[definition] == null) {
            declare(definition);
        }
    }

    private void declare(int definition) {
        if (!choice.isWanted(dialect.name(definition))) {
            leftOut[definition] = counters.excluded();
            return;
        }
        MessageLayout message = dialect.layout(definition);
        HeardFormat format = HeardFormat.of(HeardFormat.topic(dialect, definition), message);
        String problem = LocalTopic.problem(format.format());
        if (topicCount == MAX_TOPICS || publisher.remainingTopics() == 0) {
            problem = "there are " + topicCount + " topics already";
        } else if (problem.isEmpty() && !publisher.reserve(format.format())) {
            problem = "the memory budget has no room for it";
        }
        if (!problem.isEmpty()) {
            leftOut[definition] = counters.refused();
            warnOnce(format.format().name(), problem);
            return;
        }
        topicCount++;
        topics[definition] = new HeardTopic(
                publisher.declare(format.format(), format.units()),
                message,
                choice.intervalNs(message.name()),
                counters);
    }

    private void onNewSender(HeardTopic topic, FrameView frame, long nowNs) {
        int source = frame.systemId() << 8 | frame.componentId();
        int instance = topic.hasRoom() ? instances.of(topic.name(), link, source) : Instances.NONE;
        if (instance == Instances.NONE) {
            counters.refused().increment();
            warnOnce(topic.name(), "too many senders, now " + frame.systemId() + '/' + frame.componentId());
            return;
        }
        topic.add(source, instance, nowNs);
        topic.onFrame(frame, nowNs);
    }

    private void warnOnce(String topic, String why) {
        if (!toldRefusal) {
            toldRefusal = true;
            LOG.warn("{}: topic {}: {}; it is not recorded; further ones are not reported", link, topic, why);
        }
    }

    /**
     * Assigns a topic's instances to senders: from 0 in the order in which they are heard, for the lifetime of the
     * program. A sender that is heard on two links has two. Shared by all links' threads, which ask once for each
     * sender of a message; never blocks.
     */
    public static final class Instances {
        /** The result of {@link #of} if all instances of a topic are assigned. */
        static final int NONE = -1;

        private static final int INSTANCES = 256;

        private record Holder(String link, int sender) {}

        private final ConcurrentHashMap<String, AtomicReferenceArray<@Nullable Holder>> topics =
                new ConcurrentHashMap<>();

        /** The instance, 0 to 255, or {@link #NONE}. */
        int of(String topic, String link, int sender) {
            Holder wanted = new Holder(link, sender);
            AtomicReferenceArray<@Nullable Holder> holders =
                    topics.computeIfAbsent(topic, name -> new AtomicReferenceArray<>(INSTANCES));
            for (int instance = 0; instance < INSTANCES; instance++) {
                if (holders.compareAndSet(instance, null, wanted) || wanted.equals(holders.get(instance))) {
                    return instance;
                }
            }
            return NONE;
        }
    }

    /**
     * Counters of one link's messages. Written by the link's thread.
     *
     * @param samples messages published as samples of topics
     * @param lost samples for which the ring had no room
     * @param limited messages above their rates
     * @param excluded messages that are not configured
     * @param refused messages for whose topic or sender there was no room
     * @param repeatedTexts messages that an autopilot's own log contains too, and repeated pieces
     * @param missingPieces of long texts
     */
    record Counters(
            Counter samples,
            Counter lost,
            Counter limited,
            Counter excluded,
            Counter refused,
            Counter repeatedTexts,
            Counter missingPieces) {
        static Counters register(Metrics metrics, String link) {
            String source = "link." + link;
            return new Counters(
                    metrics.counter("local.samples", "Samples published by this computer", "source", source),
                    metrics.counter(
                            "local.lost.samples", "Samples lost because the source's ring was full", "source", source),
                    metrics.counter("messages.limited", "MAVLink messages above their rate limit", "link", link),
                    metrics.counter("messages.excluded", "MAVLink messages that are not to be recorded", "link", link),
                    metrics.counter(
                            "messages.refused",
                            "MAVLink messages beyond the limits of topics, senders and memory",
                            "link",
                            link),
                    metrics.counter(
                            "messages.texts.repeated",
                            "STATUSTEXT that is in the vehicle's log, or came twice",
                            "link",
                            link),
                    metrics.counter(
                            "messages.texts.missing.pieces",
                            "Pieces of long STATUSTEXT that did not arrive",
                            "link",
                            link));
        }
    }
}
