package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.vehicle.conversation.LogConversation;
import org.mavlogd.vehicle.px4.Px4LogSession;

/**
 * A link's claim to one vehicle's log: kept while its log may come, offered to other links when the vehicle refuses or
 * does not answer, given up when it is gone. Owned by the link's thread; time is an argument.
 */
final class LogClaim {
    // By then the conversation has given up hope for the link to come back.
    private static final long MARGIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long UNANSWERED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long REFUSAL_NS = TimeUnit.SECONDS.toNanos(20);

    private final VehicleClaims claims;
    private final String link;
    private final int systemId;
    private final long silenceNs;
    private long askingNs;
    private boolean everRefused;
    private long refusedNs;

    LogClaim(LinkContext context, int systemId, long nowNs) {
        this.claims = context.logs().claims();
        this.link = context.link();
        this.systemId = systemId;
        this.silenceNs = Px4LogSession.longestOutageNs(context.settings().silenceNs()) + MARGIN_NS;
        this.askingNs = nowNs;
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

    /** The vehicle's log is being recorded on this link, or no longer. */
    void recorded(boolean isRecorded) {
        claims.recorded(systemId, link, isRecorded);
    }

    /** The stream runs here: no other link has the vehicle any more. */
    void seize() {
        claims.seize(systemId, link);
    }

    /** Releases all. */
    void leave() {
        recorded(false);
        claims.release(systemId, link);
    }

    /** Keeps, offers, gives up or takes the vehicle; returns whether this link has it now. */
    boolean hold(LogConversation conversation, long lastHeardNs, long nowNs) {
        if (nowNs - lastHeardNs >= silenceNs) {
            claims.release(systemId, link);
            return false;
        }
        if (conversation.isRefused() || isUnanswered(conversation, nowNs)) {
            everRefused = true;
            refusedNs = nowNs;
            claims.offer(systemId, link);
        } else if (conversation.isRecording()) {
            claims.keep(systemId, link);
        }
        boolean mayAsk = !everRefused || nowNs - refusedNs >= REFUSAL_NS || owner().isEmpty();
        return isHeld() || (mayAsk && claims.claim(systemId, link));
    }

    /** Whether it may be made up: then it must not keep another link from the real one. */
    private boolean isUnanswered(LogConversation conversation, long nowNs) {
        if (conversation.isAnswered() || !conversation.isAsking()) {
            askingNs = nowNs;
        }
        return nowNs - askingNs >= UNANSWERED_NS;
    }
}
