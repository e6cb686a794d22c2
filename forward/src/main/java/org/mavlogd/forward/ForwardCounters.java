package org.mavlogd.forward;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of one link's forwarding. Written by the router's thread, but for what the link's own thread counts.
 *
 * @param received frames of the link that were looked at
 * @param queued frames for peers of the link, before what is dropped of them
 * @param sent frames given to the transport; link's thread, or the router's where that sends
 * @param busy frames of the link that found its ring full; link's thread
 * @param unfit frames of the link that must not be passed on: with a cut signature, or with a key in them; link's thread
 * @param excess frames of peers for which there was no room
 * @param refused frames that the link does not accept
 * @param copies frames that came on another way before
 * @param homeless frames for nobody who was heard elsewhere
 * @param withheld frames that are not sent to the link
 * @param lateTelemetry frames pushed out of a queue
 * @param lateConversations the same of commands, parameters, missions and files
 * @param gone frames that waited in the queue of a peer that went away
 * @param unsent frames of such a peer that its transport had not taken; link's thread
 */
record ForwardCounters(
        Counter received,
        Counter queued,
        Counter sent,
        Counter busy,
        Counter unfit,
        Counter excess,
        Counter refused,
        Counter copies,
        Counter homeless,
        Counter withheld,
        Counter lateTelemetry,
        Counter lateConversations,
        Counter gone,
        Counter unsent) {

    static ForwardCounters register(Metrics metrics, String link) {
        return new ForwardCounters(
                metrics.counter("forward.received.frames", "Frames of a link that were to be forwarded", "link", link),
                metrics.counter("forward.queued.frames", "Frames that were to be sent to a link", "link", link),
                metrics.counter("forward.sent.frames", "Forwarded frames given to a link's transport", "link", link),
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

    private static Counter dropped(Metrics metrics, String link, String cause) {
        return metrics.counter(
                "forward.dropped.frames",
                "Frames that were not forwarded; the link is that of the sender for causes before routing, else the receiver's",
                "link",
                link,
                "cause",
                cause);
    }
}
