package org.mavlogd.vehicle.conversation;

import org.mavlogd.feed.ResumeTicket;

/** The conversation with one vehicle about its log. Time is an argument. Owned by the link's thread. */
public interface LogConversation {
    /** The state of a conversation. */
    enum State {
        /** No log is wanted, or the vehicle is not heard. */
        IDLE("idle"),
        /** START is repeated until it is answered, by whatever answers it. */
        ASKING("asking for the log"),
        /** START was accepted, the log has not begun. Not where only the log itself answers START. */
        AWAITING("waiting for log data"),
        RECORDING("recording"),
        /** STOP was sent; what the vehicle still has is taken. */
        STOPPING("stopping"),
        /** A stream whose beginning is not here is being stopped, so that it can begin again. */
        CLEARING("clearing an old stream");

        private final String text;

        State(String text) {
            this.text = text;
        }
    }

    /**
     * Who talks with whom, and how patiently.
     *
     * @param systemId the vehicle's system id, under which we speak too
     * @param componentId the vehicle's component id
     * @param ownComponentId our component id
     * @param silenceNs how long a vehicle that is heard may send no log data before its log is taken to be over
     * @param noticesLeaving whether the vehicle notices that its recorder left. By datagrams it does; on a TCP
     *     connection or a serial port its output makes no progress when nobody reads, and then ArduPilot never starts the
     *     time-out for missing acks
     */
    record Settings(int systemId, int componentId, int ownComponentId, long silenceNs, boolean noticesLeaving) {}

    State state();

    /** Its state, for people. */
    default String stateText() {
        return state().text;
    }

    /** What the user should know about the state; empty when all is well. */
    String detail();

    /** Whether a log is asked for that has not begun. */
    default boolean isAsking() {
        return state() == State.ASKING;
    }

    default boolean isRecording() {
        return state() == State.RECORDING;
    }

    /** Whether nothing is under way. */
    boolean isAtRest();

    /** Whether the vehicle said that it will not stream its log on this link; an ArduPilot does not say no. */
    default boolean isRefused() {
        return false;
    }

    /** Whether the vehicle ever did what only a vehicle does. */
    boolean isAnswered();

    /** Whether nobody waits for an answer of ours now; some milliseconds are nothing to an ArduPilot. Hot path. */
    default boolean mayWait(long nowNs) {
        return true;
    }

    /** Whether the log is wanted now. */
    void want(boolean isWanted);

    /** Any frame of the vehicle. Hot path. */
    void onHeard(long nowNs);

    /** The vehicle's time since boot, as SYSTEM_TIME tells it; a step back is a reboot. */
    void onBootTime(long bootMs, long nowNs);

    /** Does what is due. */
    void onTick(long nowNs);

    /** The recorder is going to end. */
    void shutDown(long nowNs);

    /** The logs of an earlier run that may continue. Called by link threads; never waits. */
    @FunctionalInterface
    public interface ResumableLogs {
        /** No log may continue. */
        ResumableLogs NONE = systemId -> ResumeTicket.NONE;

        /** The ticket for that vehicle, {@link ResumeTicket#NONE} or {@link ResumeTicket#PENDING}. */
        ResumeTicket ticket(int systemId);
    }
}
