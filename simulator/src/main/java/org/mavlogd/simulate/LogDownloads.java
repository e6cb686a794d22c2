package org.mavlogd.simulate;

import java.util.function.BooleanSupplier;
import org.mavlogd.mavlink.FrameView;

/**
 * The log downloads of a simulated vehicle: by log messages while it is disarmed, and by file transfer at any time.
 * Owned by the vehicle's thread.
 */
public final class LogDownloads {
    private static final long NS_PER_S = 1_000_000_000L;
    /** About the rate of USB. */
    private static final long DEFAULT_BYTES_PER_SECOND = 8_000_000;

    private static final int MAX_FRAMES_PER_ROUND = 200;

    private final int systemId;
    private final PayloadSender sender;
    private final BooleanSupplier armed;
    private final LogServer messages;
    private final FileServer files;
    private final long bytesPerSecond;
    private long nextNs;
    private long upNs;

    /**
     * Creates the log downloads of a vehicle.
     *
     * @param rateBytesPerSecond maximum rate; 0 for that of USB
     * @param sender the vehicle's own: all its frames share one sequence and signing
     */
    public LogDownloads(
            LogCard card,
            int systemId,
            long rateBytesPerSecond,
            PayloadSender sender,
            BooleanSupplier armed,
            long nowNs) {
        this.systemId = systemId;
        this.sender = sender;
        this.armed = armed;
        this.messages = new LogServer(card.logs(), card.isArduPilot(), this::send);
        this.files = new FileServer(card.files(), card.root(), card.isArduPilot(), this::send);
        this.nextNs = nowNs;
        this.upNs = nowNs;
        this.bytesPerSecond = rateBytesPerSecond > 0 ? rateBytesPerSecond : DEFAULT_BYTES_PER_SECOND;
    }

    /** Reboots the vehicle, which answers nothing before this time. */
    public void reboot(long newUpNs) {
        upNs = newUpNs;
        messages.restart();
        files.restart();
    }

    /** Whether log messages are being answered: a disarmed ArduPilot does nothing else with logs meanwhile. */
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
        // Unused time does not accumulate.
        nextNs = isBusy ? nextNs : Math.max(nextNs, nowNs);
    }

    private int send(int messageId, byte[] payload, int length) {
        int frameLength = sender.send(messageId, payload, length);
        nextNs += NS_PER_S * frameLength / bytesPerSecond;
        return frameLength;
    }

    /** Sends a payload as a frame of the vehicle. */
    @FunctionalInterface
    public interface PayloadSender {
        /** Returns the length of the frame; 0 if the vehicle sends nothing now. */
        int send(int messageId, byte[] payload, int length);
    }
}
