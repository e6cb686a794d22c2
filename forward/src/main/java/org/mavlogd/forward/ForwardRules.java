package org.mavlogd.forward;

/**
 * Settings of one link's forwarding.
 *
 * @param link name of the link
 * @param group links of the same group share the frames that they receive, and forward nothing to one another; empty
 *     for none
 * @param isSniffer whether its peers are sent all frames
 * @param accepts frames accepted from its peers
 * @param sends frames sent to them
 */
public record ForwardRules(String link, String group, boolean isSniffer, FrameFilter accepts, FrameFilter sends) {
    /** Forwards everything in both directions, by the rules of MAVLink. */
    public static ForwardRules of(String link) {
        return new ForwardRules(link, "", false, FrameFilter.ALL, FrameFilter.ALL);
    }
}
