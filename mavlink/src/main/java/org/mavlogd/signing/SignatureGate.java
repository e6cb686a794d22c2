package org.mavlogd.signing;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Asks each frame of one link what it proves, by the policy, and counts the answers. Owned by the link's thread; allocates
 * nothing. Hot path.
 */
final class SignatureGate implements FrameGate {
    private final int link;
    private final SigningPolicy policy;
    private final ReplayGuard guard;
    private final FrameHash hash;
    private final Refusals refusals = new Refusals();
    private final Counter signed;
    private final Counter unsigned;
    private final Counter wrong;
    private final Counter old;
    private final Counter early;
    private final Counter copies;
    private final Counter excess;

    /** @param link its number among ours, from 0 */
    SignatureGate(int link, SigningKey key, SigningPolicy policy, ReplayGuard guard, Metrics metrics, String linkName) {
        this.link = link;
        this.policy = policy;
        this.guard = guard;
        this.hash = new FrameHash(key);
        signed = metrics.counter("signing.accepted.frames", "Frames with a valid signature", "link", linkName);
        unsigned = dropped(metrics, linkName, "unsigned");
        wrong = dropped(metrics, linkName, "wrong signature");
        old = dropped(metrics, linkName, "old");
        early = dropped(metrics, linkName, "early");
        copies = dropped(metrics, linkName, "copy");
        excess = dropped(metrics, linkName, "too many streams");
    }

    private static Counter dropped(Metrics metrics, String link, String cause) {
        return metrics.counter(
                "signing.dropped.frames", "Frames dropped for their signature", "link", link, "cause", cause);
    }

    @Override
    public Proof judge(FrameView frame, long nowNs) {
        // Who cuts a signature can as well leave it out: it is worth as much as none.
        if (!frame.isSigned() || frame.isSignatureCut()) {
            return judgeUnsigned(frame, nowNs);
        }
        if (!hash.isRight(frame)) {
            refusals.refused(Refusals.Cause.WRONG, nowNs);
            return counted(wrong, Proof.REFUSED);
        }
        return switch (guard.judge(source(frame), frame.signatureLinkId(), frame.signatureTimestamp(), link, nowNs)) {
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
        if (policy == SigningPolicy.SIGNED_ONLY) {
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
}
