package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;

final class RouterTest {
    private static final int VEHICLE = 1 << 8 | 1;
    private static final int STATION = 255 << 8 | 190;
    private static final int ATTITUDE = 30;
    private static final int EVERYONE = 0;

    private final ForwardCounters counters = ForwardCounters.register(new Metrics(), "any");
    private final Router router = new Router(MemoryShare.unlimited(), 42, 0);

    /** An endpoint is refused if the budget has no memory for its queue; released memory can be used by another one. */
    @Test
    void queuesAskTheMemoryBudget() {
        MemoryShare memory = new MemoryBudget(16L * 2 * FrameQueue.FOOTPRINT).share(Requester.FORWARDING);
        Router small = new Router(memory, 42, 0);
        Endpoint first = Objects.requireNonNull(small.open(ForwardRules.of("a"), counters));
        Endpoint second = Objects.requireNonNull(small.open(ForwardRules.of("a"), counters));

        assertThat(small.open(ForwardRules.of("a"), counters)).isNull();
        assertThat(memory.held()).isEqualTo(2 * FrameQueue.FOOTPRINT);
        small.close(first);
        Endpoint third = Objects.requireNonNull(small.open(ForwardRules.of("a"), counters));
        assertThat(small.open(ForwardRules.of("a"), counters)).isNull();
        small.close(second);
        small.close(third);
        assertThat(memory.held()).as("of the spare one").isEqualTo(FrameQueue.FOOTPRINT);
    }

    /** Twenty strangers on a listening UDP link must not keep a serial port out that is plugged in again. */
    @Test
    void eachLinkHasAPlaceThatNoPeerOfAnotherCanTake() {
        MemoryShare memory = new MemoryBudget(16L * 4 * FrameQueue.FOOTPRINT).share(Requester.FORWARDING);
        Router small = new Router(memory, 42, 0);
        small.reserve("serial");
        small.reserve("udp");
        Endpoint serial = Objects.requireNonNull(small.open(ForwardRules.of("serial"), counters));
        for (int replug = 0; replug < 3; replug++) {
            small.close(serial);
            List<Endpoint> strangers = new ArrayList<>();
            for (Endpoint next = small.open(ForwardRules.of("udp"), counters);
                    next != null;
                    next = small.open(ForwardRules.of("udp"), counters)) {
                strangers.add(next);
            }
            assertThat(strangers).hasSize(3);
            serial = Objects.requireNonNull(small.open(ForwardRules.of("serial"), counters));
            strangers.forEach(small::close);
        }
    }

    @Test
    void alsoIfTheNumberOfPlacesIsTheLimit() {
        router.reserve("serial");
        for (int i = 0; i < Router.MAX_ENDPOINTS - 1; i++) {
            open(ForwardRules.of("udp"));
        }

        assertThat(router.open(ForwardRules.of("udp"), counters)).isNull();
        open(ForwardRules.of("serial"));
        assertThat(router.open(ForwardRules.of("serial"), counters)).isNull();
    }

