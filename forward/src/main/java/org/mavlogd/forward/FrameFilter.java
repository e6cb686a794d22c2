package org.mavlogd.forward;

import java.util.Arrays;
import java.util.List;

/**
 * Selects frames by their message, and by the system and component that sent them. All three must accept a frame.
 * Immutable.
 */
public final class FrameFilter {
    /** Accepts all frames. */
    public static final FrameFilter ALL = new FrameFilter(Ids.ALL, Ids.ALL, Ids.ALL);

    private static final int IDS = 256;

    private final int[] onlyMessages;
    private final int[] notMessages;
    private final boolean[] systems;
    private final boolean[] components;

    /**
     * Accepted numbers.
     *
     * @param only if not empty, no others are accepted
     * @param not never accepted
     */
    public record Ids(List<Integer> only, List<Integer> not) {
        /** All numbers. */
        public static final Ids ALL = new Ids(List.of(), List.of());

        public Ids {
            only = List.copyOf(only);
            not = List.copyOf(not);
        }
    }

    public FrameFilter(Ids messages, Ids systems, Ids components) {
        this.onlyMessages = sorted(messages.only());
        this.notMessages = sorted(messages.not());
        this.systems = passing(systems);
        this.components = passing(components);
    }

    private static int[] sorted(List<Integer> ids) {
        return ids.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    private static boolean[] passing(Ids ids) {
        boolean[] passes = new boolean[IDS];
        for (int id = 0; id < IDS; id++) {
            passes[id] = (ids.only().isEmpty() || ids.only().contains(id))
                    && !ids.not().contains(id);
        }
        return passes;
    }

    /**
     * Whether a frame is accepted. Hot path.
     *
     * @param source system of the sender in bits 8 to 15, component in bits 0 to 7
     */
    boolean passes(int messageId, int source) {
        return systems[source >>> Byte.SIZE]
                && components[source & 0xFF]
                && (onlyMessages.length == 0 || Arrays.binarySearch(onlyMessages, messageId) >= 0)
                && (notMessages.length == 0 || Arrays.binarySearch(notMessages, messageId) < 0);
    }
}
