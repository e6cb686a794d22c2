package org.mavlogd.local.publish;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.tags.TagMap;

/** A source without a socket: takes datagrams, and keeps its samples and answers. */
final class Hearing {
    /** Some hours after the computer's start, in the year 2026. */
    static final long NOW_NS = TimeUnit.HOURS.toNanos(5) + 123_456_789;

    static final int MAX_TEXTS_PER_S = 20;
    static final int TEXT_BURST = 50;
    static final long UTC_NS = 1_790_000_000_000_000_000L;

    final Metrics metrics = new Metrics();
    final LocalFeed feed;
    final TakenSamples taken;
    final PublishSource source;
    final Program program = new Program("/run/a.sock", true);
    long nowNs = NOW_NS;
    /** From the arrival of a datagram to the reading of clocks. */
    long delayNs;

    boolean isRecorderBusy;

    /** A program that can receive answers, or cannot. */
    static final class Program implements Peer {
        final List<String> answers = new ArrayList<>();
        private final String address;
        private final boolean reachable;

        Program(String address, boolean reachable) {
            this.address = address;
            this.reachable = reachable;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public boolean isReachable() {
            return reachable;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            if (!reachable) {
                throw new AssertionError("answered " + address);
            }
            answers.add(new String(buffer, offset, length, StandardCharsets.UTF_8).strip());
        }
    }

    Hearing(TopicDefinition... topics) {
        this(new FormatClaims(), true, 1 << 16, topics);
    }

    Hearing(FormatClaims claims, boolean infers, int ringBytes, TopicDefinition... topics) {
        feed = new LocalFeed("publish", ringBytes);
        taken = new TakenSamples(feed);
        source = new PublishSource(
                new PublishSource.Settings(
                        "publish",
                        List.of(topics),
                        infers,
                        name -> TagMap.DEFAULT.id(name).orElse(-1),
                        new TextLimiter.Limits(MAX_TEXTS_PER_S, TEXT_BURST),
                        0xBEEF,
                        65_536),
                claims,
                feed.publisher(),
                metrics,
                () -> UTC_NS + clockNs() - NOW_NS,
                this::clockNs);
    }

    private long clockNs() {
        return nowNs + delayNs;
    }

    static TopicDefinition winch() {
        return new TopicDefinition.Builder("winch")
                .field("float", "load_kg")
                .field("uint32_t", "turns")
                .unit("load_kg", "kg")
                .build();
    }

    /** Sends a datagram; returns the answers. */
    List<String> say(String datagram) {
        return say(program, datagram.getBytes(StandardCharsets.UTF_8));
    }

    List<String> say(Program from, byte[] datagram) {
        int before = from.answers.size();
        // Neither at the start of the buffer nor up to its end.
        byte[] buffer = new byte[datagram.length + 7];
        System.arraycopy(datagram, 0, buffer, 3, datagram.length);
        source.onBytes(from, buffer, 3, datagram.length, nowNs);
        if (source.wantsTickSoon()) {
            if (!isRecorderBusy) {
                taken.drain();
            }
            source.onTick(nowNs);
        }
        return List.copyOf(from.answers.subList(before, from.answers.size()));
    }

    /** The only sample published since the last call. */
    TakenSamples.Sample sample() {
        List<TakenSamples.Sample> samples = taken.take();
        if (samples.size() != 1) {
            throw new AssertionError(samples.size() + " samples, answers: " + program.answers);
        }
        return samples.get(0);
    }

    long counted(String metric) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_" + metric))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
