package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.LogChunk;

/**
 * A vehicle's autopilot as far as its make decides how its log is streamed. A {@link Vehicle} asks it and needs not know the make.
 * Owned by the link's thread; {@link #onFrame} is on the hot path.
 */
sealed interface Autopilot permits Px4Autopilot, ArduPilotAutopilot, UnsupportedAutopilot {
    /** The make, for people. */
    String name();

    /** Whether its log can be streamed. */
    default boolean isSupported() {
        return true;
    }

    /** The conversation about its log; without effect when that is not {@link #isSupported}. */
    LogConversation conversation();

    /** In mode {@link RecordingMode#ARMED}, how long recording continues after disarming. */
    default long leadOutNs(ConversationSettings settings) {
        return settings.leadOutNs();
    }

    /** Whether a frame that another component of the vehicle sent is a piece of its log. Hot path. */
    default boolean isLogOfOtherComponent(FrameView frame) {
        return false;
    }

    /** The vehicle is now reached in another way. */
    default void onNewLink() {}

    /**
     * Any frame of the vehicle: takes what it carries of the log and of the conversation about it. Hot path.
     *
     * @param chunk the frame read as a piece of a PX4's log
     */
    void onFrame(Peer from, FrameView frame, LogChunk chunk, long nowNs);

    /**
     * Does what is due before the conversation's own tick.
     *
     * @param isWished whether the log is wanted by the mode of recording
     * @return whether the stream has come to this link since the last call
     */
    boolean onTick(boolean isArmed, boolean isWished, long nowNs);

    /** Which of its datagrams may wait now; null when none may. */
    default @Nullable BulkRule bulk() {
        return null;
    }

    /** Whether the log is asked for. */
    default boolean isAskedFor(boolean isWished) {
        return isWished;
    }
}
