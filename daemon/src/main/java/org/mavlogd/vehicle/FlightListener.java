package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameView;

/**
 * Receives the flights of one vehicle, and may talk with it besides the conversation about its log, to fetch its own
 * logs. Called by the link's thread; never throws.
 */
public interface FlightListener {
    /** Nobody. */
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

    /** A vehicle when it is heard first. */
    record Subject(int systemId, int componentId, int autopilot, boolean isArmed) {}

    /** Sends messages to the vehicle. */
    @FunctionalInterface
    interface Outbox {
        /**
         * One message; it is framed and sent at once.
         *
         * @param payload valid during the call only
         */
        void send(int messageId, byte[] payload, int length);
    }

    /** Makes one for each vehicle of a link. */
    @FunctionalInterface
    interface Factory {
        /** For vehicles that nobody follows. */
        Factory NONE = (vehicle, outbox) -> FlightListener.NONE;

        FlightListener of(Subject vehicle, Outbox outbox);
    }

    /** The vehicle was armed or disarmed, or is as it was. */
    void onArming(boolean isArmed, long nowNs);

    /** A frame of the vehicle, those of its streamed log excepted. Hot path. */
    void onFrame(FrameView frame, long nowNs);

    /**
     * Time passes.
     *
     * @param isOurs whether no other link has the vehicle
     */
    void onTick(boolean isOurs, long nowNs);

    /** Whether a conversation is under way that must not wait for half a second. */
    default boolean isBusy() {
        return false;
    }

    /** The link ends, or the vehicle is given up. */
    void shutDown(long nowNs);
}
