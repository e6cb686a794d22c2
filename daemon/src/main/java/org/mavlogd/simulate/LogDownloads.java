package org.mavlogd.simulate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Everything that a simulated vehicle tells of the logs on its SD card: by log messages while it is disarmed, and by file
 * transfer at any time. Owned by the vehicle's thread.
 */
final class LogDownloads {
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int AUTOPILOT_COMPONENT = 1;
    /** As much as over USB, or a little more. */
    private static final long DEFAULT_BYTES_PER_SECOND = 8_000_000;

    private static final int MAX_FRAMES_PER_ROUND = 200;
    private static final String ARDUPILOT_ROOT = "/APM/LOGS";
    private static final String PX4_ROOT = "/fs/microsd/log";
    // 2026-11-20 12:34:56
    private static final long LOGGED_S = 1_795_178_096L;

    private final int systemId;
    private final VehicleOutput output;
    private final BooleanSupplier armed;
    private final FrameEncoder encoder = new FrameEncoder(AUTOPILOT_COMPONENT);
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final LogServer messages;
    private final FileServer files;
    private final long bytesPerSecond;
    private long nextNs;
    private long upNs;

    /**
     * The logs of one vehicle.
     *
     * @param rateBytesPerSecond at most, 0 for as fast as over USB
     */
    LogDownloads(
            int autopilot,
            int systemId,
            List<StoredLog> logs,
            long rateBytesPerSecond,
            VehicleOutput output,
            BooleanSupplier armed,
            long nowNs) {
        boolean isArduPilot = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
        this.systemId = systemId;
        this.output = output;
        this.armed = armed;
        this.messages = new LogServer(logs, isArduPilot, this::send);
        this.files = new FileServer(
                isArduPilot ? withLastNumber(logs) : logs,
                isArduPilot ? ARDUPILOT_ROOT : PX4_ROOT,
                isArduPilot,
                this::send);
        this.nextNs = nowNs;
        this.upNs = nowNs;
        this.bytesPerSecond = rateBytesPerSecond > 0 ? rateBytesPerSecond : DEFAULT_BYTES_PER_SECOND;
    }

    /** One log, as this kind of vehicle would call it. */
    static List<StoredLog> only(int autopilot, byte[] bytes) {
        boolean isArduPilot = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
        return List.of(
                isArduPilot
                        ? new StoredLog("00000001.BIN", bytes, 0)
                        : new StoredLog("2026-11-20/12_34_56.ulg", bytes, LOGGED_S));
    }

    private static List<StoredLog> withLastNumber(List<StoredLog> logs) {
        List<StoredLog> all = new ArrayList<>(logs);
        String number = logs.size() + "\r\n";
        all.add(new StoredLog("LASTLOG.TXT", number.getBytes(StandardCharsets.US_ASCII), 0));
        return all;
    }

    /** The vehicle starts anew and answers nothing before that time. */
    void reboot(long newUpNs) {
        upNs = newUpNs;
        messages.restart();
        files.restart();
    }

    void onFrame(FrameView received, long nowNs) {
        if (nowNs - upNs < 0) {
            return;
        }
        if (!armed.getAsBoolean()) {
            messages.onFrame(received);
        }
        files.onFrame(received, systemId, nowNs);
    }

    void onTick(long nowNs) {
        if (armed.getAsBoolean()) {
            messages.restart();
        }
        boolean isBusy = true;
        for (int i = 0; i < MAX_FRAMES_PER_ROUND && isBusy && nowNs - nextNs >= 0; i++) {
            isBusy = messages.run(1) + files.run(1, nowNs) > 0;
        }
        // While nothing is asked for, nothing is saved up.
        nextNs = isBusy ? nextNs : Math.max(nextNs, nowNs);
    }

    private void send(int messageId, byte[] payload, int length) {
        int frameLength = encoder.encode(systemId, messageId, payload, length, frame, 0);
        nextNs += NS_PER_S * frameLength / bytesPerSecond;
        output.send(frame, 0, frameLength);
    }
}
