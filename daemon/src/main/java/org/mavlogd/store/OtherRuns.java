package org.mavlogd.store;

/**
 * Connects the files of this run with those of the runs before and after it. The {@link Keeper} reports its work on
 * each file of this run, and gives time for the files of earlier runs.
 *
 * <p>All calls but {@link #isListed} and {@link #highestCounter} come from the keeper's thread. No method throws: an
 * error here must not keep a file of this run from being forced or finished.
 */
public interface OtherRuns {
    /** For no other runs: nothing is left of an earlier one, and nothing is noted for a later one. */
    OtherRuns NONE = new OtherRuns() {
        @Override
        public boolean isListed() {
            return true;
        }

        @Override
        public long highestCounter() {
            return 0;
        }

        @Override
        public void watch(LogFile file) {}

        @Override
        public boolean work(long nowNs) {
            return false;
        }

        @Override
        public void ends(LogFile file) {}

        @Override
        public void leaves(LogFile file, String stem, long nowNs) {}

        @Override
        public void closed(LogFile file) {}

        @Override
        public void finishing(LogFile file) {}

        @Override
        public void close() {}
    };

    /** Makes the object for one keeper. */
    @FunctionalInterface
    interface Factory {
        /**
         * Called once, before the keeper's thread starts.
         *
         * @param names renames and deletes files of earlier runs
         * @param listener is informed about each of them that gets its final name
         */
        OtherRuns create(NameChanges names, Keeper.FinishedListener listener);
    }

    /**
     * Whether the files of earlier runs are known: a file created before could be mistaken for one of them. Any thread.
     */
    boolean isListed();

    /**
     * The highest counter of a file of an earlier run; 0 while not known. Files of this run have higher ones. Any
     * thread.
     */
    long highestCounter();

    /** A file of this run is being written from now on. */
    void watch(LogFile file);

    /** Does a limited amount of work; returns whether there was any. Called in each round, allocates nothing. */
    boolean work(long nowNs);

    /** The file is about to be finished or deleted: no later run continues it. */
    void ends(LogFile file);

    /**
     * This run ends, and the next one may continue the file.
     *
     * @param stem of the name that the file is about to get
     */
    void leaves(LogFile file, String stem, long nowNs);

    /** The file is closed, and about to be renamed or deleted. */
    void closed(LogFile file);

    /** The file is closed and complete, and about to get its final name. */
    void finishing(LogFile file);

    /** This run ends; recorder and links have ended already. */
    void close();
}
