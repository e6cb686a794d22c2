package org.mavlogd.forward;

import java.util.Arrays;
import java.util.List;

/**
 * Which frames pass: by their message, and by the system and the component that sent them. A frame must be let through by all
 * three. Immutable.
 */
public final class FrameFilter {
    /** Lets everything through. */
    public static final FrameFilter ALL = new FrameFilter(Ids.ALL, Ids.ALL, Ids.ALL);

    private static final int IDS = 256;

    private final int[] onlyMessages;
    private final int[] notMessages;
    private final boolean[] systems;
    private final boolean[] components;

    /**
     * Numbers that pass.
     *
     * @param only if any, then no others
     * @param not never these
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
     * Whether a frame passes. Hot path.
     *
     * @param source the sender's system in bits 8 to 15, its component in bits 0 to 7
     */
    boolean passes(int messageId, int source) {
        return systems[source >>> Byte.SIZE]
                && components[source & 0xFF]
                && (onlyMessages.length == 0 || Arrays.binarySearch(onlyMessages, messageId) >= 0)
                && (notMessages.length == 0 || Arrays.binarySearch(notMessages, messageId) < 0);
    }
}
