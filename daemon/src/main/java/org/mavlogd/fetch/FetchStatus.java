package org.mavlogd.fetch;

import java.util.List;

/**
 * The state of the logs on one vehicle's card, and of the conversation about them. Immutable.
 *
 * @param link the vehicle's link
 * @param isHeard whether it was heard within the last seconds
 * @param isOurs false while another link has the vehicle
 * @param isRunning whether a conversation is active
 * @param request the number of the newest request that was taken
 * @param listing the vehicle's list of logs when it was last read
 * @param run the state of the active or the last conversation
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
     * @param number counts the lists from 1; 0 before the first
     * @param logs in the order of their ids
     * @param omitted how many older logs on the card are not listed
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
     * @param isRequested whether a user requested it; false after a flight
     * @param isListed whether the vehicle sent its list
     * @param items the chosen logs in the order in which they are fetched
     * @param bytesPerS over the last seconds; 0 if not known
     * @param problem why it ended early; empty if it did not
     */
    public record Run(boolean isRequested, boolean isListed, List<Item> items, long bytesPerS, String problem) {
        static final Run NONE = new Run(false, false, List.of(), 0, "");

        public Run {
            items = List.copyOf(items);
        }
    }

    /** The progress of one log. */
    public enum Phase {
        WAITING,
        FETCHING,
        /** All bytes have been received; the disk may still be busy. */
        ARRIVED,
        INCOMPLETE
    }

    /**
     * A chosen log.
     *
     * @param doneBytes including those of an earlier run
     * @param why it is incomplete; empty otherwise
     */
    public record Item(RemoteLog log, Phase phase, long doneBytes, String why) {}
}
