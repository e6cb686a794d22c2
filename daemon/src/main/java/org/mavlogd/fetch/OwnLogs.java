package org.mavlogd.fetch;

/** Whether and where vehicles' own logs are fetched after a flight. Link's thread. */
public interface OwnLogs {
    /** They are not. */
    OwnLogs NONE = new OwnLogs() {
        @Override
        public boolean areWanted() {
            return false;
        }

        @Override
        public long delayNs() {
            return 0;
        }

        @Override
        public FetchClient client(FetchTarget vehicle) {
            throw new IllegalStateException("nobody wants logs of " + vehicle.text());
        }
    };

    boolean areWanted();

    /** From disarm until it begins: the vehicle closes its log first. */
    long delayNs();

    /** Takes the logs of one vehicle; for one conversation. */
    FetchClient client(FetchTarget vehicle);
}
