package org.mavlogd.fetch;

import java.util.List;

/**
 * The state of the logs on one vehicle's card, and of the conversation about them. Immutable.
 *
 * @param link through which it is heard
 * @param isHeard whether it was heard within the last seconds
 * @param isOurs false while another link has the vehicle
 * @param isRunning whether a conversation is under way
 * @param request the number of the newest request that was taken
 * @param listing the vehicle's list of logs as it was read last
 * @param run what became of the newest conversation; of the one under way, if there is one
 */
public record FetchStatus(
        FetchTarget vehicle,
        String link,
        boolean isArmed,
        boolean isHeard,
        boolean isOurs,
        boolean isRunning,
        long request,
        Listing listing,
        Run run) {

    /**
     * The newest logs of a vehicle's list.
     *
     * @param number counts the lists from 1; 0 while none was read
     * @param logs in the order of their ids
     * @param omitted how many older logs are on the card beside them
     */
    public record Listing(int number, List<RemoteLog> logs, int omitted) {
        static final Listing NONE = new Listing(0, List.of(), 0);

        public Listing {
            logs = List.copyOf(logs);
        }
    }

    /**
     * One conversation.
     *
     * @param isRequested whether somebody asked for it; false after a flight
     * @param isListed whether the vehicle sent its list
     * @param items the chosen logs in the order in which they are fetched
     * @param bytesPerS of the last seconds; 0 while it is not known
     * @param problem why it ended early; empty when it did not
     */
    public record Run(boolean isRequested, boolean isListed, List<Item> items, long bytesPerS, String problem) {
        static final Run NONE = new Run(false, false, List.of(), 0, "");

        public Run {
            items = List.copyOf(items);
        }
    }

    /** How far one log is. */
    public enum Phase {
        WAITING,
        FETCHING,
        /** All bytes have arrived; the disk may still be at work. */
        ARRIVED,
        INCOMPLETE
    }

    /**
     * A log that was chosen.
     *
     * @param doneBytes those of an earlier run included
     * @param why it is incomplete; empty otherwise
     */
    public record Item(RemoteLog log, Phase phase, long doneBytes, String why) {}
}
