package org.mavlogd.forward;

/**
 * Settings of one link's forwarding.
 *
 * @param link its name
 * @param group links with the same name of a group share what they hear, and hear nothing of one another; empty for none
 * @param isSniffer whether its peers are sent everything
 * @param accepts what is taken from its peers
 * @param sends what is sent to them
 */
public record ForwardRules(String link, String group, boolean isSniffer, FrameFilter accepts, FrameFilter sends) {
    /** Everything both ways, by the rules of MAVLink. */
    public static ForwardRules of(String link) {
        return new ForwardRules(link, "", false, FrameFilter.ALL, FrameFilter.ALL);
    }
}
