package org.mavlogd.simulate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Everything that a simulated vehicle tells of the logs on its SD card: by log messages while it is disarmed, and by file
 * transfer at any time. Owned by the vehicle's thread.
 */
public final class LogDownloads {
    private static final long NS_PER_S = 1_000_000_000L;
    /** As much as over USB, or a little more. */
    private static final long DEFAULT_BYTES_PER_SECOND = 8_000_000;

    private static final int MAX_FRAMES_PER_ROUND = 200;
    private static final String ARDUPILOT_ROOT = "/APM/LOGS";
    private static final String PX4_ROOT = "/fs/microsd/log";
    // 2026-11-20 12:34:56
    private static final long LOGGED_S = 1_795_178_096L;

    private final int systemId;
    private final PayloadSender sender;
    private final BooleanSupplier armed;
    private final LogServer messages;
    private final FileServer files;
    private final long bytesPerSecond;
    private long nextNs;
    private long upNs;

    /**
     * The logs of one vehicle.
     *
     * @param rateBytesPerSecond at most, 0 for as fast as over USB
     * @param sender the vehicle's own: all its frames have one header sequence, and are signed or not
     */
    LogDownloads(
            int autopilot,
            int systemId,
            List<StoredLog> logs,
            long rateBytesPerSecond,
            PayloadSender sender,
            BooleanSupplier armed,
            long nowNs) {
        boolean isArduPilot = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
        this.systemId = systemId;
        this.sender = sender;
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

    /** The only log of a vehicle, called as this kind would call it. */
    public static LogDownloads ofOne(
            int autopilot,
            int systemId,
            byte[] log,
            long rateBytesPerSecond,
            PayloadSender sender,
            BooleanSupplier armed,
            long nowNs) {
        StoredLog stored = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT
                ? new StoredLog("00000001.BIN", log, 0)
                : new StoredLog("2026-11-20/12_34_56.ulg", log, LOGGED_S);
        return new LogDownloads(autopilot, systemId, List.of(stored), rateBytesPerSecond, sender, armed, nowNs);
    }

    private static List<StoredLog> withLastNumber(List<StoredLog> logs) {
        List<StoredLog> all = new ArrayList<>(logs);
        String number = logs.size() + "\r\n";
        all.add(new StoredLog("LASTLOG.TXT", number.getBytes(StandardCharsets.US_ASCII), 0));
        return all;
    }

    /** The vehicle starts anew and answers nothing before that time. */
    public void reboot(long newUpNs) {
        upNs = newUpNs;
        messages.restart();
        files.restart();
    }

    /** Whether log messages are under way: an ArduPilot that is disarmed does nothing else with logs meanwhile. */
    public boolean isSending() {
        return messages.isBusy();
    }

    public void onFrame(FrameView received, long nowNs) {
        if (nowNs - upNs < 0) {
            return;
        }
        if (!armed.getAsBoolean()) {
            messages.onFrame(received);
        }
        files.onFrame(received, systemId, nowNs);
    }

    public void onTick(long nowNs) {
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

    private int send(int messageId, byte[] payload, int length) {
        int frameLength = sender.send(messageId, payload, length);
        nextNs += NS_PER_S * frameLength / bytesPerSecond;
        return frameLength;
    }
}