    /** Many endpoints exist for some milliseconds each, as in a flood of forged addresses. */
    @Test
    void endpointsThatComeAndGoTakeLittleHeap() {
        Endpoint vehicle = open(ForwardRules.of("vehicle"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        int visits = 1000;
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 0; i < visits; i++) {
            Endpoint visitor = open(ForwardRules.of("visitors"));
            byte[] frame = Frames.random(new Random(i), 1 << 8 | 1, 30);
            router.route(vehicle, 0, frame, 0, frame.length, i);
            assertThat(count(visitor)).as("and gets nothing of those before").isEqualTo(1);
            router.route(vehicle, 0, frame, 0, frame.length, i);
            router.close(visitor);
        }

        assertThat(threads.getThreadAllocatedBytes(self) - before).isLessThan(visits * 16_384L);
    }

    private Endpoint open(ForwardRules rules) {
        return Objects.requireNonNull(router.open(rules, counters));
    }

    private static int count(Endpoint endpoint) {
        byte[] target = new byte[300];
        int count = 0;
        while (endpoint.queue().poll(target, 0) > 0) {
            count++;
        }
        return count;
    }

    private void say(Endpoint from, int source, int target, int sequence) {
        byte[] frame = Frames.v2(source, ATTITUDE, sequence, 20);
        router.route(from, target, frame, 0, frame.length, TimeUnit.MILLISECONDS.toNanos(sequence));
    }

    @Test
    void hasRoomForSixtyFour() {
        List<Endpoint> all = new ArrayList<>();
        for (int i = 0; i < Router.MAX_ENDPOINTS; i++) {
            all.add(open(ForwardRules.of("a")));
        }

        assertThat(router.open(ForwardRules.of("a"), counters)).isNull();
        router.close(all.get(17));
        assertThat(open(ForwardRules.of("a")).index()).isEqualTo(17);
    }

    /** A new endpoint at the same place must not be confused with the previous one. */
    @Test
    void whoComesAfterAnotherInheritsNothing() {
        Endpoint vehicle = open(ForwardRules.of("v"));
        Endpoint station = open(ForwardRules.of("s"));
        say(station, STATION, EVERYONE, 1);
        say(vehicle, VEHICLE, EVERYONE, 2);
        assertThat(count(station)).isEqualTo(1);
        say(vehicle, VEHICLE, EVERYONE, 3);

        router.close(station);
        Endpoint other = open(ForwardRules.of("o"));
        say(vehicle, VEHICLE, STATION, 4);

        assertThat(other.index()).isEqualTo(station.index());
        assertThat(count(other)).isZero();
    }

    @Test
    void tenThousandForgedSendersCostNobodyHisPlace() {
        Endpoint vehicle = open(ForwardRules.of("v"));
        Endpoint station = open(ForwardRules.of("s"));
        Endpoint forger = open(ForwardRules.of("f"));
        say(vehicle, VEHICLE, EVERYONE, 1);
        say(station, STATION, EVERYONE, 2);
        assertThat(count(vehicle) + count(station)).isEqualTo(2);

        for (int source = 0; source < 1 << 16; source++) {
            say(forger, source, EVERYONE, source);
            count(vehicle);
            count(station);
        }
        say(station, STATION, VEHICLE, 70_000);

        assertThat(count(vehicle)).isEqualTo(1);
    }

    @Test
    void routingAllocatesNothing() {
        Endpoint from = open(ForwardRules.of("from"));
        open(new ForwardRules("a", "group", false, FrameFilter.ALL, FrameFilter.ALL));
        open(new ForwardRules("b", "group", true, FrameFilter.ALL, FrameFilter.ALL));
        FrameFilter.Ids some = new FrameFilter.Ids(List.of(ATTITUDE, 31, 0), List.of(31));
        Endpoint to = open(
                new ForwardRules("c", "", false, FrameFilter.ALL, new FrameFilter(some, some, FrameFilter.Ids.ALL)));
        byte[] frame = Frames.v2(VEHICLE, ATTITUDE, 0, 200);
        byte[] target = new byte[2048];
        long self = Thread.currentThread().getId();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getThreadAllocatedBytes(self);

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 10 && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 100_000; i++) {
                frame[20] = (byte) i;
                frame[21] = (byte) (i >>> 8);
                frame[22] = (byte) (i >>> 16);
                router.route(from, (i & 7) == 0 ? STATION : EVERYONE, frame, 0, frame.length, i * 100_000L);
                router.onTick(i * 100_000L);
                if ((i & 3) == 0) {
                    to.queue().poll(target, 0);
                }
            }
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).isZero();
        assertThat(counters.lateTelemetry().get()).isPositive();
    }

    /**
     * Two connections to a router that learns from copies and drops none, as mavlink-router does by default: a frame
     * from it goes back over the other connection, but does not circulate.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loopsThroughARouterThatDropsNothingEnd(boolean isCounted) {
        Endpoint vehicle = open(ForwardRules.of("vehicle"));
        List<Endpoint> ways = List.of(open(ForwardRules.of("first")), open(ForwardRules.of("second")));
        List<Set<Integer>> known = List.of(new HashSet<>(), new HashSet<>());
        byte[] target = new byte[300];
        int crossings = 0;
        int frames = 200;
        for (int i = 0; i < frames; i++) {
            byte[] said = Frames.v2(STATION, ATTITUDE, isCounted ? i : 0, 30);
            said[20] = (byte) i;
            long nowNs = i * 100_000_000L;
            Deque<Map.Entry<Integer, byte[]>> arriving = new ArrayDeque<>();
            for (int way = 0; way < ways.size(); way++) {
                if (!known.get(way).contains(STATION)) {
                    arriving.add(Map.entry(way, said));
                }
            }
            for (; !arriving.isEmpty(); nowNs += 300_000) {
                assertThat(++crossings).as("frames that came from there").isLessThan(5 * frames);
                Map.Entry<Integer, byte[]> next = arriving.remove();
                byte[] frame = next.getValue();
                router.route(ways.get(next.getKey()), EVERYONE, frame, 0, frame.length, nowNs);
                for (int way = 0; way < ways.size(); way++) {
                    while (ways.get(way).queue().poll(target, 0) > 0) {
                        known.get(way).add(STATION);
                        if (!known.get(1 - way).contains(STATION)) {
                            arriving.add(Map.entry(1 - way, frame));
                        }
                    }
                }
            }
        }

        assertThat(crossings).as("the loop is there").isGreaterThan(frames);
        assertThat(count(vehicle)).as("each once").isEqualTo(frames);
    }

    /**
     * Some programs send every frame with the same sequence number: a repeated command must not be taken for a copy.
     */
    @Test
    void sendersThatDoNotCountMayRepeatTheirFrames() {
        Endpoint vehicle = open(ForwardRules.of("vehicle"));
        Endpoint joystick = open(ForwardRules.of("joystick"));
        Endpoint station = open(ForwardRules.of("station"));
        byte[] position = Frames.v2(STATION, 70, 0, 18);
        int frames = 100;
        for (int i = 0; i < frames; i++) {
            router.route(joystick, EVERYONE, position, 0, position.length, i * 50_000_000L);
            router.route(station, EVERYONE, position, 0, position.length, i * 50_000_000L + 1);
        }

        assertThat(count(vehicle)).isEqualTo(frames - (RecentFrames.UNCOUNTED - 2));
    }

    /**
     * A vehicle that sends many frames, and its log besides, has the same sequence number again soon: a message that
     * does not change, such as its landed state, must not disappear.
     */
    @Test
    void aMessageThatStaysTheSamePassesOnceASecondAtLeast() {
        Endpoint vehicle = open(ForwardRules.of("vehicle"));
        Endpoint station = open(ForwardRules.of("station"));
        byte[] frame = Frames.v2(VEHICLE, 245, 7, 2);
        long lastNs = 0;
        for (long now = 0; now < TimeUnit.SECONDS.toNanos(30); now += TimeUnit.MILLISECONDS.toNanos(250)) {
            router.route(vehicle, EVERYONE, frame, 0, frame.length, now);
            if (count(station) > 0) {
                lastNs = now;
            }
            assertThat(now - lastNs).isLessThanOrEqualTo(RecentFrames.WINDOW_NS);
        }
        assertThat(lastNs).isPositive();
    }

    /** A frame on its way to another router, or to an endpoint of one, with a delay. */
    private static final class Flight {
        final long atNs;
        final int router;
        final Endpoint endpoint;
        final byte[] frame;

        Flight(long atNs, int router, Endpoint endpoint, byte[] frame) {
            this.atNs = atNs;
            this.router = router;
            this.endpoint = endpoint;
            this.frame = frame;
        }
    }

    /**
     * Routers with several connections between them: each frame reaches each endpoint once, and then none circulates.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void loopsBetweenRoutersEnd(long seed) {
        Random random = new Random(seed);
        int count = 2 + random.nextInt(3);
        List<Router> routers = new ArrayList<>();
        List<Endpoint> ends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            routers.add(new Router(MemoryShare.unlimited(), random.nextLong(), 0));
            ends.add(Objects.requireNonNull(routers.get(i).open(ForwardRules.of("end"), counters)));
        }
        record Way(int from, Endpoint out, int to, Endpoint in, long delayNs) {}
        List<Way> ways = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // All routers form a ring, with two connections between the first two.
            for (int parallel = 0; parallel < (i == 0 ? 2 : 1); parallel++) {
                int to = (i + 1) % count;
                Endpoint here = Objects.requireNonNull(routers.get(i).open(ForwardRules.of("way"), counters));
                Endpoint there = Objects.requireNonNull(routers.get(to).open(ForwardRules.of("way"), counters));
                long delayNs = random.nextInt(50_000_000);
                ways.add(new Way(i, here, to, there, delayNs));
                ways.add(new Way(to, there, i, here, delayNs));
            }
        }
        PriorityQueue<Flight> flights = new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));
        int frames = 300;
        for (int i = 0; i < frames; i++) {
            int at = i % count;
            byte[] frame = Frames.random(random, (10 + at) << 8 | 1, ATTITUDE);
            flights.add(new Flight(i * 3_000_000L, at, ends.get(at), frame));
        }
        int[] arrived = new int[count];
        int steps = 0;
        byte[] target = new byte[300];
        while (!flights.isEmpty()) {
            Flight flight = flights.remove();
            assertThat(++steps).as("seed %d: frames go round", seed).isLessThan(frames * 50);
            routers.get(flight.router)
                    .route(flight.endpoint, EVERYONE, flight.frame, 0, flight.frame.length, flight.atNs);
            for (Way way : ways) {
                for (int length = way.out().queue().poll(target, 0);
                        length > 0;
                        length = way.out().queue().poll(target, 0)) {
                    byte[] frame = Arrays.copyOf(target, length);
                    flights.add(new Flight(flight.atNs + way.delayNs(), way.to(), way.in(), frame));
                }
            }
            for (int i = 0; i < count; i++) {
                arrived[i] += count(ends.get(i));
            }
        }

        for (int i = 0; i < count; i++) {
            assertThat(arrived[i]).as("seed %d, router %d", seed, i).isEqualTo(frames - frames / count);
        }
    }
}
