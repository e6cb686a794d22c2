package org.mavlogd.local.publish;

import java.util.List;
import org.mavlogd.link.LinkSettings;

/**
 * What other programs may publish, and where.
 *
 * @param sockets that they send to; none when nothing is taken
 * @param infers whether topics that nobody declared are taken as well
 * @param ringBytes memory of each socket that holds what the recorder has not taken yet
 * @param topics those of the configuration
 */
public record PublishSettings(List<LinkSettings> sockets, boolean infers, int ringBytes, List<TopicDefinition> topics) {
    public PublishSettings {
        sockets = List.copyOf(sockets);
        topics = List.copyOf(topics);
    }
}
