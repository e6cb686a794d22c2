package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.forward.FarEnd;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.conversation.RateLimiter;
import org.mavlogd.vehicle.px4.LogChunk;

/** One peer of a link with its own decoder, so that the bytes of several peers never mix. Hot path. */
final class PeerConversation implements FrameDecoder.Handler {
    private final Peer peer;
    private final LinkConversations link;
    // Several vehicles may appear at once behind a router; a sender that forges vehicles is slowed down.
    private static final int NEW_VEHICLES_AT_ONCE = 8;
    private static final long NEW_VEHICLE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_CREDIT = 100;

    private final FrameDecoder decoder;
    private final @Nullable FarEnd farEnd;
    private final RateLimiter newVehicles = new RateLimiter(NEW_VEHICLES_AT_ONCE, NEW_VEHICLE_INTERVAL_NS);
    private @Nullable LogChunk chunk;
    private boolean heard;
    private boolean spoken;
    private int credit;

    /** @param farEnd takes the peer's frames for other links; null where the link does not forward */
    PeerConversation(
            Peer peer, LinkConversations link, FrameCounters counters, Dialect dialect, @Nullable FarEnd farEnd) {
        this.peer = peer;
        this.link = link;
        this.farEnd = farEnd;
        this.decoder = new FrameDecoder(this, counters, dialect);
    }

    Peer peer() {
        return peer;
    }

    void onBytes(byte[] buffer, int offset, int length, long nowNs) {
        if (peer.isDatagram()) {
            decoder.decodeDatagram(buffer, offset, length, nowNs);
        } else {
            decoder.decode(buffer, offset, length, nowNs);
            link.onRoundEnd();
        }
    }

    /** Counts a frame of an accepted sender; returns true for the first one. */
    boolean onGoodFrame() {
        credit = Math.min(MAX_CREDIT, credit + 1);
        boolean isFirst = !heard;
        if (isFirst) {
            heard = true;
            peer.rank(Peer.Rank.SPEAKER);
        }
        return isFirst;
    }

    /**
     * Whether a frame may be sent to a peer without a vehicle. A peer whose address may be forged gets no more frames
     * than it sent good ones, so that nobody can use mavlogd to flood a third party.
     */
    boolean maySpeak() {
        if (peer.isExpected()) {
            return true;
        }
        credit--;
        boolean may = credit >= 0;
        credit = Math.max(0, credit);
        return may;
    }

    /** Whether another new vehicle may appear here now. */
    boolean mayAddVehicle(long nowNs) {
        return newVehicles.take(nowNs);
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        link.onFrame(this, frame, nowNs);
        forward(frame); // last: answers to the frame are sent first
    }

    @Override
    public void onUnknownFrame(FrameView frame, long nowNs) {
        link.onUnknownFrame(frame, nowNs);
        forward(frame);
    }

    private void forward(FrameView frame) {
        if (farEnd != null) {
            farEnd.onFrame(frame);
        }
    }

    /** The receiver of its frames for other links; null where the link does not forward. */
    @Nullable
    FarEnd farEnd() {
        return farEnd;
    }

    /** Notes that a frame from this peer was accepted: its signature, if it needs one, is valid and new. */
    void onTakenFrame() {
        spoken = true;
    }

    /** Whether an accepted frame came from this peer. */
    boolean hasSpoken() {
        return spoken;
    }

    /** Reads the frame as a log chunk. */
    LogChunk chunk(FrameView frame) {
        LogChunk view = chunk;
        if (view == null || !view.isOf(frame)) {
            view = new LogChunk(frame);
            chunk = view;
        }
        return view;
    }
}
