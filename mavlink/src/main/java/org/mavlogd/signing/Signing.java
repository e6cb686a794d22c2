package org.mavlogd.signing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.concurrent.EpochClock;
import org.mavlogd.mavlink.FrameSeal;
import org.mavlogd.metrics.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Message signing with one key, for all links. Made before the links' threads start. */
public final class Signing {
    private static final Logger LOG = LoggerFactory.getLogger(Signing.class);

    private final SigningKey key;
    private final SigningPolicy policy;
    private final SigningClock clock;
    private final ReplayGuard guard;
    private final SigningAgent agent;

    /**
     * What one link needs.
     *
     * @param gate judges what comes in
     * @param seal signs what goes out
     */
    public record LinkParts(FrameGate gate, FrameSeal seal) {
        /** Without a key: signatures are ignored, and nothing is signed. */
        public static final LinkParts OFF = new LinkParts(FrameGate.OPEN, FrameSeal.NONE);
    }

    /** As configured: reads the state that the last run left, and keeps it from then on: its agent must run. Empty without a key. */
    public static Optional<Signing> of(SigningSettings settings, EpochClock wall) {
        return settings.key().map(key -> new Signing(key, settings.policy(), settings.stateFile(), wall));
    }

    /** Reads the state that the last run left, and keeps it from then on: its agent must run. */
    public Signing(SigningKey key, SigningPolicy policy, Path stateFile, EpochClock wall) {
        this(key, policy, new SigningState(stateFile), floor(new SigningState(stateFile), wall), wall);
    }

    /** As configured, for a guest; empty without a key. */
    public static Optional<Signing> ofGuest(SigningSettings settings, EpochClock wall) {
        return settings.key().map(key -> ofGuest(key, settings.policy(), settings.stateFile(), wall));
    }

    /**
     * For a program that speaks for a while beside the recorder, or in its place: reads the state and leaves it as it is. No
     * agent has to run.
     */
    public static Signing ofGuest(SigningKey key, SigningPolicy policy, Path stateFile, EpochClock wall) {
        SigningState state = new SigningState(stateFile);
        // What a running recorder keeps there is ahead of all frames, and the vehicle's must not be taken for old.
        long floor = Math.max(0, floor(state, wall) - SigningAgent.AHEAD_UNITS);
        Signing guest = new Signing(key, policy, state, floor, wall);
        guest.guard.limit(Long.MAX_VALUE);
        return guest;
    }

    Signing(SigningKey key, SigningPolicy policy, SigningState state, long floor, EpochClock wall) {
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
                                + " earlier could be repeated to us: {}; set the computer's clock and restart",
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

    public SigningPolicy policy() {
        return policy;
    }

    /** To be run by a thread that may wait, from before the links start until after they are closed. */
    public SigningAgent agent() {
        return agent;
    }
}
