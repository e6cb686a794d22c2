package org.mavlogd.forward;

import java.util.List;
import java.util.Map;

/**
 * A snapshot of the forwarding of one link.
 *
 * @param link name of the link
 * @param frames of all its endpoints since the start
 * @param endpoints its current endpoints
 */
public record ForwardStatus(String link, Frames frames, List<Endpoint> endpoints) {
    public ForwardStatus {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * Counts of forwarded and dropped frames.
     *
     * @param received frames received from there
     * @param queued frames for there, including those dropped later
     * @param sent frames passed to the transport
     * @param dropped frames not forwarded, by cause; has every cause
     */
    public record Frames(long received, long queued, long sent, Map<String, Long> dropped) {}

    /**
     * One peer.
     *
     * @param address for people
     * @param systems ids received from there in the last 5 to 10 minutes, ascending
     */
    public record Endpoint(String address, Frames frames, List<Integer> systems) {
        public Endpoint {
            systems = List.copyOf(systems);
        }
    }
}
