package org.mavlogd.signing;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Judges the signature of each frame of one link by the policy, and counts the results. Owned by the link's thread;
 * allocates nothing. Hot path.
 */
final class SignatureGate implements Signing.FrameGate {
    private final int link;
    private final Signing.Policy policy;
    private final ReplayGuard guard;
    private final SigningKey.FrameHash hash;
    private final Refusals refusals = new Refusals();
    private final Counter signed;
    private final Counter unsigned;
    private final Counter wrong;
    private final Counter old;
    private final Counter early;
    private final Counter copies;
    private final Counter excess;

    /** @param link number of our link, from 0 */
    SignatureGate(
            int link, SigningKey key, Signing.Policy policy, ReplayGuard guard, Metrics metrics, String linkName) {
        this.link = link;
        this.policy = policy;
        this.guard = guard;
        this.hash = new SigningKey.FrameHash(key);
        signed = metrics.counter("signing.accepted.frames", "Frames with a valid signature", "link", linkName);
        unsigned = dropped(metrics, linkName, "unsigned");
        wrong = dropped(metrics, linkName, "wrong_signature");
        old = dropped(metrics, linkName, "old");
        early = dropped(metrics, linkName, "early");
        copies = dropped(metrics, linkName, "copy");
        excess = dropped(metrics, linkName, "too_many_streams");
    }

    private static Counter dropped(Metrics metrics, String link, String cause) {
        return metrics.counter(
                "signing.dropped.frames", "Frames dropped for their signature", "link", link, "cause", cause);
    }

    @Override
    public Proof judge(FrameView frame, long nowNs) {
        // An attacker can truncate a signature as easily as omit it: it counts as missing.
        if (!frame.isSigned() || frame.isSignatureCut()) {
            return judgeUnsigned(frame, nowNs);
        }
        if (!hash.isRight(frame)) {
            refusals.refused(Refusals.Cause.WRONG, nowNs);
            return counted(wrong, Proof.REFUSED);
        }
        boolean isLogData = frame.messageId() == MessageIds.LOGGING_DATA;
        long stamp = frame.signatureTimestamp();
        return switch (guard.judge(source(frame), frame.signatureLinkId(), isLogData, stamp, link, nowNs)) {
            case NEW -> {
                refusals.accepted(nowNs);
                yield counted(signed, Proof.SIGNED);
            }
            case OLD -> {
                refusals.refused(Refusals.Cause.OLD, nowNs);
                yield counted(old, Proof.OLD);
            }
            case TOO_EARLY -> counted(early, Proof.OLD);
            case COPY -> counted(copies, Proof.REFUSED);
            case NO_ROOM -> {
                refusals.refused(Refusals.Cause.EXCESS, nowNs);
                yield counted(excess, Proof.REFUSED);
            }
        };
    }

    @Override
    public String problem(long nowNs) {
        return refusals.problem(nowNs);
    }

    private Proof judgeUnsigned(FrameView frame, long nowNs) {
        if (policy == Signing.Policy.SIGNED_ONLY) {
            refusals.refused(Refusals.Cause.UNSIGNED, nowNs);
            return counted(unsigned, Proof.REFUSED);
        }
        refusals.accepted(nowNs);
        return guard.isSigner(source(frame)) ? Proof.SUSPECT : Proof.UNSIGNED;
    }

    private static Proof counted(Counter counter, Proof proof) {
        counter.increment();
        return proof;
    }

    private static int source(FrameView frame) {
        return frame.systemId() << Byte.SIZE | frame.componentId();
    }

    /**
     * Detects that signatures exclude a complete link: frames are refused repeatedly and none is accepted. A forger's
     * frames among valid ones of a vehicle are counted, but are not a problem. Owned by the link's thread; allocates
     * nothing. Hot path.
     */
    static final class Refusals {
        /** Refused frames of one cause that make a problem. */
        static final int MANY = 5;

        static final long RECENT_NS = TimeUnit.SECONDS.toNanos(5);

        /** Why a frame was refused. */
        enum Cause {
            UNSIGNED("they are not signed: set the same key in the vehicle, or set [signing] policy"),
            WRONG("their signatures are wrong: vehicle and [signing] key_file have different keys"),
            OLD("the times in their signatures are old: they are repeated, or the vehicle's clock is behind"),
            EXCESS("too many senders sign: the links' limit of signed streams is reached");

            private final String text;

            Cause(String text) {
                this.text = text;
            }
        }

        private Cause cause = Cause.WRONG;
        private int count;
        private long refusedNs;
        private boolean isAccepting;
        private long acceptedNs;

        void refused(Cause why, long nowNs) {
            count = why == cause ? Math.min(count + 1, MANY) : 1;
            cause = why;
            refusedNs = nowNs;
        }

        void accepted(long nowNs) {
            isAccepting = true;
            acceptedNs = nowNs;
            count = 0;
        }

        /** The problem, for people; empty if there is none. */
        String problem(long nowNs) {
            boolean isOpen = isAccepting && nowNs - acceptedNs < RECENT_NS;
            return count < MANY || isOpen || nowNs - refusedNs >= RECENT_NS
                    ? ""
                    : "signing: all frames are refused because " + cause.text;
        }
    }
}
