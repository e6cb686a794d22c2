package org.mavlogd.signing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.concurrent.EpochClock;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.metrics.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Message signing with one key, for all links. Made before the links' threads start. */
public final class Signing {
    /** Asks each frame of one link what it proves about its sender. Hot path. */
    @FunctionalInterface
    public interface FrameGate {
        /** Takes any frame: there is no key. */
        FrameGate OPEN = (frame, nowNs) -> Proof.NOT_ASKED;

        Proof judge(FrameView frame, long nowNs);

        /** Why no frame gets through now, with its cause; empty when frames do, or none comes. */
        default String problem(long nowNs) {
            return "";
        }
    }

    /**
     * How frames are signed, and which ones are taken.
     *
     * @param key empty when signatures are ignored and nothing is signed
     * @param stateFile where the time of the latest signature outlives the process
     */
    public record Settings(Optional<SigningKey> key, Policy policy, Path stateFile) {}

    /** Which frames are taken when there is a key. */
    public enum Policy {
        /** Only validly signed ones. */
        SIGNED_ONLY,
        /** Unsigned ones as well; a signature that is there must be right. */
        MIXED
    }

    private static final Logger LOG = LoggerFactory.getLogger(Signing.class);

    private final SigningKey key;
    private final Policy policy;
    private final SigningClock clock;
    private final ReplayGuard guard;
    private final SigningAgent agent;

    /**
     * What one link needs.
     *
     * @param gate judges what comes in
     * @param seal signs what goes out
     */
    public record LinkParts(FrameGate gate, FrameEncoder.Seal seal) {
        /** Without a key: signatures are ignored, and nothing is signed. */
        public static final LinkParts OFF = new LinkParts(FrameGate.OPEN, FrameEncoder.Seal.NONE);
    }

    /** As configured: reads the state that the last run left, and keeps it from then on: its agent must run. Empty without a key. */
    public static Optional<Signing> of(Settings settings, EpochClock wall) {
        return settings.key().map(key -> new Signing(key, settings.policy(), settings.stateFile(), wall));
    }

    /** Reads the state that the last run left, and keeps it from then on: its agent must run. */
    public Signing(SigningKey key, Policy policy, Path stateFile, EpochClock wall) {
        this(key, policy, new SigningState(stateFile), floor(new SigningState(stateFile), wall), wall);
    }

    /** As configured, for a guest; empty without a key. */
    public static Optional<Signing> ofGuest(Settings settings, EpochClock wall) {
        return settings.key().map(key -> ofGuest(key, settings.policy(), settings.stateFile(), wall));
    }

    /**
     * For a program that speaks for a while beside the recorder, or in its place: reads the state and leaves it as it is. No
     * agent has to run.
     */
    public static Signing ofGuest(SigningKey key, Policy policy, Path stateFile, EpochClock wall) {
        SigningState state = new SigningState(stateFile);
        // What a running recorder keeps there is ahead of all frames, and the vehicle's must not be taken for old.
        long floor = Math.max(0, floor(state, wall) - SigningAgent.AHEAD_UNITS);
        Signing guest = new Signing(key, policy, state, floor, wall);
        guest.guard.limit(Long.MAX_VALUE);
        return guest;
    }

    Signing(SigningKey key, Policy policy, SigningState state, long floor, EpochClock wall) {
        this.key = key;
        this.policy = policy;
        this.clock = new SigningClock(wall, floor);
        this.guard = new ReplayGuard(clock, floor);
        this.agent = new SigningAgent(state, guard, floor);
    }

    private static long floor(SigningState state, EpochClock wall) {
        try {
            return state.load().orElse(0);
        } catch (IOException e) {
            // A computer without a clock may be in 1970: the file's own time is later then.
            long floor = Math.max(new SigningClock(wall, 0).now(), state.changed());
            if (floor == 0) {
                LOG.error(
                        "signing: the state cannot be read and the time is not known, so frames that were recorded"
                                + " earlier could be replayed: {}; set the computer's clock and restart",
                        e.toString());
            } else {
                LOG.error(
                        "signing: the state cannot be read, so nothing signed before now is accepted: {}",
                        e.toString());
            }
            return floor;
        }
    }

    /**
     * The parts of one link.
     *
     * @param number the link's number among ours, from 0; each its own
     */
    public LinkParts forLink(int number, String name, Metrics metrics) {
        return new LinkParts(
                new SignatureGate(number, key, policy, guard, metrics, name), new KeySeal(number, key, clock));
    }

    public Policy policy() {
        return policy;
    }

    /** To be run by a thread that may wait, from before the links start until after they are closed. */
    public SigningAgent agent() {
        return agent;
    }

    /** Signs what one link sends. Owned by the link's thread; allocates nothing. */
    static final class KeySeal implements FrameEncoder.Seal {
        private static final int STAMP_LENGTH = 6;
        private static final int HASH_LENGTH = 6;

        private final byte signatureLink;
        private final SigningClock clock;
        private final SigningKey.FrameHash hash;

        /** @param signatureLink tells this link's frames from those of our other links, 0 to 255 */
        KeySeal(int signatureLink, SigningKey key, SigningClock clock) {
            this.signatureLink = (byte) signatureLink;
            this.clock = clock;
            this.hash = new SigningKey.FrameHash(key);
        }

        @Override
        public boolean isSigning() {
            return true;
        }

        @Override
        public int seal(byte[] frame, int offset, int length) {
            int at = offset + length;
            frame[at++] = signatureLink;
            long stamp = clock.next();
            for (int i = 0; i < STAMP_LENGTH; i++) {
                frame[at++] = (byte) (stamp >>> (Byte.SIZE * i));
            }
            System.arraycopy(hash.of(frame, offset, at - offset), 0, frame, at, HASH_LENGTH);
            return at + HASH_LENGTH - offset;
        }
    }
}
