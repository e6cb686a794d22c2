package org.mavlogd.simulate.px4;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;

/** The minimal client of a stream: START at the first heartbeat, an ack for each acked chunk. Owned by one thread. */
public final class StreamClient {
    private final Wire wire;
    private final FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
    private final FrameEncoder encoder = new FrameEncoder(191);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final byte[] data = new byte[LogChunkLayout.MAX_DATA_LENGTH];
    private int expected;

    public final ByteArrayOutputStream log = new ByteArrayOutputStream();
    int heartbeats;
    public int chunks;
    public int missing;
    boolean started;
    boolean stopped;

    /** Sends the client's answers. */
    public interface Wire {
        void send(byte[] bytes, int length) throws IOException;
    }

    public StreamClient(Wire wire) {
        this.wire = wire;
    }

    public void onBytes(byte[] bytes, int length) {
        decoder.decode(bytes, 0, length, 0);
    }

    void stop() {
        command(CommandLong.LOGGING_STOP);
    }

    private void onFrame(FrameView view, long nowNs) {
        switch (view.messageId()) {
            case MessageIds.HEARTBEAT -> {
                heartbeats++;
                if (!started) {
                    command(CommandLong.LOGGING_START);
                }
            }
            case MessageIds.COMMAND_ACK -> onAnswer(CommandAck.decode(view));
            case LogChunkLayout.LOGGING_DATA, LogChunkLayout.LOGGING_DATA_ACKED -> onChunk(view);
            default -> {}
        }
    }

    private void onAnswer(CommandAck answer) {
        if (answer.result() == CommandAck.ACCEPTED) {
            started |= answer.command() == CommandLong.LOGGING_START;
            stopped |= answer.command() == CommandLong.LOGGING_STOP;
        }
    }

    private void onChunk(FrameView view) {
        int sequence = view.uint16(LogChunkLayout.SEQUENCE_OFFSET);
        if (view.messageId() == LogChunkLayout.LOGGING_DATA_ACKED) {
            send(LogChunkLayout.LOGGING_ACK, new LoggingAck(1, 1, sequence).encodePayload(payload));
        }
        int step = (short) (sequence - expected);
        if (step < 0) {
            return;
        }
        missing += step;
        expected = sequence + 1;
        chunks++;
        int length = view.uint8(LogChunkLayout.LENGTH_OFFSET);
        view.copyPayload(LogChunkLayout.DATA_OFFSET, data, 0, length);
        log.write(data, 0, length);
    }

    private void command(int command) {
        send(MessageIds.COMMAND_LONG, new CommandLong(command, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0).encodePayload(payload));
    }

    private void send(int messageId, int payloadLength) {
        int length = encoder.encode(1, messageId, payload, payloadLength, frame, 0);
        try {
            wire.send(frame, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
