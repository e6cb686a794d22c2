package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

/** For any endpoints, ids and filters, each frame arrives exactly where the rules say, once, in order, unchanged. */
final class RouterPropertyTest {
    private static final int FRAMES = 4000;

    private static final int[] MESSAGES = {0, 1, 22, 30, 76, 77, 110, 253, 300, 12_345, 0xFF_FFFF};

    private final ForwardCounters counters = ForwardCounters.register(new Metrics(), "any");
    private final Map<RouterModel.Far, Endpoint> endpoints = new HashMap<>();
    private final Map<RouterModel.Far, List<ByteBuffer>> expected = new HashMap<>();
    private final Map<RouterModel.Far, List<ByteBuffer>> arrived = new HashMap<>();
    private final List<RouterModel.Far> present = new ArrayList<>();
    private long delivered;
    private long nowNs;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void framesArriveWhereTheRulesSay(long seed) {
        Random random = new Random(seed);
        nowNs = random.nextLong();
        Router router = new Router(MemoryShare.unlimited(), random.nextLong(), nowNs);
        RouterModel model = new RouterModel(nowNs);
        List<byte[]> earlier = new ArrayList<>();
        List<Integer> earlierTargets = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            change(random, router, model);
            if (present.isEmpty()) {
                continue;
            }
            RouterModel.Far from = present.get(random.nextInt(present.size()));
            boolean isRepeated = !earlier.isEmpty() && random.nextInt(5) == 0;
            int which = isRepeated ? Math.max(0, earlier.size() - 1 - random.nextInt(20)) : 0;
            byte[] frame = isRepeated
                    ? earlier.get(which)
                    : uncounted(Frames.random(random, source(random), MESSAGES[random.nextInt(MESSAGES.length)]));
            int target = isRepeated ? earlierTargets.get(which) : target(random);
            earlier.add(frame);
            earlierTargets.add(target);
            pass(random, router, model, from, target, frame);
            collect(random);
        }
        for (RouterModel.Far far : present) {
            drain(far);
        }

        for (RouterModel.Far far : expected.keySet()) {
            assertThat(of(arrived, far)).as("seed %d", seed).containsExactlyElementsOf(of(expected, far));
            delivered += of(arrived, far).size();
        }
        assertThat(delivered).as("seed %d", seed).isGreaterThan(FRAMES / 4);
        assertThat(counters.lateTelemetry().get()).isZero();
    }

    /** Removes the sequence number for some senders. */
    private static byte[] uncounted(byte[] frame) {
        if ((FrameLayout.source(frame, 0) & 0xFF) == 3) {
            frame[frame[0] == FrameLayout.START_V2 ? 4 : 2] = 0;
        }
        return frame;
    }

    private void change(Random random, Router router, RouterModel model) {
        nowNs += random.nextInt(2_000_000);
        if (random.nextInt(500) == 0) {
            nowNs += TimeUnit.SECONDS.toNanos(random.nextInt(400));
        }
        router.onTick(nowNs);
        model.onTick(nowNs);
        boolean isFull = present.size() == Router.MAX_ENDPOINTS;
        if (!isFull && (present.size() < 2 || random.nextInt(60) == 0)) {
            ForwardRules rules = rules(random);
            RouterModel.Far far = model.open(rules);
            present.add(far);
            endpoints.put(far, Objects.requireNonNull(router.open(rules, counters)));
            expected.put(far, new ArrayList<>());
            arrived.put(far, new ArrayList<>());
        } else if (random.nextInt(120) == 0) {
            RouterModel.Far far = present.remove(random.nextInt(present.size()));
            drain(far);
            router.close(of(endpoints, far));
            model.close(far);
        }
    }

    private void pass(Random random, Router router, RouterModel model, RouterModel.Far from, int target, byte[] frame) {
        int at = random.nextInt(8);
        byte[] buffer = new byte[frame.length + 16];
        System.arraycopy(frame, 0, buffer, at, frame.length);
        int messageId = FrameLayout.messageId(frame, 0);
        int source = FrameLayout.source(frame, 0);
        Set<RouterModel.Far> receivers = model.route(from, target, frame, messageId, source, nowNs);

        router.route(of(endpoints, from), target, buffer, at, frame.length, nowNs);

        receivers.forEach(to -> of(expected, to).add(ByteBuffer.wrap(frame)));
    }

    /** Reads the endpoints' frames; from some of them rarely. */
    private void collect(Random random) {
        for (RouterModel.Far far : present) {
            if (random.nextInt(10) == 0) {
                drain(far);
            }
        }
    }

    private void drain(RouterModel.Far far) {
        byte[] target = new byte[300];
        FrameQueue queue = of(endpoints, far).queue();
        while (!queue.isEmpty()) {
            int length = queue.poll(target, 3);
            byte[] frame = new byte[length];
            System.arraycopy(target, 3, frame, 0, length);
            of(arrived, far).add(ByteBuffer.wrap(frame));
        }
    }

    private static <T> T of(Map<RouterModel.Far, T> values, RouterModel.Far far) {
        return Objects.requireNonNull(values.get(far));
    }

    private static int source(Random random) {
        return random.nextInt(5) << 8 | random.nextInt(4);
    }

    private static int target(Random random) {
        return random.nextBoolean() ? 0 : (1 + random.nextInt(5)) << 8 | random.nextInt(4);
    }

    private static ForwardRules rules(Random random) {
        String group = random.nextInt(3) == 0 ? "group" + random.nextInt(3) : "";
        return new ForwardRules("any", group, random.nextInt(10) == 0, filter(random), filter(random));
    }

    private static FrameFilter filter(Random random) {
        if (random.nextInt(3) > 0) {
            return FrameFilter.ALL;
        }
        return new FrameFilter(
                ids(random, MESSAGES), ids(random, new int[] {0, 1, 2, 3, 4}), ids(random, new int[] {0, 1, 2, 3}));
    }

    private static FrameFilter.Ids ids(Random random, int[] from) {
        List<Integer> only = new ArrayList<>();
        List<Integer> not = new ArrayList<>();
        boolean isOnly = random.nextInt(4) == 0;
        for (int id : from) {
            if (isOnly && random.nextInt(3) > 0) {
                only.add(id);
            }
            if (random.nextInt(8) == 0) {
                not.add(id);
            }
        }
        return new FrameFilter.Ids(only, not);
    }
}
