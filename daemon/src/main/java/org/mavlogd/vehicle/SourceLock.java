package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;

/**
 * Decides which peer may speak for one vehicle on one link: the one from which it was heard first, until that is gone,
 * was silent for {@link #HOLD_NS}, or a valid signature proves that the vehicle is elsewhere.
 *
 * <p>A signature proves more than an address: a frame with a valid one is always taken. Where several peers send such
 * frames (a vehicle with two channels to one port), answers go to the one that was there first for as long as it speaks.
 * A vehicle that signed its frames once is never taken over by unsigned ones. Owned by the link's thread; time is an
 * argument. Hot path.
 */
final class SourceLock {
    /** For so long a silent peer keeps the vehicle. */
    static final long HOLD_NS = TimeUnit.SECONDS.toNanos(5);

    /** For so long a silent peer that signs keeps the answers. */
    static final long SIGNED_HOLD_NS = TimeUnit.SECONDS.toNanos(1);

    /** What becomes of a frame. */
    enum Verdict {
        /** The holder's. */
        OWN,
        /** From elsewhere, and now the holder is there. */
        MOVED,
        /** From elsewhere, with a valid signature, while the holder speaks as well. */
        PROVEN,
        /** From elsewhere: to be dropped. */
        FOREIGN
    }

    /** Stands for a peer that is gone: what is sent to it is lost, as on any dead link. */
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

    /** Where the vehicle is spoken to; {@link #GONE} when that end is gone. */
    Peer holder() {
        return gone ? GONE : holder;
    }

    /** Whether the vehicle ever signed a frame validly. */
    boolean signs() {
        return signs;
    }

    /** Judges a frame of the vehicle that came from there, and remembers it. */
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

    /** The peer is gone, and whoever speaks next may have the vehicle. */
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
