package org.mavlogd.local.publish;

import java.util.List;
import java.util.function.ToIntFunction;
import org.mavlogd.local.TextLimits;

/**
 * One socket that other programs publish on.
 *
 * @param source its name in messages and metrics
 * @param topics those of the configuration; declared at once
 * @param infers whether a topic that nobody defined is taken as its first sample has it
 * @param tags the number of a tag's name; negative when there is none
 * @param limits of texts under each tag
 * @param handleSeed makes the handles of the binary form differ from those of other runs and other sockets
 * @param maxDatagramLength longer datagrams come cut
 */
public record PublishSocketSettings(
        String source,
        List<TopicDefinition> topics,
        boolean infers,
        ToIntFunction<String> tags,
        TextLimits limits,
        int handleSeed,
        int maxDatagramLength) {
    public PublishSocketSettings {
        topics = List.copyOf(topics);
    }
}
