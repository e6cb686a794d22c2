package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.signing.Signing;

/** The MAVLink version of messages to a vehicle. */
class FrameVersionTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int OWN_COMPONENT = 191;
    private static final int LOG_COMPONENT = 155;

    private final LinkConversations link = new LinkConversations(
            LinkFeeds.ofLogs("a", new Feed("a", 1 << 16).publisher()),
            new ConversationSettings(
                    0,
                    OWN_COMPONENT,
                    ConversationSettings.Mode.ALWAYS,
                    0,
                    TimeUnit.SECONDS.toNanos(5),
                    new ConversationSettings.Timesync(true, true)),
            VehicleLogs.of(new VehicleClaims()),
            Signing.LinkParts.OFF,
            HeardFrames.NONE,
            new Metrics());
    /** Frames that the far end received: "1:185" is message 185 in a frame of MAVLink 1. */
    private final List<String> got = new ArrayList<>();

    private final FarEnd far =
            new FarEnd(false, (frame, now) -> got.add((frame.isV2() ? "2:" : "1:") + frame.messageId()));
    private long nowNs = TimeUnit.SECONDS.toNanos(500);

    private void say(boolean isV1, int component, int message, byte[] payload, int length) {
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        FrameEncoder encoder = new FrameEncoder(component);
        int frameLength = isV1
                ? encoder.encodeV1(1, message, payload, length, frame, 0)
                : encoder.encode(1, message, payload, length, frame, 0);
        link.onBytes(far, frame, 0, frameLength, nowNs);
    }

    private void heartbeat(boolean isV1, int autopilot) {
        byte[] payload = new byte[255];
        int length = new Heartbeat(10, autopilot, 0, 0, 4).encodePayload(payload);
        say(isV1, 1, MessageIds.HEARTBEAT, payload, length);
    }

    private void pass(long ms) {
        for (long end = nowNs + ms * MS; nowNs - end < 0; nowNs += 20 * MS) {
            link.onTick(nowNs);
        }
    }

    private void connect(boolean isV1, int autopilot) {
        link.onPeerUp(far, nowNs);
        heartbeat(isV1, autopilot);
        pass(1100);
        got.clear();
        heartbeat(isV1, autopilot);
        pass(1100);
    }

    @Test
    void anArduPilotThatSpeaksMavlink1IsSpokenToInIt() {
        connect(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        byte[] block = new byte[255];
        block[LogBlockLayout.TARGET_SYSTEM] = 1;
        block[LogBlockLayout.TARGET_COMPONENT] = (byte) OWN_COMPONENT;
        say(true, LOG_COMPONENT, MessageIds.REMOTE_LOG_DATA_BLOCK, block, LogBlockLayout.BLOCK_LENGTH);
        block[LogBlockLayout.NUMBER_OFFSET] = 2; // asks for block 1
        say(true, LOG_COMPONENT, MessageIds.REMOTE_LOG_DATA_BLOCK, block, LogBlockLayout.BLOCK_LENGTH);
        byte[] request = new byte[255];
        Timesync.request(nowNs, 1, OWN_COMPONENT).encodePayload(request);
        say(true, 1, MessageIds.TIMESYNC, request, 16);
        pass(2000);

        // Heartbeats in both versions: from the other one the vehicle may learn that the recorder supports MAVLink 2.
        assertThat(got)
                .contains("1:" + MessageIds.HEARTBEAT, "2:" + MessageIds.HEARTBEAT)
                .contains("1:" + MessageIds.REMOTE_LOG_BLOCK_STATUS, "1:" + MessageIds.TIMESYNC)
                .doesNotContain("2:" + MessageIds.REMOTE_LOG_BLOCK_STATUS, "2:" + MessageIds.TIMESYNC);
        assertThat(got.stream().filter(("1:" + MessageIds.REMOTE_LOG_BLOCK_STATUS)::equals))
                .as("START, two acks, a NACK at least")
                .hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void anArduPilotThatTurnsToMavlink2IsFollowed() {
        connect(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(false, Heartbeat.AUTOPILOT_ARDUPILOT);
        got.clear();
        pass(1100);

        assertThat(got)
                .contains("2:" + MessageIds.HEARTBEAT, "2:" + MessageIds.REMOTE_LOG_BLOCK_STATUS)
                .noneMatch(frame -> frame.startsWith("1:"));
    }

    /** A PX4 switches to MAVLink 2 when it receives it, and cannot stream its log before. */
    @Test
    void aPx4IsSpokenToInMavlink2() {
        connect(true, Heartbeat.AUTOPILOT_PX4);

        assertThat(got)
                .contains("2:" + MessageIds.HEARTBEAT, "2:" + MessageIds.COMMAND_LONG)
                .noneMatch(frame -> frame.startsWith("1:"));
    }
}
