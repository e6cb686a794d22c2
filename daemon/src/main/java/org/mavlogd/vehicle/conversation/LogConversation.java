package org.mavlogd.vehicle.conversation;

import org.mavlogd.feed.ResumeTicket;

/** The conversation with one vehicle about its log. Time is an argument. Owned by the link's thread. */
public interface LogConversation {
    /** The state of a conversation. */
    enum State {
        /** No log is wanted, or the vehicle is not heard. */
        IDLE("idle"),
        /** START is repeated until the vehicle answers it. */
        ASKING("asking for the log"),
        /**
         * START was accepted, the log has not begun. Not used for ArduPilot, where only the log itself answers START.
         */
        AWAITING("waiting for log data"),
        RECORDING("recording"),
        /** STOP was sent; data that the vehicle still has is recorded. */
        STOPPING("stopping"),
        /** A stream whose start is missing is being stopped, so that it can begin again. */
        CLEARING("clearing an old stream");

        private final String text;

        State(String text) {
            this.text = text;
        }
    }

    /**
     * The two sides of a conversation, and its time limits.
     *
     * @param systemId the vehicle's system id, which mavlogd uses too
     * @param componentId the vehicle's component id
     * @param ownComponentId mavlogd's component id
     * @param silenceNs how long a vehicle that is heard may send no log data until its log counts as over
     * @param noticesLeaving whether the vehicle notices that its recorder is gone. With datagrams it does; on a TCP
     *     connection or a serial port its output stalls if nobody reads, and then ArduPilot never starts its time-out
     *     for missing acks
     */
    record Settings(int systemId, int componentId, int ownComponentId, long silenceNs, boolean noticesLeaving) {}

    State state();

    /** The state as a text. */
    default String stateText() {
        return state().text;
    }

    /** A problem that the user should know; empty if there is none. */
    String detail();

    /** Whether mavlogd asks for a log that has not begun. */
    default boolean isAsking() {
        return state() == State.ASKING;
    }

    default boolean isRecording() {
        return state() == State.RECORDING;
    }

    /** Whether a log has begun and not ended, also while it is silent. */
    boolean isLogOpen();

    /** Whether nothing is sent or expected. */
    default boolean isAtRest() {
        return state() == State.IDLE && !isLogOpen();
    }

    /** Whether two ticks a second are enough while nothing arrives. */
    default boolean isUnhurried(long nowNs) {
        return isAtRest();
    }

    /** Whether the vehicle refused to stream its log on this link; an ArduPilot never refuses. */
    default boolean isRefused() {
        return false;
    }

    /** Whether the vehicle answered in a way that proves that it is real. */
    boolean isAnswered();

    /** Whether the vehicle waits for no answer now; an ArduPilot can always wait some milliseconds. Hot path. */
    default boolean mayWait(long nowNs) {
        return true;
    }

    /** Sets whether the log is wanted. */
    void want(boolean isWanted);

    /** The log that this conversation asked for came on another link: it no longer waits for it. */
    default void leaveAwaited() {}

    /** Notes that a frame of the vehicle came. Hot path. */
    void onHeard(long nowNs);

    /** Takes the vehicle's time since boot from SYSTEM_TIME; a step back is a reboot. */
    void onBootTime(long bootMs, long nowNs);

    /** Sends messages that are due. */
    void onTick(long nowNs);

    /** The recorder is about to end. */
    void shutDown(long nowNs);

    /** The logs of an earlier run that may continue. Called by link threads; never blocks. */
    @FunctionalInterface
    public interface ResumableLogs {
        /** No log may continue. */
        ResumableLogs NONE = systemId -> ResumeTicket.NONE;

        /** The ticket for that vehicle, {@link ResumeTicket#NONE} or {@link ResumeTicket#PENDING}. */
        ResumeTicket ticket(int systemId);
    }
}
