package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.conversation.VehicleHearing;

/**
 * A link's claim to one vehicle's log. The link keeps it while the log may come, offers it to other links if the
 * vehicle refuses or does not answer, or the log that it asked for came there, and releases it when the vehicle is
 * silent. A router with two ways to mavlogd sends the log to two links: the one without the claim leaves it to the
 * other. Owned by the link's thread; time is an argument.
 */
final class LogClaim {
    // By then the conversation has ended a log that an outage of the link interrupted.
    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long UNANSWERED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long REFUSAL_NS = TimeUnit.SECONDS.toNanos(20);
    // More than the difference between the delays of two ways. A vehicle waits longer for the first ack.
    private static final long OTHER_WAY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final VehicleClaims claims;
    private final String link;
    private final int systemId;
    private final long silenceNs;
    private long askingNs;
    private boolean everRefused;
    private long refusedNs;
    private int lastPieces;
    private long lastLeftNs;
    private long leftSinceNs;

    LogClaim(LinkContext context, int systemId, long nowNs) {
        this.claims = context.logs().claims();
        this.link = context.link();
        this.systemId = systemId;
        this.silenceNs = VehicleHearing.longestOutageNs(context.settings().silenceNs()) + MARGIN_NS;
        this.askingNs = nowNs;
        this.lastLeftNs = nowNs - OTHER_WAY_NS;
    }

    /** The link that has the vehicle; empty when none has. */
    String owner() {
        return claims.owner(systemId);
    }

    /** Whether this link has the vehicle. */
    boolean isHeld() {
        return owner().equals(link);
    }

    /** Whether another link has the vehicle. */
    boolean isElsewhere() {
        String owner = owner();
        return !owner.isEmpty() && !owner.equals(link);
    }

    /** Whether the vehicle's log is being recorded, on this link or another. */
    boolean isRecorded() {
        return claims.isRecorded(systemId);
    }

    /** Whether another link has an open log of the vehicle. */
    boolean isLogElsewhere() {
        return claims.isLogElsewhere(systemId, link);
    }

    /** Lets the other links know whether the vehicle's log is open on this link. */
    void follow(LogConversation conversation) {
        claims.log(systemId, link, conversation.isLogOpen(), conversation.isRecording());
    }

    /**
     * Whether this piece of the log is left to another link: the vehicle's log is open there, or pieces of it come there
     * too. If it is not open there, and none came there for {@link #OTHER_WAY_NS}, the log comes here only. Hot path.
     */
    boolean isLeft(LogConversation conversation, long nowNs) {
        if (isHeld() || (owner().isEmpty() && claims.claim(systemId, link))) {
            claims.countPiece(systemId);
            return false;
        }
        boolean isLogElsewhere = isLogElsewhere();
        if (conversation.isLogOpen() && !isLogElsewhere) {
            return false;
        }
        int pieces = claims.pieces(systemId);
        boolean isPause = nowNs - lastLeftNs >= OTHER_WAY_NS;
        if (isPause || pieces != lastPieces || isLogElsewhere) {
            leftSinceNs = nowNs;
        }
        lastPieces = pieces;
        lastLeftNs = nowNs;
        return nowNs - leftSinceNs < OTHER_WAY_NS;
    }

    /** Takes the vehicle from any other link, because its stream runs here. */
    void seize() {
        claims.seize(systemId, link);
    }

    /** Releases the vehicle, and its recording on this link. */
    void leave() {
        claims.log(systemId, link, false, false);
        claims.release(systemId, link);
    }

    /**
     * Keeps, offers, gives up or takes the vehicle; returns whether this link has it now, and asks for its log.
     *
     * @param isAskedFor whether its log is to be asked for; a silent vehicle is given up in any case, because it may be
     *     armed where only another link hears it
     */
    boolean hold(LogConversation conversation, boolean isAskedFor, long lastHeardNs, long nowNs) {
        if (nowNs - lastHeardNs >= silenceNs) {
            claims.release(systemId, link);
            return false;
        }
        if (!isAskedFor) {
            return false;
        }
        if (conversation.isRefused() || isUnanswered(conversation, nowNs)) {
            everRefused = true;
            refusedNs = nowNs;
            claims.offer(systemId, link);
        } else if (conversation.state() == LogConversation.State.AWAITING && isLogElsewhere()) {
            claims.offer(systemId, link);
        } else if (conversation.isRecording() || conversation.state() == LogConversation.State.AWAITING) {
            claims.keep(systemId, link);
        }
        boolean mayAsk = !everRefused || nowNs - refusedNs >= REFUSAL_NS || owner().isEmpty();
        return isHeld() || (mayAsk && claims.claim(systemId, link));
    }

    /**
     * Whether the vehicle did not answer for {@link #UNANSWERED_NS}. It may be forged, and must not keep another link
     * from the real one.
     */
    private boolean isUnanswered(LogConversation conversation, long nowNs) {
        if (conversation.isAnswered() || !conversation.isAsking()) {
            askingNs = nowNs;
        }
        return nowNs - askingNs >= UNANSWERED_NS;
    }
}
