package org.mavlogd.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.simulate.px4.StreamObserver;

/** A simulated PX4 on its own thread, at the end of a {@link VehicleWire}. */
public final class FlyingVehicle implements AutoCloseable {
    private static final int MESSAGE_ID_OFFSET = 7; // in a MAVLink 2 frame

    private final VehicleWire wire;
    private final Px4Vehicle vehicle;
    private final List<SentLog> sent = new CopyOnWriteArrayList<>();
    private final VehicleThread thread;
    private volatile boolean losesChunks;
    private volatile boolean losesAll;
    private volatile boolean atLogEnd;
    private volatile boolean streaming;
    private volatile long disarmsAfter = Long.MAX_VALUE;
    // Null unless a ground station beside the recorder has the stream.
    private volatile @Nullable GroundStation groundStation;

    public FlyingVehicle(VehicleWire wire, Px4Settings settings, LogImage log) {
        this.wire = wire;
        this.vehicle = new Px4Vehicle(settings, log, this::send, new Truth(), System.nanoTime());
        this.thread = new VehicleThread("vehicle-" + settings.systemId(), wire, vehicle::onFrame, this::onTick);
    }

    public VehicleWire wire() {
        return wire;
    }

    /** All logs that the vehicle started, including those that never arrived. */
    public List<SentLog> sent() {
        return sent;
    }

    public boolean isAtLogEnd() {
        return atLogEnd;
    }

    public boolean isStreaming() {
        return streaming;
    }

    public long chunksSent() {
        return vehicle.counters().chunks();
    }

    /** What it sent, and how its streams ended. */
    @Override
    public String toString() {
        return vehicle.counters().summary() + ", ends of the streams "
                + sent.stream().map(SentLog::end).toList();
    }

    /** Runs an action on the vehicle's thread. */
    public void order(ObjLongConsumer<Px4Vehicle> order) {
        thread.order(timeNs -> order.accept(vehicle, timeNs));
    }

    /** Disarms by itself, and so ends its log, after this number of bytes of the log. */
    public void disarmsAfter(long bytes) {
        disarmsAfter = bytes;
    }

    /**
     * Sets whether log data is lost while everything else arrives, as on links that are too slow or cut long frames.
     */
    public void losesChunks(boolean value) {
        losesChunks = value;
    }

    /** Sets whether everything is lost, as from a vehicle that is switched off. */
    public void losesAll(boolean value) {
        losesAll = value;
    }

    /** Makes a ground station on another link of the vehicle start the stream and acknowledge it. */
    public void streamTo(int systemId, int componentId) {
        groundStation = new GroundStation(systemId, new FrameEncoder(componentId));
        order((px4, timeNs) -> px4.commandElsewhere(CommandLong.LOGGING_START, systemId, componentId, timeNs));
    }

    private record GroundStation(int systemId, FrameEncoder encoder) {}

    private void acknowledge(GroundStation its, int sequence) {
        byte[] payload = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new LoggingAck(1, 1, sequence).encodePayload(payload);
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int frameLength = its.encoder().encode(its.systemId(), LogChunkLayout.LOGGING_ACK, payload, length, frame, 0);
        FrameDecoder decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
        order((px4, timeNs) -> decoder.decodeDatagram(frame, 0, frameLength, timeNs));
    }

    /** Sends another component's frame on the vehicle's wire. */
    public void alsoSend(byte[] frame) {
        order((px4, timeNs) -> wire.send(frame, 0, frame.length));
    }

    private void send(byte[] frame, int offset, int length) {
        int messageId =
                (frame[offset + MESSAGE_ID_OFFSET] & 0xFF) + ((frame[offset + MESSAGE_ID_OFFSET + 1] & 0xFF) << 8);
        boolean isChunk = messageId == LogChunkLayout.LOGGING_DATA || messageId == LogChunkLayout.LOGGING_DATA_ACKED;
        if (!losesAll && !(isChunk && losesChunks)) {
            wire.send(frame, offset, length);
        }
    }

    private void onTick(long nowNs) {
        vehicle.onTick(nowNs);
        if (vehicle.isStreaming() && sent.get(sent.size() - 1).length() >= disarmsAfter) {
            disarmsAfter = Long.MAX_VALUE;
            vehicle.disarm(nowNs);
        }
        atLogEnd = vehicle.isAtLogEnd();
        streaming = vehicle.isStreaming();
    }

    @Override
    public void close() {
        thread.close();
    }

    private final class Truth implements StreamObserver {
        @Override
        public void onSessionStart(byte[] header, long timeNs) {
            sent.add(new SentLog());
        }

        @Override
        public void onChunk(
                int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long timeNs) {
            last().add(data, offset, length, timeNs);
        }

        @Override
        public void onChunkSent(int sequence, boolean acked, int attempt, long timeNs) {
            GroundStation its = groundStation;
            if (acked && its != null) {
                acknowledge(its, sequence);
            }
        }

        @Override
        public void onSessionEnd(SessionEnd end, long timeNs) {
            last().ended(end);
        }

        private SentLog last() {
            return sent.get(sent.size() - 1);
        }
    }
}
