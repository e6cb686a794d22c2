package org.mavlogd.local.nmea;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.Rescan;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.metrics.ProblemLog;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.ulog.FieldType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the sentences of instruments on one link. A sample's time is that of its sentence's first byte. No input
 * makes it throw. Owned by the link's thread, with its own feed. Hot path.
 *
 * <p>A sentence with a wrong checksum is counted and dropped. A sentence with an invalid field is counted as malformed;
 * with a right checksum its other fields are kept. Unknown kinds, proprietary ones and those that begin with {@code !},
 * such as AIS, are kept as text.
 */
public final class NmeaSource implements LinkListener {
    /**
     * One link with instruments.
     *
     * @param link its name
     * @param number of the link, 0 to {@link #MAX_LINKS} - 1; separates its instances from those of others
     * @param requireChecksum whether sentences without checksum are dropped; wrong ones always are
     */
    public record Settings(String link, int number, boolean requireChecksum) {
        /**
         * The number of links; with {@link NmeaTopic.Devices#LIMIT} devices each they use the 256 instances of a topic.
         */
        public static final int MAX_LINKS = 16;
    }

    private static final Logger LOG = LoggerFactory.getLogger(NmeaSource.class);
    private static final long COUNT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int SHORT_TEXT = 96;
    private static final int LINK_NAME_LENGTH = 32;

    private final Settings settings;
    private final NmeaCounters counters;
    private final Outlet outlet;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final List<NmeaTopic> topics = new ArrayList<>();
    private final Transducers transducers;
    private final NmeaTopic shortText;
    private final NmeaTopic longText;
    private final LocalSample linkSample;
    private final Rescan countTime = new Rescan(COUNT_INTERVAL_NS);
    private final Sentence sentence = new Sentence();
    private final List<Hearing> hearings = new ArrayList<>();

    /** The state of one peer, so that the bytes of several are never mixed. */
    private final class Hearing {
        private final Peer peer;
        private final SentenceReader reader;

        private Hearing(Peer peer) {
            this.peer = peer;
            this.reader = new SentenceReader((line, length, beganNs) -> take(line, length, peer, beganNs), counters);
        }
    }

    /** Declares all topics; must be called before the link starts. */
    public NmeaSource(Settings settings, LocalPublisher publisher, Metrics metrics) {
        this.settings = settings;
        this.counters = NmeaCounters.register(metrics, settings.link());
        this.outlet = new Outlet("nmea." + settings.link(), publisher, metrics);
        for (SentenceSpec spec : Sentences.ALL) {
            topics.add(new NmeaTopic(spec.topic(), outlet, settings.number()));
        }
        this.transducers = new Transducers(outlet, settings.number(), counters);
        this.shortText = text("nmea_sentence", SHORT_TEXT);
        this.longText = text("nmea_sentence_long", SentenceReader.MAX_LENGTH);
        this.linkSample = TopicBuilder.of("nmea_link")
                .field(FieldType.UINT64, "sentences")
                .field(FieldType.UINT64, "bad_checksum")
                .field(FieldType.UINT64, "malformed")
                .field(FieldType.UINT64, "unknown")
                .field(FieldType.UINT64, "excess")
                .field(FieldType.UINT64, "skipped_bytes")
                .text(LINK_NAME_LENGTH, "link")
                .declare(outlet);
    }

    private NmeaTopic text(String name, int length) {
        return new NmeaTopic(TopicBuilder.of(name).text(length, "text"), outlet, settings.number());
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        hearings.add(new Hearing(peer));
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        Hearing hearing = find(peer);
        if (hearing == null) {
            hearing = new Hearing(peer);
            hearings.add(hearing);
        }
        hearing.reader.take(buffer, offset, length, nowNs);
        if (peer.isDatagram()) {
            hearing.reader.endOfDatagram();
        }
    }

    private @Nullable Hearing find(Peer peer) {
        for (int i = 0; i < hearings.size(); i++) {
            if (hearings.get(i).peer == peer) {
                return hearings.get(i);
            }
        }
        return null;
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        hearings.removeIf(hearing -> hearing.peer == peer);
        topics.forEach(topic -> topic.gone(peer));
        transducers.topic().gone(peer);
        shortText.gone(peer);
        longText.gone(peer);
    }

    @Override
    public void onTick(long nowNs) {
        if (countTime.isDue(nowNs)) {
            outlet.publish(linkSample
                    .begin(settings.number(), nowNs)
                    .integer(counters.sentences().get())
                    .integer(counters.badChecksum().get())
                    .integer(counters.malformed().get())
                    .integer(counters.unknown().get())
                    .integer(counters.excess().get())
                    .integer(counters.skippedBytes().get())
                    .text(settings.link()));
        }
    }

    /** Some milliseconds are short compared with the transmission of a sentence. */
    @Override
    public boolean mayWait() {
        return true;
    }

    private void take(byte[] line, int length, Peer peer, long beganNs) {
        sentence.set(line, length);
        Sentence.Checksum checksum = sentence.checksum();
        if (checksum == Sentence.Checksum.WRONG
                || (checksum == Sentence.Checksum.MISSING && settings.requireChecksum())) {
            counters.badChecksum().increment();
            return;
        }
        if (!sentence.hasAddress()) {
            counters.malformed().increment();
            return;
        }
        counters.sentences().increment();
        for (int i = 0; i < topics.size(); i++) {
            if (sentence.isOf(Sentences.ALL.get(i).kind())) {
                takeKnown(Sentences.ALL.get(i), topics.get(i), peer, beganNs);
                return;
            }
        }
        if (sentence.isOf(Transducers.KIND)) {
            boolean kept = transducers.take(sentence, peer, beganNs, checksum == Sentence.Checksum.RIGHT);
            if (!kept || sentence.hasBadField()) {
                counters.malformed().increment();
            }
            return;
        }
        takeUnknown(peer, beganNs);
    }

    private void takeKnown(SentenceSpec spec, NmeaTopic topic, Peer peer, long beganNs) {
        if (sentence.fields() == 0) {
            counters.malformed().increment();
            return;
        }
        int instance = topic.instance(peer, spec.key(sentence));
        if (instance == NmeaTopic.Devices.NONE) {
            exceeded(spec.kind());
            return;
        }
        LocalSample sample = topic.sample().begin(instance, beganNs);
        spec.fill(sentence, sample);
        if (sentence.hasBadField()) {
            counters.malformed().increment();
            if (sentence.checksum() != Sentence.Checksum.RIGHT) {
                return;
            }
        }
        outlet.publish(sample);
    }

    private void takeUnknown(Peer peer, long beganNs) {
        counters.unknown().increment();
        NmeaTopic topic = sentence.length() <= SHORT_TEXT ? shortText : longText;
        int instance = topic.instance(peer, 0);
        if (instance == NmeaTopic.Devices.NONE) {
            exceeded("unknown");
            return;
        }
        outlet.publish(topic.sample().begin(instance, beganNs).text(sentence));
    }

    private void exceeded(String kind) {
        counters.excess().increment();
        if (!problems.isReported()) {
            problems.report("NMEA link \"" + settings.link() + "\": more than " + NmeaTopic.Devices.LIMIT
                    + " devices send " + kind + "; further ones are not recorded");
        }
    }
}
