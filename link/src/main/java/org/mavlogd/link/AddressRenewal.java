package org.mavlogd.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.RetryDelay;

/**
 * Decides when the name of a UDP link's peer is looked up again, and which of its addresses is used then. A datagram
 * that is sent to a former address is lost without an error, so the peer's silence is the only sign.
 *
 * <p>Silence alone is no reason to leave an address: a program that only listens is silent, too. So an address that is
 * still one of the name's is kept
 *
 * <ul>
 *   <li>if anything was heard from it, or if it is the only one;
 *   <li>if it is a loopback address, which is always reachable. Names such as {@code localhost} have two of them, and
 *       programs that only listen are most common there.
 * </ul>
 *
 * <p>Otherwise the other addresses are tried, each for {@link #SILENCE_NS}, then the first one is used again, and for
 * twice as long each time, up to {@link #LONGEST_STAY_NS}: a peer that answers is found soon at any address, and one
 * that only listens at the first address misses little.
 *
 * <p>Owned by the link's thread.
 */
final class AddressRenewal {
    /** Silence after which the name is looked up, and time between two lookups. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);

    static final long LONGEST_STAY_NS = TimeUnit.MINUTES.toNanos(10);

    private final LinkReport report;
    private final RetryDelay stay = new RetryDelay(SILENCE_NS, LONGEST_STAY_NS);
    // A name whose answer differs each time must not fill the log.
    private final RetryDelay betweenMoves = new RetryDelay(LONGEST_STAY_NS, LONGEST_STAY_NS);
    private final RetryDelay betweenFailures = new RetryDelay(LONGEST_STAY_NS, LONGEST_STAY_NS);
    private @Nullable InetAddress first;
    private long lookedUpNs;
    private boolean isFailureReported;

    AddressRenewal(LinkReport report, long nowNs) {
        this.report = report;
        this.lookedUpNs = nowNs;
    }

    /** Whether two addresses are the same, as far as known also the interface of a link-local one. Hot path. */
    static boolean isSame(InetAddress one, InetAddress other) {
        if (!one.equals(other)) {
            return false; // equals() ignores the interface
        }
        if (!(one instanceof Inet6Address a) || !(other instanceof Inet6Address b)) {
            return true;
        }
        int scope = a.getScopeId();
        int otherScope = b.getScopeId();
        return scope == otherScope || scope == 0 || otherScope == 0;
    }

    /** Treats the address as the first one from now on, for example because the peer was heard from it. */
    void startOverAt(InetAddress address) {
        first = address;
        stay.reset();
    }

    /** Whether to look the name up now. If true, counts as done. */
    boolean isDue(long lastHeardNs, long nowNs) {
        if (nowNs - lastHeardNs < SILENCE_NS || nowNs - lookedUpNs < SILENCE_NS) {
            return false;
        }
        lookedUpNs = nowNs;
        return true;
    }

    /**
     * The address to use from now on, often the current one.
     *
     * @param answers the name's addresses; none if the lookup failed
     * @param isHeard whether anything was heard from the current address
     */
    InetAddress next(InetAddress[] answers, InetAddress current, boolean isHeard, long nowNs) {
        if (answers.length == 0) {
            reportFailure(current, nowNs);
            return current;
        }
        isFailureReported = false;
        int place = indexOf(answers, current);
        if (place < 0) {
            return moved(answers[0], nowNs);
        }
        return isHeard || answers.length == 1 ? current : turn(answers, place, nowNs);
    }

    private InetAddress turn(InetAddress[] answers, int place, long nowNs) {
        InetAddress current = answers[place];
        InetAddress start = first;
        if (start == null || indexOf(answers, start) < 0) {
            start = current;
            startOverAt(current);
        }
        boolean isFirst = isSame(start, current);
        if (isFirst && (current.isLoopbackAddress() || !stay.isOver(nowNs))) {
            return current;
        }
        InetAddress next = answers[(place + 1) % answers.length];
        if (isSame(start, next)) {
            stay.failed(nowNs);
        }
        return next;
    }

    private InetAddress moved(InetAddress address, long nowNs) {
        startOverAt(address);
        if (betweenMoves.isOver(nowNs)) {
            betweenMoves.postpone(nowNs);
            report.note(report.status().endpoint() + " is at " + address.getHostAddress() + " now");
        }
        return address;
    }

    private void reportFailure(InetAddress current, long nowNs) {
        if (!isFailureReported && betweenFailures.isOver(nowNs)) {
            isFailureReported = true;
            betweenFailures.postpone(nowNs);
            report.advise(report.status().endpoint()
                    + " is silent, and its name can no longer be resolved: still sending to "
                    + current.getHostAddress());
        }
    }

    private static int indexOf(InetAddress[] addresses, InetAddress wanted) {
        for (int i = 0; i < addresses.length; i++) {
            if (isSame(addresses[i], wanted)) {
                return i;
            }
        }
        return -1;
    }
}
