package org.mavlogd.dataflash;

/** Heap sizes of a log's objects in bytes, measured and rounded up. */
final class Footprint {
    /** A parameter with its entries in the maps of received and of written ones. */
    static final int PARAMETER = 300;

    /** The table of an instance field. */
    static final int INSTANCES = 1700;

    /** A value in that table, without its bytes. */
    static final int INSTANCE = 16;

    /** An instance of a topic, without its entry in a list. */
    static final int SERIES = 48;

    /** The units of a type. */
    static final int UNITS = 250;

    /** The statistics of a type's records. */
    static final int TALLY = 450;

    private static final int TYPE = 400;
    private static final int TYPE_FIELD = 76;
    private static final int PLAN = 700;
    private static final int PLAN_FIELD = 180;

    private Footprint() {}

    /** A declared type. */
    static int type(RecordType type) {
        return TYPE + TYPE_FIELD * type.fields().size();
    }

    /** The topic of a type. */
    static int plan(RecordType type) {
        return PLAN + PLAN_FIELD * type.fields().size();
    }
}
