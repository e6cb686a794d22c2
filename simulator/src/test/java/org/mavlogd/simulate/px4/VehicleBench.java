package org.mavlogd.simulate.px4;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.StatusText;

/** A simulated vehicle with a virtual clock and a client that may answer each acked chunk. */
public final class VehicleBench implements StreamObserver {
    static final long MS = 1_000_000;
    static final long S = 1_000_000_000;
    public static final int CLIENT_COMPONENT = 191;

    private final FrameDecoder toClient = new FrameDecoder(this::onVehicleFrame, FrameCounters.unregistered());
    private final FrameDecoder toVehicle;
    private final FrameEncoder encoder = new FrameEncoder(CLIENT_COMPONENT);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final List<Integer> acksDue = new ArrayList<>();
    private final List<Long> acksDueNs = new ArrayList<>();

    public final Px4Vehicle vehicle;
    public final List<Chunk> chunks = new ArrayList<>();
    public final List<CommandAck> answers = new ArrayList<>();
    public final List<StatusText> texts = new ArrayList<>();
    public final List<Integer> headerSequences = new ArrayList<>();
    public final List<Integer> messageIds = new ArrayList<>();
    public final List<Heartbeat> heartbeats = new ArrayList<>();
    public final List<SessionEnd> ends = new ArrayList<>();
    public final List<byte[]> headers = new ArrayList<>();
    final List<Integer> dropped = new ArrayList<>();
    public final ByteArrayOutputStream truth = new ByteArrayOutputStream();
    int rawBytes;
    int signedFrames;
    public int tailLost;
    int skippedBytes;
    public long nowNs = -5 * S; // monotonic clocks may be negative
    public boolean acks = true;
    long ackDelayNs;

    /** A chunk as the client received it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Chunk(
            long timeNs, boolean acked, int sequence, int length, int firstMessageOffset, byte[] data, int target) {}

    VehicleBench(Px4Settings.Builder settings, LogImage log) {
        this(settings.build(), log);
    }

    VehicleBench(Px4Settings settings, LogImage log) {
        vehicle = new Px4Vehicle(settings, log, this::onOutput, this, nowNs);
        toVehicle = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
    }

    private void onOutput(byte[] bytes, int offset, int length) {
        rawBytes += length;
        toClient.decodeDatagram(bytes, offset, length, nowNs);
    }

    private void onVehicleFrame(FrameView view, long timeNs) {
        headerSequences.add(view.sequence());
        messageIds.add(view.messageId());
        signedFrames += view.isSigned() ? 1 : 0;
        switch (view.messageId()) {
            case MessageIds.HEARTBEAT -> heartbeats.add(Heartbeat.decode(view));
            case MessageIds.COMMAND_ACK -> answers.add(CommandAck.decode(view));
            case MessageIds.STATUSTEXT -> texts.add(StatusText.decode(view));
            case LogChunkLayout.LOGGING_DATA -> onChunk(view, false, timeNs);
            case LogChunkLayout.LOGGING_DATA_ACKED -> onChunk(view, true, timeNs);
            default -> {}
        }
    }

    private void onChunk(FrameView view, boolean acked, long timeNs) {
        byte[] data = new byte[LogChunkLayout.MAX_DATA_LENGTH];
        view.copyPayload(LogChunkLayout.DATA_OFFSET, data, 0, data.length);
        int sequence = view.uint16(LogChunkLayout.SEQUENCE_OFFSET);
        chunks.add(new Chunk(
                timeNs,
                acked,
                sequence,
                view.uint8(LogChunkLayout.LENGTH_OFFSET),
                view.uint8(LogChunkLayout.FIRST_MESSAGE_OFFSET),
                data,
                view.uint8(LogChunkLayout.TARGET_SYSTEM) << 8 | view.uint8(LogChunkLayout.TARGET_COMPONENT)));
        if (acked && acks) {
            acksDue.add(sequence);
            acksDueNs.add(timeNs + ackDelayNs);
        }
    }

    public void start() {
        command(CommandLong.LOGGING_START, 0);
    }

    public void stop() {
        command(CommandLong.LOGGING_STOP, 0);
    }

    public void command(int command, float param1) {
        command(command, param1, 1, 1, 1);
    }

    public void command(int command, float param1, int senderSystem, int targetSystem, int targetComponent) {
        int length = new CommandLong(command, 0, targetSystem, targetComponent, param1, 0, 0, 0, 0, 0, 0)
                .encodePayload(payload);
        send(senderSystem, MessageIds.COMMAND_LONG, length);
        deliverAcks();
    }

    public void heartbeat() {
        send(1, MessageIds.HEARTBEAT, new Heartbeat(18, 8, 0, 0, 4).encodePayload(payload));
    }

    public void ack(int sequence) {
        send(1, LogChunkLayout.LOGGING_ACK, new LoggingAck(1, 1, sequence).encodePayload(payload));
    }

    private void send(int system, int messageId, int length) {
        int frameLength = encoder.encode(system, messageId, payload, length, frame, 0);
        toVehicle.decodeDatagram(frame, 0, frameLength, nowNs);
    }

    /** Advances the time in steps that never skip an event. */
    void run(long durationNs) {
        long endNs = nowNs + durationNs;
        while (true) {
            deliverAcks();
            long dueNs = vehicle.dueNs(nowNs);
            for (long ackNs : acksDueNs) {
                dueNs = Math.min(dueNs, ackNs);
            }
            if (dueNs > endNs) {
                nowNs = endNs;
                vehicle.onTick(nowNs);
                return;
            }
            nowNs = Math.max(nowNs, dueNs);
            vehicle.onTick(nowNs);
        }
    }

    /** Runs with a coarse tick, like a real sender. */
    void runInTicks(long durationNs, long tickNs) {
        long endNs = nowNs + durationNs;
        while (nowNs < endNs) {
            nowNs += tickNs;
            vehicle.onTick(nowNs);
            deliverAcks();
        }
    }

    private void deliverAcks() {
        for (int i = 0; i < acksDue.size(); ) {
            if (acksDueNs.get(i) <= nowNs) {
                acksDueNs.remove(i);
                ack(acksDue.remove(i));
            } else {
                i++;
            }
        }
    }

    /** The data of all chunks that the client received, in order, each sequence number once. */
    public byte[] received() {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        int expected = 0;
        for (Chunk chunk : chunks) {
            if (chunk.sequence() == (expected & 0xffff)) {
                joined.write(chunk.data(), 0, chunk.length());
                expected++;
            }
        }
        return joined.toByteArray();
    }

    public List<Integer> results() {
        return answers.stream().map(CommandAck::result).toList();
    }

    @Override
    public void onSessionStart(byte[] header, long timeNs) {
        headers.add(header);
    }

    @Override
    public void onChunk(
            int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long timeNs) {
        truth.write(data, offset, length);
    }

    @Override
    public void onChunkDropped(int sequence, long timeNs) {
        dropped.add(sequence);
    }

    @Override
    public void onMessageSkipped(int length, long timeNs) {
        skippedBytes += length;
    }

    @Override
    public void onTailLost(int length, long timeNs) {
        tailLost += length;
    }

    @Override
    public void onSessionEnd(SessionEnd end, long timeNs) {
        ends.add(end);
    }
}
