package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * Assembles the log that a vehicle streams from the frames that it sends, without the code under test: PX4's chunks or
 * ArduPilot's blocks, each once and in order. Written by one thread, read by any.
 */
public final class AirTap {
    private static final int NUMBERS = 1 << 16;

    private final List<byte[]> chunks = new ArrayList<>();
    private final TreeMap<Long, byte[]> blocks = new TreeMap<>();

    synchronized void onFrame(FrameView frame) {
        switch (frame.messageId()) {
            case LogChunkLayout.LOGGING_DATA, LogChunkLayout.LOGGING_DATA_ACKED -> onChunk(frame);
            case MessageIds.REMOTE_LOG_DATA_BLOCK -> onBlock(frame);
            default -> {}
        }
    }

    private void onChunk(FrameView frame) {
        // Nothing is lost before this point: the number is the next one, or that of a repeated chunk.
        int number = frame.uint16(LogChunkLayout.SEQUENCE_OFFSET);
        if (number == chunks.size() % NUMBERS) {
            byte[] data = new byte[frame.uint8(LogChunkLayout.LENGTH_OFFSET)];
            frame.copyPayload(LogChunkLayout.DATA_OFFSET, data, 0, data.length);
            chunks.add(data);
        } else if (Math.floorMod(chunks.size() - number, NUMBERS) > NUMBERS / 2) {
            throw new AssertionError("chunk " + number + " after " + chunks.size());
        }
    }

    private void onBlock(FrameView frame) {
        byte[] data = new byte[LogBlockLayout.DATA_LENGTH];
        frame.copyPayload(LogBlockLayout.DATA_OFFSET, data, 0, data.length);
        blocks.putIfAbsent(frame.uint32(LogBlockLayout.NUMBER_OFFSET), data);
    }

    /** Bytes streamed so far. */
    public synchronized long length() {
        return pieces().mapToLong(piece -> piece.length).sum();
    }

    /** The log as far as it was streamed. */
    public synchronized byte[] log() {
        long next = 0;
        for (Map.Entry<Long, byte[]> block : blocks.entrySet()) {
            if (block.getKey() != next++) {
                throw new AssertionError("block " + block.getKey() + " after " + (next - 2));
            }
        }
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        pieces().forEach(log::writeBytes);
        return log.toByteArray();
    }

    private Stream<byte[]> pieces() {
        return Stream.concat(chunks.stream(), blocks.values().stream());
    }
}
