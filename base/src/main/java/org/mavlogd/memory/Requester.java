package org.mavlogd.memory;

/**
 * The kinds of requesters of memory. The part of each in the budget is fixed, and the parts add up to all of it: nobody
 * can use the part of another.
 *
 * <p>The parts of vehicles are nested. A known vehicle may also use what strangers leave free, a signed one what both
 * leave free; never the other way round.
 */
public enum Requester {
    /** A vehicle that is only known by its own frames. */
    STRANGER("stranger", 0, 14),

    /** A vehicle that an earlier run recorded. */
    KNOWN_VEHICLE("known", 1, 19),

    /** A vehicle that signs its frames with our key. */
    SIGNED_VEHICLE("signed", 2, 23),

    /** Publishing programs on this computer, and all other data recorded besides the vehicles' logs. */
    LOCAL_SOURCE("local", 3, 4),

    /** The HTTP server's connections. */
    HTTP_CLIENT("http", 4, 1),

    /** Unfinished logs of an earlier run, while they are read. */
    UNFINISHED_LOG("unfinished_log", 5, 2),

    /** Queues of the peers to which frames are forwarded. */
    FORWARDING("forwarding", 6, 2);

    /** Number of parts of the budget. */
    static final int PARTS = 32;

    private final String tag;
    private final int index;
    private final int parts;

    Requester(String tag, int index, int parts) {
        this.tag = tag;
        this.index = index;
        this.parts = parts;
    }

    /** Name in metrics and the status. */
    public String tag() {
        return tag;
    }

    /** Number of {@link #PARTS} that it may use, including those of vehicles before it. */
    int parts() {
        return parts;
    }

    /** Index among all, from 0; of two vehicles the later one takes precedence. */
    int index() {
        return index;
    }

    boolean isVehicle() {
        return this == STRANGER || this == KNOWN_VEHICLE || this == SIGNED_VEHICLE;
    }
}
