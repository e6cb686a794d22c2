package org.mavlogd.forward;

/**
 * One peer of a forwarding link, with its waiting frames. Owned by the router's thread.
 *
 * @param index among all endpoints, from 0
 * @param serial a number that no other endpoint has had
 * @param group index of its group; negative for none
 * @param counters its own counters, which also add to those of its link
 */
record Endpoint(int index, int serial, int group, ForwardRules rules, ForwardCounters counters, FrameQueue queue) {
    long bit() {
        return 1L << index;
    }
}
