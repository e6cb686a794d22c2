package org.mavlogd.config;

import java.util.Optional;
import org.mavlogd.link.LinkSettings;

/** Section {@code [gpsd]}: positions from gpsd. */
final class GpsdSection {
    /** The name of its link. */
    static final String LINK = "gpsd";

    private static final HostPort DEFAULT = new HostPort("127.0.0.1", 2947);

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", false, "record positions, satellites and attitudes that gpsd reports");
    private static final Key<HostPort> CONNECT =
            Key.withDefault("connect", DEFAULT, "\"" + DEFAULT + '"', ValueTypes.hostPort(1), "where gpsd listens");

    static final Section SECTION = Section.table("gpsd", "positions from gpsd", ENABLED, CONNECT);

    private GpsdSection() {}

    /** Where it is asked; empty when it is not. */
    static Optional<LinkSettings> read(SectionReader section) {
        HostPort address = section.value(CONNECT);
        return section.value(ENABLED)
                ? Optional.of(new LinkSettings.TcpConnect(LINK, address.host(), address.port()))
                : Optional.empty();
    }
}
