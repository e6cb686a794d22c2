package org.mavlogd.mavlink;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Stores the frames that a decoder delivers. */
final class FrameLog implements FrameDecoder.Handler {
    /** Frames in hexadecimal, without signature: the bytes that the checksum covers. */
    final List<String> frames = new ArrayList<>();

    final List<Integer> messageIds = new ArrayList<>();
    final List<Integer> sequences = new ArrayList<>();
    final List<Boolean> cutSignatures = new ArrayList<>();
    final FrameCounters counters = FrameCounters.unregistered();
    final FrameDecoder decoder = new FrameDecoder(this, counters);
    long wholeBytes;

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        byte[] bytes = new byte[frame.length()];
        frame.copyFrame(bytes, 0);
        frames.add(hex(bytes));
        messageIds.add(frame.messageId());
        sequences.add(frame.sequence());
        cutSignatures.add(frame.isSignatureCut());
        wholeBytes += frame.length();
    }

    FrameLog stream(byte[] bytes) {
        decoder.decode(bytes, 0, bytes.length, 0);
        return this;
    }

    FrameLog stream(byte[] bytes, int chunk) {
        for (int at = 0; at < bytes.length; at += chunk) {
            decoder.decode(bytes, at, Math.min(chunk, bytes.length - at), 0);
        }
        return this;
    }

    FrameLog datagram(byte[] bytes) {
        decoder.decodeDatagram(bytes, 0, bytes.length, 0);
        return this;
    }

    static String hex(byte[] frame) {
        int checkedLength = (frame[1] & 0xFF) + (frame[0] == (byte) 0xFD ? 12 : 8);
        return HexFormat.of().formatHex(frame, 0, checkedLength);
    }
}
