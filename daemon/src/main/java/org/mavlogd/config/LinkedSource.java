package org.mavlogd.config;

import java.util.List;
import org.mavlogd.link.LinkSettings;

/**
 * A source of this computer's data that listens to links.
 *
 * @param <S> what its own package is to know of it
 * @param links that bring its data; none when it is off
 */
public record LinkedSource<S>(List<LinkSettings> links, S settings) {
    public LinkedSource {
        links = List.copyOf(links);
    }
}
