package org.mavlogd.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The HTTP address of a recorder, for programs on the same computer.
 *
 * @param host an address to connect to
 * @param token the token of requests, if they need one
 */
public record RecorderAddress(String host, int port, Optional<String> token) {
    /** The address of a recorder with default settings. */
    public static final RecorderAddress DEFAULT = new RecorderAddress("127.0.0.1", 9650, Optional.empty());

    /** The URL without a path. */
    public String url() {
        return "http://" + (host.contains(":") ? '[' + host + ']' : host) + ':' + port;
    }

    /**
     * Reads only section {@code [http]}, so that errors in other sections do not matter.
     *
     * @return empty if the recorder serves no status
     */
    public static Optional<RecorderAddress> load(Path path) throws ConfigException {
        Configuration config = Configuration.read(path, Settings.SECTIONS);
        SecretFile secrets = new SecretFile(System.getenv());
        SectionReader http = config.table(HttpSection.SECTION);
        Optional<String> token = token(http, secrets);
        Optional<RecorderAddress> address = http.value(HttpSection.LISTEN)
                .map(listen -> new RecorderAddress(reachable(listen.host()), listen.port(), token));
        config.problems().throwIfAny(secrets.unreadable());
        return address;
    }

    private static Optional<String> token(SectionReader http, SecretFile secrets) {
        String place = http.value(HttpSection.TOKEN_FILE);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] content = secrets.read(place);
            return Optional.of(new String(content, StandardCharsets.ISO_8859_1).stripTrailing());
        } catch (ValueType.BadValueException e) {
            http.problem(
                    HttpSection.TOKEN_FILE,
                    String.valueOf(e.getMessage()),
                    HttpSection.TOKEN_FILE.type().allowed());
            return Optional.empty();
        }
    }

    /** An address to listen on is not always one to connect to. */
    private static String reachable(String host) {
        return switch (host) {
            case "0.0.0.0" -> "127.0.0.1";
            case "::" -> "::1";
            default -> host;
        };
    }
}
