package org.mavlogd.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * A MAVLink router like those on companion computers: it sends broadcasts to all other endpoints, and frames for one
 * component where it heard that component. Several frames share a datagram or a segment.
 */
final class SmallRouter implements AutoCloseable {
    private static final int BUFFER_LENGTH = 65_536;
    // One Ethernet frame without IP and UDP headers.
    private static final int MAX_DATAGRAM_LENGTH = 1472;
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int IDS = 256;

    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "router");
    private volatile boolean closed;
    private volatile String failure = "";
    private volatile int largestPack;

    /** Routes between these wires; closes them at the end. */
    SmallRouter(VehicleWire... wires) {
        for (VehicleWire wire : wires) {
            endpoints.add(new Endpoint(wire));
        }
        thread.start();
    }

    /** The largest number of frames that shared a datagram or a segment so far. */
    int largestPack() {
        return largestPack;
    }

    private void run() {
        byte[] buffer = new byte[BUFFER_LENGTH];
        try {
            while (!closed) {
                boolean worked = false;
                for (Endpoint endpoint : endpoints) {
                    for (int length = endpoint.wire.receive(buffer);
                            length > 0;
                            length = endpoint.wire.receive(buffer)) {
                        endpoint.take(buffer, length);
                        worked = true;
                    }
                }
                endpoints.forEach(Endpoint::flush);
                if (!worked) {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        } catch (RuntimeException e) {
            failure = e.toString();
            throw e;
        } finally {
            endpoints.forEach(endpoint -> endpoint.wire.close());
        }
    }

    private void route(Endpoint from, FrameView frame) {
        from.heard[frame.systemId()][frame.componentId()] = true;
        int targetOffset = targetOffset(frame.messageId());
        int system = targetOffset < 0 ? 0 : frame.uint8(targetOffset);
        int component = targetOffset < 0 ? 0 : frame.uint8(targetOffset + 1);
        for (Endpoint endpoint : endpoints) {
            if (endpoint != from && (system == 0 || endpoint.heard[system][component])) {
                endpoint.add(frame);
            }
        }
    }

    /** Offset of the target system in the payload; -1 for broadcasts. MAVLink, common.xml and ardupilotmega.xml. */
    private static int targetOffset(int messageId) {
        return switch (messageId) {
            case MessageIds.COMMAND_LONG -> 30;
            case MessageIds.COMMAND_ACK -> 8;
            case LogChunkLayout.LOGGING_DATA, LogChunkLayout.LOGGING_DATA_ACKED -> 2;
            case LogChunkLayout.LOGGING_ACK -> 2;
            case MessageIds.REMOTE_LOG_DATA_BLOCK, MessageIds.REMOTE_LOG_BLOCK_STATUS -> LogBlockLayout.TARGET_SYSTEM;
            default -> -1;
        };
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive() || !failure.isEmpty()) {
            throw new AssertionError("router: " + (failure.isEmpty() ? "thread does not end" : failure));
        }
    }

    private final class Endpoint {
        private final VehicleWire wire;
        private final FrameDecoder decoder;
        private final boolean[][] heard = new boolean[IDS][IDS];
        private final byte[] out = new byte[MAX_DATAGRAM_LENGTH];
        private int outLength;
        private int outFrames;

        Endpoint(VehicleWire wire) {
            this.wire = wire;
            this.decoder = new FrameDecoder((frame, nowNs) -> route(this, frame), FrameCounters.unregistered());
        }

        void take(byte[] bytes, int length) {
            if (wire.isDatagram()) {
                decoder.decodeDatagram(bytes, 0, length, System.nanoTime());
            } else {
                decoder.decode(bytes, 0, length, System.nanoTime());
            }
        }

        void add(FrameView frame) {
            if (outLength + frame.length() > out.length) {
                flush();
            }
            frame.copyFrame(out, outLength);
            outLength += frame.length();
            outFrames++;
        }

        void flush() {
            if (outLength > 0) {
                wire.send(out, 0, outLength);
                largestPack = Math.max(largestPack, outFrames);
                outLength = 0;
                outFrames = 0;
            }
        }
    }
}
