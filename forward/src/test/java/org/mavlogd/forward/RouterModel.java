package org.mavlogd.forward;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A second implementation of the rules of forwarding: slow, without bounds, and one rule at a time. */
final class RouterModel {
    private final List<Far> all = new ArrayList<>();
    private final Map<String, Seen> seen = new HashMap<>();
    private final Map<Integer, List<Byte>> numbers = new HashMap<>();
    private long beganNs;
    private int stretch;

    /** An endpoint, with the period in which it last heard each sender. */
    static final class Far {
        final ForwardRules rules;
        final Map<Integer, Integer> heard = new HashMap<>();

        Far(ForwardRules rules) {
            this.rules = rules;
        }
    }

    private static final class Seen {
        final Far from;
        long atNs;
        long passedNs;

        Seen(Far from, long atNs) {
            this.from = from;
            this.atNs = atNs;
            this.passedNs = atNs;
        }
    }

    RouterModel(long nowNs) {
        beganNs = nowNs;
    }

    Far open(ForwardRules rules) {
        Far far = new Far(rules);
        all.add(far);
        return far;
    }

    void close(Far far) {
        all.remove(far);
    }

    void onTick(long nowNs) {
        if (nowNs - beganNs >= Routes.AGE_NS) {
            beganNs = nowNs;
            stretch++;
        }
    }

    /** The receivers of the frame. */
    Set<Far> route(Far from, int target, byte[] frame, int messageId, int source, long nowNs) {
        if (!from.rules.accepts().passes(messageId, source)) {
            return Set.of();
        }
        Seen before = seen.get(Arrays.toString(frame));
        if (before != null && nowNs - before.passedNs < RecentFrames.WINDOW_NS) {
            long sinceNs = nowNs - before.atNs;
            before.atNs = nowNs;
            if (before.from != from) {
                return Set.of();
            }
            note(source, frame);
            if (isCounting(source) || sinceNs < RecentFrames.SHORTEST_REPEAT_NS) {
                return Set.of();
            }
            before.passedNs = nowNs;
        } else {
            seen.put(Arrays.toString(frame), new Seen(from, nowNs));
            note(source, frame);
        }
        Set<Far> receivers = new HashSet<>();
        for (Far to : all) {
            if (to == from || !to.rules.sends().passes(messageId, source)) {
                continue;
            }
            boolean isWanted = isTarget(to, target) && !isWithSender(to, from, source);
            if (isWanted || to.rules.isSniffer()) {
                receivers.add(to);
            }
        }
        if (source >>> 8 != 0) {
            from.heard.put(source, stretch);
        }
        return receivers;
    }

    private void note(int source, byte[] frame) {
        List<Byte> last = numbers.computeIfAbsent(source, any -> new ArrayList<>());
        last.add(frame[frame[0] == (byte) 0xFE ? 2 : 4]);
        if (last.size() > RecentFrames.UNCOUNTED) {
            last.remove(0);
        }
    }

    private boolean isCounting(int source) {
        List<Byte> last = numbers.getOrDefault(source, List.of());
        return last.size() < RecentFrames.UNCOUNTED || new HashSet<>(last).size() > 1;
    }

    private boolean isTarget(Far to, int target) {
        return target == 0 || family(to).stream().anyMatch(member -> isRecipient(member, target));
    }

    private boolean isWithSender(Far to, Far from, int source) {
        return family(to).stream().anyMatch(member -> member == from || isHeard(member, source));
    }

    private boolean isRecipient(Far far, int target) {
        return (target & 0xFF) == 0
                ? far.heard.keySet().stream().anyMatch(id -> id >>> 8 == target >>> 8 && isHeard(far, id))
                : isHeard(far, target);
    }

    private boolean isHeard(Far far, int source) {
        Integer last = far.heard.get(source);
        return last != null && stretch - last <= 1;
    }

    /** The endpoint and the others of its group. */
    private List<Far> family(Far far) {
        String group = far.rules.group();
        return group.isEmpty()
                ? List.of(far)
                : all.stream()
                        .filter(other -> other.rules.group().equals(group))
                        .toList();
    }
}
