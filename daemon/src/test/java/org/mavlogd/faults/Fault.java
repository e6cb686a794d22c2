package org.mavlogd.faults;

/** Something bad that is done to the recorder, and what must hold meanwhile and afterwards. */
interface Fault {
    /** How long it is done for. */
    enum Form {
        /** In every build: seconds. */
        SHORT,
        /** By {@code scripts/soak}: as often and as long as docs/reliability.md says. */
        LONG;

        /** One of two numbers. */
        int pick(int ifShort, int ifLong) {
            return this == SHORT ? ifShort : ifLong;
        }
    }

    /** Shows people that something still happens. */
    @FunctionalInterface
    interface Progress {
        void at(int done, int of);
    }

    /** A word, lower case, to ask for it by. */
    String name();

    /** Why it cannot be done here, and what would help; empty when it can. */
    default String obstacle() {
        return "";
    }

    /**
     * Does it, and leaves nothing behind.
     *
     * @return what was measured, for people
     * @throws AssertionError what must hold does not
     */
    String run(Form form, Progress progress) throws Exception;
}
