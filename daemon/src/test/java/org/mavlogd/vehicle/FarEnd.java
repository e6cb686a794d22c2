package org.mavlogd.vehicle;

import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.peer.Peer;

/** A far end of datagrams that decodes what it receives. */
final class FarEnd implements Peer {
    private final boolean expected;
    private final FrameDecoder decoder;

    /**
     * Passes each frame to a test.
     *
     * @param expected whether this is a configured address, not just the source of a datagram
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
