package org.mavlogd.forward;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of forwarding, for a link or one of its endpoints. Written by the router's thread, except those marked as
 * the link's thread's.
 *
 * @param received frames received from the link and examined
 * @param queued frames for peers of the link, including those dropped later
 * @param sent frames passed to the transport; written by the link's thread, or by the router's if that sends
 * @param busy frames of the link dropped because its ring was full; link's thread
 * @param unfit frames of the link that must not be forwarded, with a truncated signature or with a key; link's thread
 * @param excess frames of peers for which there was no room
 * @param refused frames that the link does not accept
 * @param copies frames that had already arrived on another path
 * @param homeless frames without a receiver
 * @param withheld frames that are not sent to the link
 * @param lateTelemetry telemetry frames displaced from a queue or dropped as too old
 * @param lateConversations frames of commands, parameters, missions and files displaced from a queue
 * @param gone frames in the queue of a peer that went away
 * @param unsent frames of such a peer that its transport had not accepted
 */
record ForwardCounters(
        Tally received,
        Tally queued,
        Tally sent,
        Tally busy,
        Tally unfit,
        Tally excess,
        Tally refused,
        Tally copies,
        Tally homeless,
        Tally withheld,
        Tally lateTelemetry,
        Tally lateConversations,
        Tally gone,
        Tally unsent) {

    static ForwardCounters register(Metrics metrics, String link) {
        return new ForwardCounters(
                passed(metrics, link, "forward.received.frames", "Frames of a link that were to be forwarded"),
                passed(metrics, link, "forward.queued.frames", "Frames that were to be sent to a link"),
                passed(metrics, link, "forward.sent.frames", "Forwarded frames given to a link's transport"),
                dropped(metrics, link, "router_busy"),
                dropped(metrics, link, "not_forwardable"),
                dropped(metrics, link, "too_many_endpoints"),
                dropped(metrics, link, "not_accepted"),
                dropped(metrics, link, "copy"),
                dropped(metrics, link, "no_receiver"),
                dropped(metrics, link, "withheld"),
                dropped(metrics, link, "queue_full_telemetry"),
                dropped(metrics, link, "queue_full_conversation"),
                dropped(metrics, link, "receiver_gone"),
                dropped(metrics, link, "not_sent"));
    }

    /** The counters of one endpoint of the link, which also add to these. */
    ForwardCounters ofEndpoint() {
        return new ForwardCounters(
                received.ofEndpoint(),
                queued.ofEndpoint(),
                sent.ofEndpoint(),
                busy.ofEndpoint(),
                unfit.ofEndpoint(),
                excess.ofEndpoint(),
                refused.ofEndpoint(),
                copies.ofEndpoint(),
                homeless.ofEndpoint(),
                withheld.ofEndpoint(),
                lateTelemetry.ofEndpoint(),
                lateConversations.ofEndpoint(),
                gone.ofEndpoint(),
                unsent.ofEndpoint());
    }

    /** The current values. Any thread. */
    ForwardStatus.Frames frames() {
        Map<String, Long> dropped = new LinkedHashMap<>();
        Stream.of(
                        busy,
                        unfit,
                        excess,
                        refused,
                        copies,
                        homeless,
                        withheld,
                        lateTelemetry,
                        lateConversations,
                        gone,
                        unsent)
                .forEach(tally -> dropped.put(tally.cause(), tally.get()));
        return new ForwardStatus.Frames(received.get(), queued.get(), sent.get(), dropped);
    }

    private static Tally passed(Metrics metrics, String link, String name, String help) {
        return new Tally("", metrics.counter(name, help, "link", link));
    }

    private static Tally dropped(Metrics metrics, String link, String cause) {
        Counter counter = metrics.counter(
                "forward.dropped.frames",
                "Frames that were not forwarded; the link is that of the sender for causes before routing, else the receiver's",
                "link",
                link,
                "cause",
                cause);
        return new Tally(cause, counter);
    }
}
