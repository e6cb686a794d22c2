package org.mavlogd.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The directories that systemd creates for a service and names in its environment. */
final class ServiceDirectory {
    private ServiceDirectory() {}

    /** The first directory in a variable such as STATE_DIRECTORY; empty outside of a service. */
    static Optional<Path> of(Map<String, String> environment, String variable) {
        String directories = environment.getOrDefault(variable, "");
        int end = directories.indexOf(':');
        String first = end < 0 ? directories : directories.substring(0, end);
        return first.isEmpty() ? Optional.empty() : Optional.of(Path.of(first));
    }
}
