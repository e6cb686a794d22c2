package org.mavlogd.local.iio;

import java.nio.file.Path;
import java.util.List;
import org.mavlogd.local.NamePatterns;

/**
 * Which devices are measured, and how often.
 *
 * @param root where {@code sys} is: {@code /} but in tests
 * @param include patterns of device names; what fits none is left alone
 * @param exclude patterns of device names that are left alone all the same
 */
public record IioSettings(Path root, long periodNs, List<String> include, List<String> exclude) {
    public IioSettings {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    boolean wants(String device) {
        return NamePatterns.anyFits(include, device) && !NamePatterns.anyFits(exclude, device);
    }
}
