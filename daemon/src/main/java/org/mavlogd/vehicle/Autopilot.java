package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;

/**
 * The part of a vehicle that depends on the make of its autopilot: how its log is streamed. Owned by the link's thread;
 * {@link #onFrame} is on the hot path.
 */
sealed interface Autopilot permits Px4Autopilot, ArduPilotAutopilot, Autopilot.Unsupported {
    /**
     * MAV_COMPONENT: 1 is the autopilot, 25 to 99 are free for users, 100 and above belong to payloads and services.
     */
    int LAST_AUTOPILOT_COMPONENT = 99;

    /** The make, for messages. */
    String name();

    /** Whether its log can be streamed. */
    default boolean isSupported() {
        return true;
    }

    /** The conversation about its log; does nothing if this is not {@link #isSupported}. */
    LogConversation conversation();

    /** In mode {@link ConversationSettings.Mode#ARMED}, how long recording continues after disarming. */
    default long leadOutNs(ConversationSettings settings) {
        return settings.leadOutNs();
    }

    /** Whether a frame that another component of the vehicle sent is a piece of its log. Hot path. */
    default boolean isLogOfOtherComponent(FrameView frame) {
        return false;
    }

    /** Called when the vehicle is reached at another peer. */
    default void onNewLink() {}

    /**
     * Handles any frame of the vehicle: log data, and messages of the conversation about the log. Hot path.
     *
     * @param chunk the frame read as a piece of a PX4's log
     */
    void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs);

    /**
     * Called before each tick of the conversation.
     *
     * @param isWished whether the log is wanted by the mode of recording
     * @return whether the stream moved to this link since the last call
     */
    boolean onTick(boolean isArmed, boolean isWished, long nowNs);

    /** Whether the vehicle is to be asked for its log. */
    default boolean isAskedFor(boolean isWished) {
        return isWished;
    }

    /**
     * Whether these heartbeats come from an autopilot, and not from a camera, a ground station or another component.
     *
     * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_TYPE">MAV_TYPE</a>
     * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_COMPONENT">MAV_COMPONENT</a>
     */
    static boolean isAutopilot(int systemId, int componentId, Heartbeat heartbeat) {
        return systemId > 0
                && componentId > 0
                && componentId <= LAST_AUTOPILOT_COMPONENT
                && heartbeat.autopilot() != Heartbeat.AUTOPILOT_INVALID
                && isVehicleType(heartbeat.type());
    }

    private static boolean isVehicleType(int type) {
        return switch (type) {
            case 6, // GCS
                    18, // ONBOARD_CONTROLLER
                    26, // GIMBAL
                    27, // ADSB
                    30, // CAMERA
                    31, // CHARGING_STATION
                    32, // FLARM
                    33, // SERVO
                    34, // ODID
                    36, // BATTERY
                    37, // PARACHUTE
                    38, // LOG
                    39, // OSD
                    40, // IMU
                    41, // GPS
                    42 // WINCH
            -> false;
            default -> true;
        };
    }

    /** Whether logs of that make are recorded. */
    static boolean isSupported(int autopilot) {
        return autopilot == Heartbeat.AUTOPILOT_PX4 || autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
    }

    /**
     * Makes the autopilot that sends these heartbeats.
     *
     * @param first the first of them
     */
    static Autopilot of(
            LinkContext context,
            FrameView first,
            Heartbeat heartbeat,
            SourceLock source,
            VehicleOutbox outbox,
            LogClaim claim) {
        return switch (heartbeat.autopilot()) {
            case Heartbeat.AUTOPILOT_PX4 ->
                new Px4Autopilot(context, first.systemId(), first.componentId(), source, outbox, claim);
            case Heartbeat.AUTOPILOT_ARDUPILOT ->
                new ArduPilotAutopilot(context, first, source.holder(), outbox, claim);
            default -> new Unsupported("autopilot type " + heartbeat.autopilot());
        };
    }

    /**
     * An autopilot of another make. Its conversation never begins; the status shows it with the reason why it is not
     * recorded.
     */
    record Unsupported(String name) implements Autopilot, LogConversation {
        @Override
        public boolean isSupported() {
            return false;
        }

        @Override
        public LogConversation conversation() {
            return this;
        }

        @Override
        public void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs) {}

        @Override
        public boolean onTick(boolean isArmed, boolean isWished, long nowNs) {
            return false;
        }

        @Override
        public State state() {
            return State.IDLE;
        }

        @Override
        public String stateText() {
            return "not recorded";
        }

        @Override
        public String detail() {
            return "log streaming of this autopilot is not supported";
        }

        @Override
        public boolean isLogOpen() {
            return false;
        }

        @Override
        public boolean isAnswered() {
            return false;
        }

        @Override
        public void want(boolean isWanted) {}

        @Override
        public void onHeard(long nowNs) {}

        @Override
        public void onBootTime(long bootMs, long nowNs) {}

        @Override
        public void onTick(long nowNs) {}

        @Override
        public void shutDown(long nowNs) {}
    }
}
