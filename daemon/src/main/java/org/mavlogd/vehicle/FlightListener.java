package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameView;

/**
 * Receives the flights of one vehicle, and may talk to it besides the conversation about its streamed log, to fetch the
 * logs on its card. Called by the link's thread; never throws.
 */
public interface FlightListener {
    /** Does nothing. */
    FlightListener NONE = new FlightListener() {
        @Override
        public void onArming(boolean isArmed, long nowNs) {}

        @Override
        public void onFrame(FrameView frame, long nowNs) {}

        @Override
        public void onTick(boolean isOurs, long nowNs) {}

        @Override
        public void shutDown(long nowNs) {}
    };

    /** A vehicle as it is when it is first heard. */
    record Subject(int systemId, int componentId, int autopilot, boolean isArmed) {}

    /** Sends messages to the vehicle. */
    @FunctionalInterface
    interface Outbox {
        /**
         * Sends one message at once, in a frame.
         *
         * @param payload valid during the call only
         */
        void send(int messageId, byte[] payload, int length);
    }

    /** Makes one for each vehicle of a link. */
    @FunctionalInterface
    interface Factory {
        /** Makes {@link FlightListener#NONE} for every vehicle. */
        Factory NONE = (vehicle, outbox) -> FlightListener.NONE;

        FlightListener of(Subject vehicle, Outbox outbox);
    }

    /** The vehicle was armed or disarmed, or repeats its state. */
    void onArming(boolean isArmed, long nowNs);

    /** Takes a frame of the vehicle; frames of its streamed log are not passed. Hot path. */
    void onFrame(FrameView frame, long nowNs);

    /**
     * Called at each tick of the link.
     *
     * @param isOurs whether no other link has the vehicle
     */
    void onTick(boolean isOurs, long nowNs);

    /** Whether a conversation is active that must not wait for half a second. */
    default boolean isBusy() {
        return false;
    }

    /** The link closes, or the vehicle is removed. */
    void shutDown(long nowNs);
}
