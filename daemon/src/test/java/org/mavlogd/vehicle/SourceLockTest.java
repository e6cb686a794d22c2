package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.vehicle.SourceLock.Verdict.FOREIGN;
import static org.mavlogd.vehicle.SourceLock.Verdict.MOVED;
import static org.mavlogd.vehicle.SourceLock.Verdict.OWN;
import static org.mavlogd.vehicle.SourceLock.Verdict.PROVEN;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Proof;

class SourceLockTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final FakePeer here = new FakePeer();
    private final FakePeer there = new FakePeer();
    private final SourceLock lock = new SourceLock(here, Proof.NOT_ASKED, 0);

    private static final class FakePeer implements Peer {
        private Peer.Rank rank = Peer.Rank.STRANGER;

        @Override
        public String address() {
            return "fake";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {}

        @Override
        public void rank(Peer.Rank value) {
            rank = value;
        }
    }

    @Test
    void holdsWhileItsHolderSpeaks() {
        for (int second = 1; second < 60; second++) {
            assertThat(lock.judge(there, Proof.NOT_ASKED, second * SECOND_NS - 1))
                    .isEqualTo(FOREIGN);
            assertThat(lock.judge(here, Proof.NOT_ASKED, second * SECOND_NS)).isEqualTo(OWN);
        }
        assertThat(lock.holder()).isSameAs(here);
        assertThat(here.rank).isEqualTo(Peer.Rank.VEHICLE);
    }

    @Test
    void foreignFramesDoNotCountAsTheHoldersLife() {
        assertThat(lock.judge(there, Proof.NOT_ASKED, 5 * SECOND_NS - 1)).isEqualTo(FOREIGN);
        assertThat(lock.judge(there, Proof.NOT_ASKED, 5 * SECOND_NS)).isEqualTo(MOVED);
        assertThat(lock.judge(here, Proof.NOT_ASKED, 5 * SECOND_NS)).isEqualTo(FOREIGN);
        assertThat(lock.holder()).isSameAs(there);
        assertThat(there.rank).isEqualTo(Peer.Rank.VEHICLE);
        assertThat(here.rank).isEqualTo(Peer.Rank.SPEAKER);
    }

    @Test
    void isFreeAtOnceWhenTheHolderIsGone() {
        lock.onPeerDown(here);

        assertThat(lock.holder()).isSameAs(SourceLock.GONE);
        assertThat(lock.judge(there, Proof.NOT_ASKED, 1)).isEqualTo(MOVED);
    }

    @Test
    void theSamePortMayComeBack() {
        lock.onPeerDown(here);

        assertThat(lock.judge(here, Proof.NOT_ASKED, 1)).isEqualTo(MOVED);
        assertThat(lock.judge(here, Proof.NOT_ASKED, 2)).isEqualTo(OWN);
    }

    @Test
    void movesAtOnceToAValidSignature() {
        assertThat(lock.judge(there, Proof.SIGNED, 1)).isEqualTo(MOVED);
        assertThat(lock.holder()).isSameAs(there);
    }

    @Test
    void takesTwoSignedWaysOfOneVehicleWithoutMovingToAndFro() {
        assertThat(lock.judge(here, Proof.SIGNED, 1)).isEqualTo(OWN);
        for (int i = 2; i < 1000; i++) {
            assertThat(lock.judge(there, Proof.SIGNED, i)).isEqualTo(PROVEN);
            assertThat(lock.judge(here, Proof.SIGNED, i)).isEqualTo(OWN);
        }
        assertThat(lock.holder()).isSameAs(here);
        assertThat(lock.judge(there, Proof.SIGNED, 1000 + SECOND_NS)).isEqualTo(MOVED);
    }

    @Test
    void neverGivesASigningVehicleToUnsignedFrames() {
        lock.judge(here, Proof.SIGNED, 1);
        assertThat(lock.judge(here, Proof.SUSPECT, 2)).isEqualTo(OWN);

        assertThat(lock.judge(there, Proof.UNSIGNED, 3600 * SECOND_NS)).isEqualTo(FOREIGN);
        lock.onPeerDown(here);
        assertThat(lock.judge(there, Proof.SUSPECT, 3600 * SECOND_NS)).isEqualTo(FOREIGN);
        assertThat(lock.judge(there, Proof.SIGNED, 3600 * SECOND_NS)).isEqualTo(MOVED);
    }
}
