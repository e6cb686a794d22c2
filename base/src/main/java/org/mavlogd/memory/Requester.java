package org.mavlogd.memory;

/**
 * The kinds of requesters of memory. The part of the budget that each may use is fixed, and the parts add up to all of it: nobody can
 * use what another one is entitled to.
 *
 * <p>The parts of the vehicles lie in one another. A known vehicle may also use what strangers leave, a signed one what both
 * leave; never the other way round.
 */
public enum Requester {
    /** A vehicle that nothing but its own frames speaks for. */
    STRANGER("stranger", 0, 14),

    /** A vehicle that earlier runs have recorded. */
    KNOWN_VEHICLE("known", 1, 19),

    /** A vehicle that signs its frames with our key. */
    SIGNED_VEHICLE("signed", 2, 23),

    /** Programs of this computer that publish, and whatever else is recorded beside the vehicles' logs. */
    LOCAL_SOURCE("local", 3, 4),

    /** The HTTP server's connections. */
    HTTP_CLIENT("http", 4, 1),

    /** Logs that an earlier run left unfinished, while they are read. */
    UNFINISHED_LOG("unfinished_log", 5, 2),

    /** Queues of far ends that frames are forwarded to. */
    FORWARDING("forwarding", 6, 2);

    /** The budget has so many parts. */
    static final int PARTS = 32;

    private final String tag;
    private final int index;
    private final int parts;

    Requester(String tag, int index, int parts) {
        this.tag = tag;
        this.index = index;
        this.parts = parts;
    }

    /** As metrics and the status name it. */
    public String tag() {
        return tag;
    }

    /** How many of {@link #PARTS} it may use, with those of the vehicles that come after it. */
    int parts() {
        return parts;
    }

    /** Its place among all, from 0; of vehicles the later comes first. */
    int index() {
        return index;
    }

    boolean isVehicle() {
        return this == STRANGER || this == KNOWN_VEHICLE || this == SIGNED_VEHICLE;
    }
}
