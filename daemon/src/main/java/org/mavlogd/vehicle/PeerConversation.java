package org.mavlogd.vehicle;

import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Peer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameHandler;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.vehicle.px4.LogChunk;

/** One far end of a link with a decoder of its own, so that the bytes of several never mix. Hot path. */
final class PeerConversation implements FrameHandler {
    private final Peer peer;
    private final LinkConversations link;
    private final FrameDecoder decoder;
    private @Nullable LogChunk chunk;

    PeerConversation(Peer peer, LinkConversations link, FrameCounters counters) {
        this.peer = peer;
        this.link = link;
        this.decoder = new FrameDecoder(this, counters);
    }

    Peer peer() {
        return peer;
    }

    void onBytes(byte[] buffer, int offset, int length, long nowNs) {
        if (peer.isDatagram()) {
            decoder.decodeDatagram(buffer, offset, length, nowNs);
        } else {
            decoder.decode(buffer, offset, length, nowNs);
        }
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        link.onFrame(this, frame, nowNs);
    }

    /** The frame read as a log chunk. */
    LogChunk chunk(FrameView frame) {
        LogChunk view = chunk;
        if (view == null || !view.isOf(frame)) {
            view = new LogChunk(frame);
            chunk = view;
        }
        return view;
    }
}
