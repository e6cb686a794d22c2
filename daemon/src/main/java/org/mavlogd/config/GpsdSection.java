package org.mavlogd.config;

/** Section {@code [gpsd]}: positions from gpsd. */
public record GpsdSection(boolean enabled, HostPort connect) {
    private static final HostPort DEFAULT = new HostPort("127.0.0.1", 2947);

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", false, "record positions, satellites and attitudes that gpsd reports");
    private static final Key<HostPort> CONNECT =
            Key.withDefault("connect", DEFAULT, "\"" + DEFAULT + '"', ValueTypes.hostPort(1), "where gpsd listens");

    static final Section SECTION = Section.table("gpsd", "positions from gpsd", ENABLED, CONNECT);

    static GpsdSection read(SectionReader section) {
        return new GpsdSection(section.value(ENABLED), section.value(CONNECT));
    }
}
