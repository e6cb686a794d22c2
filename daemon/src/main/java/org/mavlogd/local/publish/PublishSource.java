package org.mavlogd.local.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.ulog.LogLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes data that other programs send to one socket: lines of JSON, or samples in the binary form, several in a
 * datagram. No input makes it throw: rejected data is counted and answered, and affects nothing else. Owned by the
 * link's thread, with its own feed. Hot path: a sample of a known topic allocates nothing.
 */
public final class PublishSource implements LinkListener {
    /**
     * A socket on which other programs publish.
     *
     * @param source its name in messages and metrics
     * @param topics the configured topics; declared at once
     * @param infers whether the first sample of an undefined topic defines it
     * @param tags returns the number of a tag's name; negative if there is none
     * @param limits of messages under each tag
     * @param handleSeed makes the handles of the binary form differ from those of other runs and sockets
     * @param maxDatagramLength longer datagrams are truncated
     */
    public record Settings(
            String source,
            List<TopicDefinition> topics,
            boolean infers,
            ToIntFunction<String> tags,
            TextLimiter.Limits limits,
            int handleSeed,
            int maxDatagramLength) {
        public Settings {
            topics = List.copyOf(topics);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(PublishSource.class);

    private static final long TELL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    // A program that omits times, or waits for an answer, will do so again.
    private static final long HURRY_NS = TimeUnit.SECONDS.toNanos(10);
    // Any number may be a tag. Tags from here on share one limit, so that no program can make mavlogd keep 65,536 of
    // them.
    private static final int SHARED_LIMIT = 1024;
    private static final int UNASSIGNED = 0;

    private final Settings settings;
    private final LocalPublisher publisher;
    private final PublishCounters counters;
    private final Outlet outlet;
    private final PublishedTopics topics;
    private final LineReader line;
    private final BinaryReader binary;
    private final Answers answers;
    private final PendingAnswers pending;
    private final TextLimiter limiter;
    private final TextLimiter.Listener teller = this::tellLeftOut;
    private final List<Answers.Sender> senders = new ArrayList<>();
    private int lastSender;
    private long toldNs;
    private long heardNs;
    private long hurriedNs;

    /**
     * Declares the configured topics; must be called before the link starts.
     *
     * @param claims shared by all sources
     * @param utcNs returns nanoseconds since 1970
     * @param monotonicNs returns nanoseconds of the clock of the link
     */
    public PublishSource(
            Settings settings,
            FormatClaims claims,
            LocalPublisher publisher,
            Metrics metrics,
            LongSupplier utcNs,
            LongSupplier monotonicNs) {
        this.settings = settings;
        this.publisher = publisher;
        this.counters = PublishCounters.register(metrics, settings.source());
        this.outlet = new Outlet(settings.source(), publisher, metrics);
        this.topics = new PublishedTopics(outlet, claims, settings.infers(), settings.handleSeed());
        SampleClock clock = new SampleClock(utcNs, monotonicNs);
        this.line = new LineReader(topics, clock, settings.tags(), counters.cut());
        this.binary = new BinaryReader(topics, clock);
        this.answers = new Answers(settings.source(), counters);
        this.pending = new PendingAnswers(outlet, topics, answers);
        this.limiter = new TextLimiter(settings.limits());
        for (TopicDefinition topic : settings.topics()) {
            try {
                topics.define(topic);
            } catch (BadLineException e) {
                LOG.warn("{}: {}", settings.source(), e.text());
            }
        }
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        senders.add(new Answers.Sender(peer, nowNs));
        hurriedNs = nowNs;
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        senders.removeIf(sender -> {
            boolean isGone = sender.peer() == peer;
            if (isGone) {
                pending.forget(sender);
            }
            return isGone;
        });
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        Answers.Sender sender = sender(peer, nowNs);
        heardNs = nowNs;
        if (buffer[offset] == BinaryReader.MAGIC) {
            samples(sender, buffer, offset, length, nowNs);
        } else {
            lines(sender, buffer, offset, length, nowNs);
        }
    }

    @Override
    public void restart() {
        line.restart();
    }

    private Answers.Sender sender(Peer peer, long nowNs) {
        if (lastSender < senders.size() && senders.get(lastSender).peer() == peer) {
            return senders.get(lastSender);
        }
        for (int i = 0; i < senders.size(); i++) {
            if (senders.get(i).peer() == peer) {
                lastSender = i;
                return senders.get(i);
            }
        }
        onPeerUp(peer, nowNs);
        return senders.get(senders.size() - 1);
    }

    private void lines(Answers.Sender sender, byte[] buffer, int offset, int length, long nowNs) {
        int end = offset + length;
        int number = 0;
        pending.beginDatagram();
        for (int from = offset; from < end; ) {
            int to = from;
            while (to < end && buffer[to] != '\n') {
                to++;
            }
            number++;
            if (!isBlank(buffer, from, to)) {
                line(sender, buffer, from, to - from, number, nowNs);
            }
            from = to + 1;
        }
        if (length >= settings.maxDatagramLength()) {
            answers.cut(sender, settings.maxDatagramLength(), nowNs);
        }
    }

    private static boolean isBlank(byte[] buffer, int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\r' && buffer[i] != '\t' && buffer[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private void line(Answers.Sender sender, byte[] buffer, int from, int length, int number, long nowNs) {
        counters.lines().increment();
        try {
            LineReader.Kind kind = line.read(buffer, from, length, nowNs);
            if (line.hasId() || !line.hasTime()) {
                hurriedNs = nowNs;
            }
            switch (kind) {
                case SAMPLE -> sample(sender, number, nowNs);
                case TEXT -> published(sender, number, LocalFeed.TEXTS, publishText(), nowNs);
                case DEFINITION -> answers.defined(sender, number, line, nowNs);
                case QUESTION -> pending.askAll(sender, number, line.id(), nowNs);
            }
        } catch (BadLineException e) {
            hurriedNs = nowNs;
            answers.bad(sender, "line", number, line, e, nowNs);
        }
    }

    private void sample(Answers.Sender sender, int number, long nowNs) {
        PublishedTopic topic = line.topic();
        if (!line.hasId()) {
            tellLoss(sender, "line", number, topic, nowNs);
        }
        boolean room = publish(topic, line.instance(), line.takenNs(), topic.values(), 0);
        published(sender, number, topic.index(), room, nowNs);
    }

    private void published(Answers.Sender sender, int number, int topic, boolean room, long nowNs) {
        if (!line.hasId()) {
            pending.published(room ? topic : PendingAnswers.NO_ROOM, number);
        } else if (room) {
            pending.askLine(sender, number, line.id(), topic, nowNs);
        } else {
            answers.full(sender, number, line.id(), nowNs);
        }
    }

    /** Informs a sender that does not ask for answers, from the loss of earlier samples. */
    private void tellLoss(Answers.Sender sender, String place, int number, PublishedTopic topic, long nowNs) {
        String why = outlet.loss(topic.index());
        if (topic.isLossToBeTold(why, nowNs)) {
            answers.notRecorded(sender, place, number, topics.describe(topic.index()), why, Answers.NO_ID, nowNs);
        }
    }

    private void samples(Answers.Sender sender, byte[] buffer, int offset, int length, long nowNs) {
        int number = 0;
        line.forgetId();
        try {
            binary.begin(buffer, offset, length);
        } catch (BadLineException e) {
            counters.lines().increment();
            answers.bad(sender, "sample", 1, line, e, nowNs);
        }
        while (binary.hasNext()) {
            number++;
            counters.lines().increment();
            try {
                binary.next(nowNs);
                if (!binary.hasTime()) {
                    hurriedNs = nowNs;
                }
                tellLoss(sender, "sample", number, binary.topic(), nowNs);
                publish(binary.topic(), binary.instance(), binary.takenNs(), buffer, binary.values());
            } catch (BadLineException e) {
                answers.bad(sender, "sample", number, line, e, nowNs);
            }
        }
    }

    private boolean publish(PublishedTopic topic, int instance, long takenNs, byte[] values, int offset) {
        return outlet.publishRaw(topic.sample(), instance, takenNs, values, offset);
    }

    private boolean publishText() throws BadLineException {
        if (!limiter.admit(Math.min(line.tag(), SHARED_LIMIT), line.takenNs())) {
            throw new BadLineException(
                    BadLineException.Fault.LIMIT,
                    "tag " + line.tag() + " has more than " + settings.limits().maxPerS()
                            + " messages a second; left out");
        }
        if (Utf8Chars.size(line.text()) > LocalPublisher.MAX_TEXT_BYTES) {
            counters.cut().increment();
        }
        boolean room = publisher.text(line.level(), line.tag(), line.takenNs(), line.text());
        (room ? counters.messages() : counters.lostMessages()).increment();
        return room;
    }

    @Override
    public void onTick(long nowNs) {
        pending.answerDue(nowNs);
        if (nowNs - toldNs >= TELL_INTERVAL_NS) {
            toldNs = nowNs;
            limiter.tell(teller);
        }
    }

    private boolean tellLeftOut(int tag, long count, long lastNs) {
        String text = count + (count == 1 ? " message of " : " messages of ") + settings.source()
                + " left out; the limit is " + settings.limits().maxPerS() + " a second";
        return publisher.text(LogLevel.WARNING, tag == SHARED_LIMIT ? UNASSIGNED : tag, lastNs, text);
    }

    @Override
    public boolean wantsTickSoon() {
        return !pending.isEmpty();
    }

    /** Some milliseconds of delay do not matter. */
    @Override
    public boolean mayWait() {
        return true;
    }

    /** A sample with a time may arrive later; one without would get a wrong time. */
    @Override
    public boolean isPatient() {
        return heardNs - hurriedNs >= HURRY_NS;
    }
}
