package org.mavlogd.local.publish;

import java.util.List;

/**
 * What other programs may publish.
 *
 * @param infers whether topics that nobody declared are taken as well
 * @param ringBytes memory of each socket that holds what the recorder has not taken yet
 * @param topics those of the configuration
 */
public record PublishSettings(boolean infers, int ringBytes, List<TopicDefinition> topics) {
    public PublishSettings {
        topics = List.copyOf(topics);
    }
}
