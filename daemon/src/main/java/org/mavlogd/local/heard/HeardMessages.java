package org.mavlogd.local.heard;

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
import org.mavlogd.metrics.Metrics;
import org.mavlogd.vehicle.HeardFrames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what is heard on one link: each wanted message as a sample of the topic {@code mavlink_<name>}, with an instance
 * for each sender and the frame's arrival as its time, and STATUSTEXT as text. Topics are made when their first message
 * comes; those asked for by name when anything is heard at all, so that they stand in the log from its beginning.
 *
 * <p>A mistake in here costs its own message, never the vehicle's log. Owned by the link's thread. Hot path: after the first
 * message of a sender nothing is allocated; texts do.
 */
public final class HeardMessages implements HeardFrames {
    private static final Logger LOG = LoggerFactory.getLogger(HeardMessages.class);
    /** The link's own topics need some places, too. */
    private static final int MAX_TOPICS = 768;

    private final String link;
    private final Dialect dialect;
    private final MessageChoice choice;
    private final SenderChoice senders;
    private final HeardInstances instances;
    private final LocalPublisher publisher;
    private final HeardCounters counters;
    private final StatusTexts texts;
    private final ContainedPart part;

    /** By definition; null for those not heard so far. */
    private final @Nullable HeardTopic[] topics;

    private final boolean[] leftOut;
    private int topicCount;
    private boolean begun;
    private boolean toldRefusal;

    /**
     * What is heard on one link.
     *
     * @param instances common to all links
     * @param publisher takes samples, {@code texts} takes texts; both of the link's own feed
     */
    public HeardMessages(
            String link,
            HeardSettings settings,
            HeardInstances instances,
            LocalPublisher publisher,
            TextOutlet texts,
            Metrics metrics) {
        this.link = link;
        this.dialect = settings.dialect();
        this.choice = new MessageChoice(settings);
        this.senders = settings.senders();
        this.instances = instances;
        this.publisher = publisher;
        this.counters = HeardCounters.register(metrics, link);
        this.texts = new StatusTexts(settings.statusText(), texts, counters);
        this.part = metrics.part("messages." + link, Recovery.CONTINUES);
        this.topics = new HeardTopic[dialect.count()];
        this.leftOut = new boolean[dialect.count()];
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public boolean takesAnyones() {
        return senders == SenderChoice.ANYONE;
    }

    @Override
    public boolean takesOthers() {
        return senders != SenderChoice.VEHICLES;
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
        if (leftOut[definition]) {
            counters.excluded().increment();
            return;
        }
        HeardTopic topic = topics[definition];
        if (topic == null) {
            topic = onFirst(definition);
        }
        if (topic == null) {
            counters.excluded().increment();
        } else if (!topic.onFrame(frame, nowNs)) {
            onNewSender(topic, frame, nowNs);
        }
    }

    private @Nullable HeardTopic onFirst(int definition) {
        if (!begun) {
            begun = true;
            for (int named = 0; named < dialect.count(); named++) {
                if (choice.isNamed(dialect.name(named))) {
                    declare(named);
                }
            }
        }
        if (topics[definition] == null) {
            declare(definition);
        }
        return topics[definition];
    }

    private void declare(int definition) {
        if (!choice.isWanted(dialect.name(definition))) {
            leftOut[definition] = true;
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
            leftOut[definition] = true;
            refuse(format.format().name(), problem);
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
        int instance = topic.hasRoom() ? instances.of(topic.name(), link, source) : HeardInstances.NONE;
        if (instance == HeardInstances.NONE) {
            refuse(topic.name(), "too many senders, now " + frame.systemId() + '/' + frame.componentId());
            return;
        }
        topic.add(source, instance, nowNs);
        topic.onFrame(frame, nowNs);
    }

    private void refuse(String topic, String why) {
        counters.refused().increment();
        if (!toldRefusal) {
            toldRefusal = true;
            LOG.warn("{}: topic {}: {}; it is not recorded, nor are further ones told of", link, topic, why);
        }
    }
}
