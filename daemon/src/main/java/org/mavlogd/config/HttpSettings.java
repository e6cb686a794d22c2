package org.mavlogd.config;

import java.util.Optional;

/**
 * Section {@code [http]}: status, health and metrics.
 *
 * @param listen empty when HTTP is off; port 0 lets the system choose one
 */
public record HttpSettings(Optional<HostPort> listen) {
    private static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 9650);
    private static final ValueType<HostPort> HOST_PORT = ValueTypes.hostPort(0);
    private static final ValueType<Optional<HostPort>> HOST_PORT_OR_EMPTY = new ValueType<>() {
        @Override
        public Optional<HostPort> read(Object value) throws BadValueException {
            return "".equals(value) ? Optional.empty() : Optional.of(HOST_PORT.read(value));
        }

        @Override
        public String allowed() {
            return HOST_PORT.allowed() + ", or \"\" for none";
        }
    };

    private static final Key<Optional<HostPort>> LISTEN = Key.withDefault(
            "listen",
            Optional.of(DEFAULT_LISTEN),
            "\"" + DEFAULT_LISTEN + '"',
            HOST_PORT_OR_EMPTY,
            "address of /status, /healthz and /metrics; \"\" turns them off");

    static final Section SECTION = Section.table("http", "status, health and metrics", LISTEN);

    static HttpSettings read(SectionReader section) {
        return new HttpSettings(section.value(LISTEN));
    }
}
