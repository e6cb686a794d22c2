package org.mavlogd.faults;

/** A fault that is done to the recorder, with the check of what must hold during and after it. */
interface Fault {
    /** How long the fault lasts. */
    enum Form {
        /** In every build: some seconds. */
        SHORT,
        /** By {@code scripts/soak}: as often and as long as docs/reliability.md states. */
        LONG;

        /** One of two numbers, by form. */
        int pick(int ifShort, int ifLong) {
            return this == SHORT ? ifShort : ifLong;
        }
    }

    /** Shows the operator that the fault is still running. */
    @FunctionalInterface
    interface Progress {
        void at(int done, int of);
    }

    /** The name to select the fault by: one word in lower case. */
    String name();

    /** Why the fault cannot be done here, and how to enable it; empty if it can. */
    default String obstacle() {
        return "";
    }

    /**
     * Does the fault, and leaves nothing behind.
     *
     * @return the measured figures as text
     * @throws AssertionError if a required property does not hold
     */
    String run(Form form, Progress progress) throws Exception;
}
