package org.mavlogd.dataflash;

/** Heap sizes of a log's objects in bytes: measured and rounded up. */
final class Footprint {
    /** A parameter's name and values, and its entries in the lists of those that came and those that were written. */
    static final int PARAMETER = 300;

    /** The table of a field that tells instances. */
    static final int INSTANCES = 1700;

    /** A value in that table, beside its bytes. */
    static final int INSTANCE = 16;

    /** An instance of a topic, beside its place in a list. */
    static final int SERIES = 48;

    /** The units of a type. */
    static final int UNITS = 250;

    /** What is gathered of the records of a type. */
    static final int TALLY = 450;

    private static final int TYPE = 400;
    private static final int TYPE_FIELD = 76;
    private static final int PLAN = 700;
    private static final int PLAN_FIELD = 180;

    private Footprint() {}

    /** A type as it is declared. */
    static int type(RecordType type) {
        return TYPE + TYPE_FIELD * type.fields().size();
    }

    /** The topic of a type. */
    static int plan(RecordType type) {
        return PLAN + PLAN_FIELD * type.fields().size();
    }
}
