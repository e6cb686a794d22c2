package org.mavlogd.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Section {@code [page]}, which the recorder only checks: {@code mavlogd page} reads it, and from other sections the
 * settings of the recorder that it needs.
 *
 * @param listen the address of the page
 * @param token for logging in with a browser, or for a Bearer header; empty if none is needed
 * @param hosts further names of this computer that browsers may use
 * @param control whether logs may be kept, remarked, deleted, and fetched from vehicles
 * @param tls certificate and key as files in PEM
 * @param tiles the map below a track
 * @param logDirectory of the recorder
 * @param recorder the recorder's HTTP server; empty if it is off
 * @param origins of other web pages that may show logs by WebSocket
 * @param uploads where the uploader stores which logs it sent; empty without a configuration
 */
public record PageSettings(
        HostPort listen,
        Optional<String> token,
        List<String> hosts,
        boolean control,
        Optional<Tls> tls,
        MapTiles tiles,
        Path logDirectory,
        Optional<Recorder> recorder,
        List<String> origins,
        Optional<Path> uploads) {
    private static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 9651);
    private static final Pattern SECRET = Pattern.compile("[!-~]{12,256}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]{0,31}://[A-Za-z0-9.-]{0,253}(:[0-9]{1,5})?");
    private static final ValueType<HostPort> HOST_PORT = ValueType.hostPort(0);
    private static final ValueType<String> PATH_OR_EMPTY = ValueType.of(
            "an absolute path in quotes, or \"\" for none",
            value -> "".equals(value) ? "" : ValueType.ABSOLUTE_PATH.read(value));
    private static final int MAX_HOSTS = 16;
    private static final int MAX_ORIGINS = 16;

    private static final Key<HostPort> LISTEN =
            Key.withDefault("listen", DEFAULT_LISTEN, "\"" + DEFAULT_LISTEN + '"', HOST_PORT, "address of the page");
    private static final Key<String> TOKEN_FILE = Key.string(
            "token_file",
            "",
            SecretFile.PLACE,
            "file with the token or password of the page, readable by its owner only; needed unless listen is loopback");
    private static final Key<List<String>> HOSTS = Key.withDefault(
            "hosts",
            List.of(),
            "[]",
            ValueType.listOf(
                    ValueType.matching(HOST, "a host name"),
                    MAX_HOSTS,
                    "an array of at most " + MAX_HOSTS + " host names"),
            "further host names by which browsers may address this computer, besides its own, its own with \".local\", and IP addresses");
    private static final Key<Boolean> CONTROL = Key.bool(
            "control",
            false,
            "whether users of the page may keep and delete logs, add remarks, and fetch logs from vehicles");
    private static final Key<String> TLS_CERTIFICATE = Key.string(
            "tls_certificate", "", PATH_OR_EMPTY, "file with the certificates for HTTPS, in PEM; needs tls_key");
    private static final Key<String> TLS_KEY =
            Key.string("tls_key", "", SecretFile.PLACE, "file with the private key for HTTPS, in PEM");
    private static final Key<String> TILES_FROM = Key.string(
            "tiles",
            "",
            MapTiles.FROM,
            "map below tracks: address of a tile server, from which browsers load tiles, or a folder on this computer with files z/x/y.png, .jpg or .webp; \"\" for none");
    private static final Key<String> TILES_CREDIT =
            Key.string("tiles_credit", "", MapTiles.CREDIT_TEXT, "credit shown below the map, as its licence requires");
    private static final Key<List<String>> ORIGINS = Key.withDefault(
            "origins",
            List.of(),
            "[]",
            ValueType.listOf(
                    ValueType.matching(ORIGIN, "an origin"),
                    MAX_ORIGINS,
                    "an array of at most " + MAX_ORIGINS + " origins such as \"https://app.foxglove.dev\""),
            "other web pages that may read logs over WebSocket in the user's browser");

    static final Section SECTION = Section.table(
            "page",
            "logs and vehicles in a browser (mavlogd page)",
            LISTEN,
            TOKEN_FILE,
            HOSTS,
            CONTROL,
            TLS_CERTIFICATE,
            TLS_KEY,
            TILES_FROM,
            TILES_CREDIT,
            ORIGINS);

    public PageSettings {
        hosts = List.copyOf(hosts);
        origins = List.copyOf(origins);
    }

    /** Settings without uploads. */
    public PageSettings(
            HostPort listen,
            Optional<String> token,
            List<String> hosts,
            boolean control,
            Optional<Tls> tls,
            MapTiles tiles,
            Path logDirectory,
            Optional<Recorder> recorder,
            List<String> origins) {
        this(listen, token, hosts, control, tls, tiles, logDirectory, recorder, origins, Optional.empty());
    }

    /** Certificates in a file, and the key itself, in PEM. */
    public record Tls(Path certificate, String key) {}

    /**
     * The recorder's HTTP server.
     *
     * @param token for its status, if it needs one
     * @param commandToken for its commands; empty if it accepts none, or if the page is read-only
     */
    public record Recorder(String host, int port, Optional<String> token, Optional<String> commandToken) {}

    /** Settings of a page without a configuration. */
    public static PageSettings ofDirectory(Path directory) {
        return new PageSettings(
                DEFAULT_LISTEN,
                Optional.empty(),
                List.of(),
                false,
                Optional.empty(),
                MapTiles.NONE,
                directory,
                Optional.empty(),
                List.of());
    }

    public PageSettings withListen(HostPort address) {
        return new PageSettings(address, token, hosts, control, tls, tiles, logDirectory, recorder, origins, uploads);
    }

    /**
     * Parses an address in the form of {@code listen}.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static HostPort address(String text) {
        try {
            return HOST_PORT.read(text);
        } catch (ValueType.BadValueException e) {
            throw new IllegalArgumentException(e.getMessage() + "; allowed: " + HOST_PORT.allowed(), e);
        }
    }

    /** Whether only this computer can reach an address. */
    public static boolean isLoopback(HostPort address) {
        return HttpSection.isLoopback(address.host());
    }

    /** Reads and checks the sections that the page needs; the exception lists all errors in them. */
    public static PageSettings load(Path path) throws ConfigException {
        Configuration config = Configuration.read(path, Settings.SECTIONS);
        SecretFile secrets = new SecretFile(System.getenv());
        SectionReader page = config.table(SECTION);
        SectionReader http = config.table(HttpSection.SECTION);
        PageSettings settings = new PageSettings(
                page.value(LISTEN),
                secret(page, TOKEN_FILE, secrets).map(content -> text(page, content)),
                page.value(HOSTS),
                page.value(CONTROL),
                tls(page, secrets),
                new MapTiles(page.value(TILES_FROM), page.value(TILES_CREDIT)),
                LogSection.directory(config.table(LogSection.SECTION)),
                recorder(http, page.value(CONTROL), secrets),
                page.value(ORIGINS),
                Optional.of(UploadSettings.stateDirectory(config.table(UploadSettings.SECTION))));
        config.problems().throwIfAny(secrets.unreadable());
        return settings;
    }

    /** A read-only page sends no commands, and needs no access to their token. */
    private static Optional<Recorder> recorder(SectionReader http, boolean control, SecretFile secrets) {
        Optional<String> token = line(http, HttpSection.TOKEN_FILE, secrets);
        Optional<String> commandToken =
                control ? line(http, HttpSection.COMMAND_TOKEN_FILE, secrets) : Optional.empty();
        return http.value(HttpSection.LISTEN)
                .map(address -> new Recorder(address.host(), address.port(), token, commandToken));
    }

    private static Optional<String> line(SectionReader section, Key<String> key, SecretFile secrets) {
        return secret(section, key, secrets)
                .map(content -> new String(content, StandardCharsets.ISO_8859_1).stripTrailing());
    }

    private static Optional<byte[]> secret(SectionReader section, Key<String> key, SecretFile secrets) {
        String place = section.value(key);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(secrets.read(place));
        } catch (ValueType.BadValueException e) {
            section.problem(key, String.valueOf(e.getMessage()), key.type().allowed());
            return Optional.empty();
        }
    }

    private static String text(SectionReader page, byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8).stripTrailing();
        if (!SECRET.matcher(text).matches()) {
            page.problem(
                    TOKEN_FILE,
                    "the file does not hold a token",
                    "a file with 12 to 256 printable characters of ASCII, without blanks, in one line");
        }
        return text;
    }

    private static Optional<Tls> tls(SectionReader page, SecretFile secrets) {
        String certificate = page.value(TLS_CERTIFICATE);
        Optional<byte[]> key = secret(page, TLS_KEY, secrets);
        if (certificate.isEmpty() != page.value(TLS_KEY).isEmpty()) {
            Key<String> given = certificate.isEmpty() ? TLS_KEY : TLS_CERTIFICATE;
            page.problem(given, "one of tls_certificate and tls_key is missing", "both, or none");
        }
        return certificate.isEmpty()
                ? Optional.empty()
                : key.map(bytes -> new Tls(Path.of(certificate), new String(bytes, StandardCharsets.ISO_8859_1)));
    }
}
