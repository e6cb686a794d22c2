package org.mavlogd.simulate.ardupilot;

import java.nio.charset.StandardCharsets;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.AttitudeLayout;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.StatustextLayout;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.mavlink.TimesyncLayout;
import org.mavlogd.simulate.VehicleOutput;

/**
 * All messages that a simulated ArduPilot sends, in frames of MAVLink 1 or 2. Owned by the vehicle's thread. Hot path.
 */
final class ArduPilotFrames {
    private static final int AUTOPILOT_COMPONENT = 1;
    private static final int LOG_COMPONENT = 155; // MAV_COMP_ID_LOG
    private static final int TYPE_GROUND_ROVER = 10;
    private static final int MODE_CUSTOM = 1;
    private static final int MODE_ARMED = 128;
    private static final int STATE_STANDBY = 3;
    private static final int STATE_ACTIVE = 4;
    private static final byte[] BOOT_TEXT = "\n\nArduRover V4.7.0-dev (90700977)\n\nFree RAM: 131072\nInit complete\n"
            .getBytes(StandardCharsets.US_ASCII);

    private final ArduPilotSettings settings;
    private final VehicleOutput output;
    private final ArduPilotCounters counters;
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private FrameEncoder autopilot = new FrameEncoder(AUTOPILOT_COMPONENT);
    private FrameEncoder log = new FrameEncoder(LOG_COMPONENT);

    ArduPilotFrames(ArduPilotSettings settings, VehicleOutput output, ArduPilotCounters counters) {
        this.settings = settings;
        this.output = output;
        this.counters = counters;
    }

    /** Resets the state, as a reboot does. */
    void restart() {
        autopilot = new FrameEncoder(AUTOPILOT_COMPONENT);
        log = new FrameEncoder(LOG_COMPONENT);
    }

    /** Sends text as a serial port does before MAVLink starts. */
    void bootText() {
        output.send(BOOT_TEXT, 0, BOOT_TEXT.length);
    }

    void heartbeat(boolean armed) {
        int mode = MODE_CUSTOM | (armed ? MODE_ARMED : 0);
        int state = armed ? STATE_ACTIVE : STATE_STANDBY;
        Heartbeat heartbeat = new Heartbeat(TYPE_GROUND_ROVER, Heartbeat.AUTOPILOT_ARDUPILOT, mode, 0, state);
        send(autopilot, MessageIds.HEARTBEAT, heartbeat.encodePayload(payload));
    }

    /** Sends the time since boot, without UTC: this vehicle has no satellite receiver. */
    void systemTime(long bootMs) {
        SystemTimeLayout.putTimeUnixUsec(payload, 0);
        SystemTimeLayout.putTimeBootMs(payload, bootMs);
        send(autopilot, MessageIds.SYSTEM_TIME, SystemTimeLayout.FULL_LENGTH);
    }

    void timesync(Timesync answer) {
        int length = answer.encodePayload(payload);
        send(autopilot, MessageIds.TIMESYNC, settings.isMavlink1() ? TimesyncLayout.CORE_LENGTH : length);
    }

    void attitude(long bootMs) {
        double time = bootMs / 1000.0;
        AttitudeLayout.putTimeBootMs(payload, bootMs);
        AttitudeLayout.putRoll(payload, (float) Math.sin(time));
        AttitudeLayout.putPitch(payload, (float) Math.sin(time + 1));
        AttitudeLayout.putYaw(payload, (float) Math.sin(time + 2));
        AttitudeLayout.putRollspeed(payload, (float) Math.cos(time));
        AttitudeLayout.putPitchspeed(payload, (float) Math.cos(time + 1));
        AttitudeLayout.putYawspeed(payload, (float) Math.cos(time + 2));
        send(autopilot, AttitudeLayout.MESSAGE_ID, AttitudeLayout.FULL_LENGTH);
    }

    void text(int severity, String text) {
        int length = new StatusText(severity, text, 0, 0).encodePayload(payload);
        send(autopilot, MessageIds.STATUSTEXT, settings.isMavlink1() ? StatustextLayout.CORE_LENGTH : length);
    }

    void block(long number, byte[] data, int targetSystem, int targetComponent) {
        LittleEndian.putInt32(payload, LogBlockLayout.NUMBER_OFFSET, (int) number);
        payload[LogBlockLayout.TARGET_SYSTEM] = (byte) targetSystem;
        payload[LogBlockLayout.TARGET_COMPONENT] = (byte) targetComponent;
        System.arraycopy(data, 0, payload, LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH);
        send(log, MessageIds.REMOTE_LOG_DATA_BLOCK, LogBlockLayout.BLOCK_LENGTH);
    }

    /** Sends another message of the autopilot; returns the length of the frame. */
    int send(int messageId, byte[] content, int contentLength) {
        return send(autopilot, messageId, content, contentLength);
    }

    private void send(FrameEncoder encoder, int messageId, int payloadLength) {
        send(encoder, messageId, payload, payloadLength);
    }

    private int send(FrameEncoder encoder, int messageId, byte[] content, int contentLength) {
        int length = settings.isMavlink1()
                ? encoder.encodeV1(settings.systemId(), messageId, content, contentLength, frame, 0)
                : encoder.encode(settings.systemId(), messageId, content, contentLength, frame, 0);
        counters.frames.increment();
        output.send(frame, 0, length);
        return length;
    }
}
