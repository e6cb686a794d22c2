package org.mavlogd.forward;

/**
 * One peer of a link that forwards, with the frames that wait for it. Owned by the router's thread.
 *
 * @param index its place among all endpoints, from 0
 * @param serial a number that no endpoint had before
 * @param group the index of its group; negative for none
 * @param counters its own, which count for its link, too
 */
record Endpoint(int index, int serial, int group, ForwardRules rules, ForwardCounters counters, FrameQueue queue) {
    long bit() {
        return 1L << index;
    }
}
