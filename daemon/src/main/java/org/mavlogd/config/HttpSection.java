package org.mavlogd.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mavlogd.control.AccessToken;
import org.mavlogd.control.StatusServer;

/** Section {@code [http]}: status, health and metrics. */
final class HttpSection {
    private static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 9650);
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,256}"); // RFC 6750, section 2.1
    private static final ValueType<HostPort> HOST_PORT = ValueType.hostPort(0);
    private static final ValueType<Optional<HostPort>> HOST_PORT_OR_EMPTY = new ValueType<>() {
        @Override
        public Optional<HostPort> read(Object value) throws ValueType.BadValueException {
            return "".equals(value) ? Optional.empty() : Optional.of(HOST_PORT.read(value));
        }

        @Override
        public String allowed() {
            return HOST_PORT.allowed() + ", or \"\" for none";
        }
    };

    static final Key<Optional<HostPort>> LISTEN = Key.withDefault(
            "listen",
            Optional.of(DEFAULT_LISTEN),
            "\"" + DEFAULT_LISTEN + '"',
            HOST_PORT_OR_EMPTY,
            "address of /status, /healthz and /metrics; \"\" turns them off");
    static final Key<String> TOKEN_FILE = Key.string(
            "token_file",
            "",
            SecretFile.PLACE,
            "file with the token that requests must carry, readable by its owner only; needed unless listen is loopback");

    static final Key<String> COMMAND_TOKEN_FILE = Key.string(
            "command_token_file",
            "",
            SecretFile.PLACE,
            "file with the token that commands must carry, readable by its owner only; mavlogd page needs it to fetch logs from vehicles; \"\" for no commands");

    static final Section SECTION =
            Section.table("http", "status, health and metrics", LISTEN, TOKEN_FILE, COMMAND_TOKEN_FILE);

    private HttpSection() {}

    static StatusServer.Settings read(SectionReader section, SecretFile secrets) {
        Optional<HostPort> listen = section.value(LISTEN);
        if (section.value(TOKEN_FILE).isEmpty()) {
            checkLoopback(section, listen);
        }
        if (listen.isEmpty() && !section.value(COMMAND_TOKEN_FILE).isEmpty()) {
            section.problem(
                    COMMAND_TOKEN_FILE, "commands need HTTP, and listen is \"\"", "\"\", or an address in listen");
        }
        return new StatusServer.Settings(
                listen.map(address -> InetSocketAddress.createUnresolved(address.host(), address.port())),
                new StatusServer.Tokens(
                        token(section, TOKEN_FILE, secrets), token(section, COMMAND_TOKEN_FILE, secrets)));
    }

    private static void checkLoopback(SectionReader section, Optional<HostPort> listen) {
        if (listen.isEmpty() || isLoopback(listen.get().host())) {
            return;
        }
        if (!section.has(TOKEN_FILE)) {
            section.problem(LISTEN, "is not loopback, and there is no token_file", "127.0.0.1, [::1] or a token_file");
        } else if (section.hasGood(TOKEN_FILE)) {
            section.problem(
                    TOKEN_FILE,
                    "is needed because listen is not loopback",
                    TOKEN_FILE.type().allowed());
        }
    }

    private static Optional<AccessToken> token(SectionReader section, Key<String> key, SecretFile secrets) {
        String place = section.value(key);
        if (place.isEmpty() || secrets.leavesOut(place)) {
            return Optional.empty();
        }
        try {
            return Optional.of(token(secrets.read(place)));
        } catch (ValueType.BadValueException e) {
            section.problem(key, String.valueOf(e.getMessage()), key.type().allowed());
            return Optional.empty();
        }
    }

    /** The token in a file. */
    static AccessToken token(byte[] content) throws ValueType.BadValueException {
        String text = new String(content, StandardCharsets.ISO_8859_1).stripTrailing();
        if (!TOKEN.matcher(text).matches()) {
            throw new ValueType.BadValueException(
                    "the file does not hold a token; it must hold 16 to 256 letters, digits and \"-._~+/=\" in one line");
        }
        return AccessToken.of(text);
    }

    /**
     * Whether a literal, or {@code localhost}, is an address that only this computer can reach. Names are not resolved.
     */
    static boolean isLoopback(String host) {
        if (!LITERAL.matcher(host).matches()) {
            return host.equals("localhost");
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress(); // a literal: no name is resolved
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
