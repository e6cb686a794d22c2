package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.peer.Peer;

/** A far end of datagrams that understands what it is sent. */
final class FarEnd implements Peer {
    private final boolean expected;
    private final FrameDecoder decoder;

    /**
     * One that hands each frame to a test.
     *
     * @param expected whether it is there without doubt: a configured address, not just where a datagram came from
     */
    FarEnd(boolean expected, FrameDecoder.Handler onFrame) {
        this.expected = expected;
        this.decoder = new FrameDecoder(onFrame, FrameCounters.unregistered());
    }

    @Override
    public boolean isExpected() {
        return expected;
    }

    @Override
    public String address() {
        return "far";
    }

    @Override
    public boolean isDatagram() {
        return true;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        decoder.decodeDatagram(buffer, offset, length, 0);
    }
}
