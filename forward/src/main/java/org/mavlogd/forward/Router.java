package org.mavlogd.forward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.TargetTable;
import org.mavlogd.memory.MemoryShare;

/**
 * Decides to which endpoints each frame goes, and puts it into their queues.
 *
 * <p>Its size is fixed: {@link #MAX_ENDPOINTS} endpoints, all ids, some thousand frames. Takes the time as an argument.
 * Owned by one thread. Routing allocates nothing.
 *
 * @see <a href="https://mavlink.io/en/guide/routing.html">Routing</a>
 */
final class Router {
    /** One bit of a long for each endpoint. */
    static final int MAX_ENDPOINTS = Long.SIZE;

    private final @Nullable Endpoint[] endpoints = new Endpoint[MAX_ENDPOINTS];
    private final MemoryShare memory;
    private final List<String> groupNames = new ArrayList<>();
    private final long[] groups = new long[MAX_ENDPOINTS];
    private final Routes routes;
    private final RecentFrames recent;
    private int lastSerial;
    private long present;
    private long sniffers;
    // Endpoints that use the place reserved for their link.
    private long reservedInUse;
    private long nowNs;
    // Queue of the last removed endpoint: a flood of forged addresses then costs no heap for each.
    private @Nullable FrameQueue spare;
    // Queues that wait for the first endpoint of their link.
    private final Map<String, FrameQueue> reserved = new HashMap<>();

    /**
     * Creates a router without endpoints.
     *
     * @param memory for their queues
     * @param seed of the hash that detects copies, unknown to others
     */
    Router(MemoryShare memory, long seed, long nowNs) {
        this.memory = memory;
        routes = new Routes(nowNs);
        recent = new RecentFrames(seed, nowNs);
    }

    /**
     * Keeps a place for one endpoint of a link: else all places could be those of strangers on another link, and a
     * serial port that was unplugged would find none.
     */
    void reserve(String link) {
        if (memory.reserve(FrameQueue.FOOTPRINT)) {
            reserved.put(link, new FrameQueue());
        }
    }

    /**
     * Adds an endpoint; null if there is no room for it.
     *
     * @param counters of its link
     */
    @Nullable
    Endpoint open(ForwardRules rules, ForwardCounters counters) {
        FrameQueue own = reserved.remove(rules.link());
        FrameQueue queue = own == null && hasPlace() ? queue() : own;
        if (queue == null) {
            return null;
        }
        if (own != null) {
            reservedInUse |= Long.lowestOneBit(~present);
        }
        int index = Long.numberOfTrailingZeros(~present);
        Endpoint endpoint =
                new Endpoint(index, ++lastSerial, group(rules.group()), rules, counters.ofEndpoint(), queue);
        endpoints[index] = endpoint;
        present |= endpoint.bit();
        if (rules.isSniffer()) {
            sniffers |= endpoint.bit();
        }
        if (endpoint.group() >= 0) {
            groups[endpoint.group()] |= endpoint.bit();
        }
        return endpoint;
    }

    private boolean hasPlace() {
        return Long.bitCount(present) + reserved.size() < MAX_ENDPOINTS;
    }

    private @Nullable FrameQueue queue() {
        FrameQueue queue = spare;
        spare = null;
        return queue == null && memory.reserve(FrameQueue.FOOTPRINT) ? new FrameQueue() : queue;
    }

    /** Index of a group, added if new; there are no more than links, which the configuration limits. */
    private int group(String name) {
        if (name.isEmpty()) {
            return -1;
        }
        if (!groupNames.contains(name)) {
            groupNames.add(name);
        }
        return groupNames.indexOf(name);
    }

    /** Removes an endpoint and everything that was learned about it. */
    void close(Endpoint endpoint) {
        long bit = endpoint.bit();
        endpoints[endpoint.index()] = null;
        present &= ~bit;
        sniffers &= ~bit;
        if (endpoint.group() >= 0) {
            groups[endpoint.group()] &= ~bit;
        }
        routes.forget(bit);
        endpoint.counters().gone().add(endpoint.queue().clear());
        if ((reservedInUse & bit) != 0) {
            reservedInUse &= ~bit;
            reserved.put(endpoint.rules().link(), endpoint.queue());
            return;
        }
        if (spare != null) {
            memory.release(FrameQueue.FOOTPRINT);
        }
        spare = endpoint.queue();
    }

    /** Systems received at an endpoint, ascending. Any thread. */
    List<Integer> systems(Endpoint endpoint) {
        return routes.systems(endpoint.bit());
    }

    void onTick(long nowNs) {
        routes.onTick(nowNs);
    }

    /**
     * Routes one complete frame that an endpoint sent. Hot path.
     *
     * @param target as returned by {@link TargetTable#target}
     */
    void route(Endpoint from, int target, byte[] frame, int offset, int length, long now) {
        nowNs = now;
        ForwardCounters counters = from.counters();
        counters.received().increment();
        int messageId = FrameLayout.messageId(frame, offset);
        int source = FrameLayout.source(frame, offset);
        if (!from.rules().accepts().passes(messageId, source)) {
            counters.refused().increment();
            return;
        }
        if (recent.isCopy(from.serial(), frame, offset, length, nowNs)) {
            counters.copies().increment(); // before anything is learned from the path of the copy
            return;
        }
        long receivers = receivers(from.bit(), source, target);
        routes.heard(from.bit(), source);
        if (receivers == 0) {
            counters.homeless().increment();
            return;
        }
        boolean isTelemetry = target == TargetTable.EVERYONE && !isAnswer(messageId);
        for (long left = receivers; left != 0; left &= left - 1) {
            Endpoint to = endpoints[Long.numberOfTrailingZeros(left)];
            if (to != null) {
                send(to, messageId, source, frame, offset, length, isTelemetry);
            }
        }
    }

    private long receivers(long from, int source, int target) {
        long wanted = target == TargetTable.EVERYONE ? present : withGroups(routes.ofTarget(target));
        long never = withGroups(from | routes.ofSource(source));
        return (wanted & ~never) | (sniffers & ~from);
    }

    private long withGroups(long some) {
        long all = some;
        for (int i = 0; i < groupNames.size(); i++) {
            if ((some & groups[i]) != 0) {
                all |= groups[i];
            }
        }
        return all;
    }

    private void send(
            Endpoint to, int messageId, int source, byte[] frame, int offset, int length, boolean isTelemetry) {
        ForwardCounters counters = to.counters();
        if (!to.rules().sends().passes(messageId, source)) {
            counters.withheld().increment();
            return;
        }
        counters.queued().increment();
        int dropped = to.queue().add(frame, offset, length, isTelemetry, nowNs);
        if (dropped > 0) {
            (isTelemetry ? counters.lateTelemetry() : counters.lateConversations()).add(dropped);
        }
    }

    /** Messages without a target that answer a request or are not repeated. */
    private static boolean isAnswer(int messageId) {
        return switch (messageId) {
            case MessageIds.HEARTBEAT,
                    MessageIds.COMMAND_ACK,
                    MessageIds.PARAM_VALUE,
                    MessageIds.PARAM_EXT_VALUE,
                    MessageIds.PARAM_EXT_ACK,
                    MessageIds.LOG_ENTRY,
                    MessageIds.LOG_DATA,
                    MessageIds.STATUSTEXT -> true;
            default -> false;
        };
    }
}
