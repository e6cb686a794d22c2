package org.mavlogd.forward;

import java.util.List;
import java.util.Map;

/**
 * A snapshot of the forwarding of one link.
 *
 * @param link its name
 * @param frames of all endpoints that it had since the start
 * @param endpoints those that it has now
 */
public record ForwardStatus(String link, Frames frames, List<Endpoint> endpoints) {
    public ForwardStatus {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * What was passed, and what was not.
     *
     * @param received frames that came from there
     * @param queued frames that were for there, before what is dropped of them
     * @param sent frames given to the transport
     * @param dropped frames that were not passed, by cause; every cause is there
     */
    public record Frames(long received, long queued, long sent, Map<String, Long> dropped) {}

    /**
     * One far end.
     *
     * @param address for people
     * @param systems ids that were heard there in the last 5 to 10 minutes, ascending
     */
    public record Endpoint(String address, Frames frames, List<Integer> systems) {
        public Endpoint {
            systems = List.copyOf(systems);
        }
    }
}
