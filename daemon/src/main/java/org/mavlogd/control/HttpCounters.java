package org.mavlogd.control;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * What the status server met. Written by the control thread.
 *
 * @param listenFailures attempts to open the port that failed
 * @param requests read, whatever became of them
 * @param refusedConnections closed at once: there were enough, in all or of that address
 * @param timedOut connections closed because an exchange took too long
 * @param badHosts refused for their Host header
 * @param badTokens refused for want of the token
 * @param badRequests refused because they cannot be understood, or ask for what we do not do
 */
record HttpCounters(
        Counter listenFailures,
        Counter requests,
        Counter refusedConnections,
        Counter timedOut,
        Counter badHosts,
        Counter badTokens,
        Counter badRequests) {
    static HttpCounters register(Metrics metrics) {
        return new HttpCounters(
                metrics.counter("http.listen.failures", "Attempts to open the HTTP port that failed"),
                metrics.counter("http.requests", "HTTP requests"),
                metrics.counter("http.refused.connections", "HTTP connections refused: too many"),
                metrics.counter("http.timed.out.connections", "HTTP connections closed for being too slow"),
                refused(metrics, "host"),
                refused(metrics, "token"),
                refused(metrics, "request"));
    }

    private static Counter refused(Metrics metrics, String cause) {
        return metrics.counter("http.refused.requests", "HTTP requests refused", "cause", cause);
    }
}
