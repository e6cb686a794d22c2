package org.mavlogd.simulate;

import java.util.function.BooleanSupplier;
import org.mavlogd.mavlink.FrameView;

/**
 * The log downloads of a simulated vehicle: by log messages while it is disarmed, and by file transfer at any time.
 * Owned by the vehicle's thread.
 */
public final class LogDownloads {
    private static final long NS_PER_S = 1_000_000_000L;
    /** As much as over USB, or a little more. */
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
     * The logs of one vehicle.
     *
     * @param rateBytesPerSecond at most, 0 for as fast as over USB
     * @param sender the vehicle's own: all its frames have one header sequence, and are signed or not
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

    /** The vehicle starts again and answers nothing before that time. */
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

    /** Frames a payload and sends it in the vehicle's name. */
    @FunctionalInterface
    public interface PayloadSender {
        /** Returns the length of the frame; 0 when the vehicle says nothing now. */
        int send(int messageId, byte[] payload, int length);
    }
}
