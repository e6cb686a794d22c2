package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;

/**
 * Decides from which peer the frames of one vehicle on one link are accepted: the one from which it was heard first,
 * until that peer closes, is silent for {@link #HOLD_NS}, or a valid signature proves that the vehicle is at another
 * peer.
 *
 * <p>A signature proves more than an address: a frame with a valid one is always taken. Where several peers send such
 * frames (a vehicle with two channels to one port), answers go to the first one as long as it sends. Unsigned frames
 * never take over a vehicle that once signed its frames. Owned by the link's thread; time is an argument. Hot path.
 */
final class SourceLock {
    /** How long a silent peer keeps the vehicle. */
    static final long HOLD_NS = TimeUnit.SECONDS.toNanos(5);

    /** How long a silent peer that signs keeps the answers. */
    static final long SIGNED_HOLD_NS = TimeUnit.SECONDS.toNanos(1);

    /** The judgement of a frame. */
    enum Verdict {
        /** It comes from the holder. */
        OWN,
        /** It comes from another peer, which is the holder from now on. */
        MOVED,
        /** It comes from another peer with a valid signature, while the holder sends as well. */
        PROVEN,
        /** It comes from another peer, and must be dropped. */
        FOREIGN
    }

    /** Replaces a peer that is closed: messages to it are dropped. */
    static final Peer GONE = new Peer() {
        @Override
        public String address() {
            return "nowhere";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {}
    };

    private Peer holder;
    private boolean gone;
    private boolean signs;
    private long heardNs;
    private long signedNs;

    SourceLock(Peer holder, Proof proof, long nowNs) {
        this.holder = holder;
        hold(holder, proof, nowNs);
    }

    /** The peer at which the vehicle is reached; {@link #GONE} if that is closed. */
    Peer holder() {
        return gone ? GONE : holder;
    }

    /** Whether the vehicle ever signed a frame validly. */
    boolean signs() {
        return signs;
    }

    /** Judges a frame of the vehicle from that peer, and remembers the peer. */
    Verdict judge(Peer from, Proof proof, long nowNs) {
        if (from == holder && !gone) {
            heardNs = nowNs;
            noteProof(proof, nowNs);
            return Verdict.OWN;
        }
        if (proof == Proof.SIGNED) {
            boolean holderSigns = !gone && signs && nowNs - signedNs < SIGNED_HOLD_NS;
            return holderSigns ? Verdict.PROVEN : move(from, proof, nowNs);
        }
        boolean isFree = gone || nowNs - heardNs >= HOLD_NS;
        boolean maySpeak = !signs && proof != Proof.SUSPECT;
        return isFree && maySpeak ? move(from, proof, nowNs) : Verdict.FOREIGN;
    }

    /** The peer is closed: the vehicle may be taken over by the next one that sends. */
    void onPeerDown(Peer peer) {
        gone |= peer == holder;
    }

    private Verdict move(Peer to, Proof proof, long nowNs) {
        if (!gone) {
            holder.rank(Peer.Rank.SPEAKER);
        }
        hold(to, proof, nowNs);
        return Verdict.MOVED;
    }

    private void hold(Peer peer, Proof proof, long nowNs) {
        holder = peer;
        gone = false;
        heardNs = nowNs;
        noteProof(proof, nowNs);
        peer.rank(Peer.Rank.VEHICLE);
    }

    private void noteProof(Proof proof, long nowNs) {
        if (proof == Proof.SIGNED) {
            signs = true;
            signedNs = nowNs;
        }
    }
}
