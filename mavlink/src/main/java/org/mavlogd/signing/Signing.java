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

/** Message signing with one key, for all links. Created before the links' threads start. */
public final class Signing {
    /** Judges what the signature of each frame of one link proves. Hot path. */
    @FunctionalInterface
    public interface FrameGate {
        /** Accepts every frame, without a key. */
        FrameGate OPEN = (frame, nowNs) -> Proof.NOT_ASKED;

        Proof judge(FrameView frame, long nowNs);

        /** The reason why no frame is accepted now; empty if frames are accepted, or none arrive. */
        default String problem(long nowNs) {
            return "";
        }
    }

    /**
     * Settings of signing.
     *
     * @param key empty to ignore signatures and not to sign
     * @param stateFile file that keeps the time of the latest signature across restarts
     */
    public record Settings(Optional<SigningKey> key, Policy policy, Path stateFile) {}

    /** The frames that are accepted if there is a key. */
    public enum Policy {
        /** Only validly signed frames. */
        SIGNED_ONLY,
        /** Unsigned frames too; a signature that is present must be valid. */
        MIXED
    }

    private static final Logger LOG = LoggerFactory.getLogger(Signing.class);

    private final SigningKey key;
    private final Policy policy;
    private final SigningClock clock;
    private final ReplayGuard guard;
    private final SigningAgent agent;

    /**
     * The parts for one link.
     *
     * @param gate judges received frames
     * @param seal signs sent frames
     */
    public record LinkParts(FrameGate gate, FrameEncoder.Seal seal) {
        /** Parts without a key: signatures are ignored, and frames are not signed. */
        public static final LinkParts OFF = new LinkParts(FrameGate.OPEN, FrameEncoder.Seal.NONE);
    }

    /** Signing as configured; empty without a key. Reads the stored state; {@link #agent} must run to keep it. */
    public static Optional<Signing> of(Settings settings, EpochClock wall) {
        return settings.key().map(key -> new Signing(key, settings.policy(), settings.stateFile(), wall));
    }

    /** Reads the stored state; {@link #agent} must run to keep it. */
    public Signing(SigningKey key, Policy policy, Path stateFile, EpochClock wall) {
        this(key, policy, new SigningState(stateFile), floor(new SigningState(stateFile), wall), wall);
    }

    /** Signing as configured, for a guest; empty without a key. */
    public static Optional<Signing> ofGuest(Settings settings, EpochClock wall) {
        return settings.key().map(key -> ofGuest(key, settings.policy(), settings.stateFile(), wall));
    }

    /**
     * Signing for a program that runs for a short time beside the recorder or instead of it: reads the stored state
     * without changing it. The agent need not run.
     */
    public static Signing ofGuest(SigningKey key, Policy policy, Path stateFile, EpochClock wall) {
        SigningState state = new SigningState(stateFile);
        // A running recorder stores a time ahead of all frames, and the vehicle's frames must not count as old.
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
            // A computer without a clock may be in 1970: then the file's date is later.
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
     * Creates the parts of one link.
     *
     * @param number of our link, from 0, unique
     */
    public LinkParts forLink(int number, String name, Metrics metrics) {
        return new LinkParts(
                new SignatureGate(number, key, policy, guard, metrics, name), new KeySeal(number, key, clock));
    }

    public Policy policy() {
        return policy;
    }

    /**
     * The agent that stores the state. Run it on a thread that may wait, from before the links start until they are
     * closed.
     */
    public SigningAgent agent() {
        return agent;
    }

    /** Signs the frames that one link sends. Owned by the link's thread; allocates nothing. */
    static final class KeySeal implements FrameEncoder.Seal {
        private static final int STAMP_LENGTH = 6;
        private static final int HASH_LENGTH = 6;

        private final byte signatureLink;
        private final SigningClock clock;
        private final SigningKey.FrameHash hash;

        /** @param signatureLink distinguishes this link's frames from those of our other links, 0 to 255 */
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
