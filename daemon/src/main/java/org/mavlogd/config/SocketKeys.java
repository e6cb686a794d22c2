package org.mavlogd.config;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;

/** Keys of sockets that only programs of this computer can reach; two sections have them. */
final class SocketKeys {
    /** The path of a Unix socket; empty for none. */
    static final ValueType<Optional<String>> PATH = new ValueType<>() {
        @Override
        public Optional<String> read(Object value) throws ValueType.BadValueException {
            if ("".equals(value)) {
                return Optional.empty();
            }
            String path = ValueType.ABSOLUTE_PATH.read(value);
            int bytes = path.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LinkSettings.MAX_UNIX_PATH_BYTES) {
                throw new ValueType.BadValueException("the path has " + bytes + " bytes");
            }
            return Optional.of(path);
        }

        @Override
        public String allowed() {
            return "an absolute path in quotes of at most " + LinkSettings.MAX_UNIX_PATH_BYTES
                    + " bytes, or \"\" for none";
        }
    };

    /** An address of loopback; empty for none. */
    static final ValueType<Optional<HostPort>> LOOPBACK = new ValueType<>() {
        @Override
        public Optional<HostPort> read(Object value) throws ValueType.BadValueException {
            if ("".equals(value)) {
                return Optional.empty();
            }
            HostPort address = HOST_PORT.read(value);
            if (!HttpSection.isLoopback(address.host())) {
                throw new ValueType.BadValueException(
                        Quoted.text(address.host()) + " is not loopback: whoever reaches it could write into the log");
            }
            return Optional.of(address);
        }

        @Override
        public String allowed() {
            return "\"127.0.0.1:port\", \"[::1]:port\" or \"localhost:port\" with a port from 1 to 65535, or \"\" for none";
        }
    };

    /** Permissions, in octal digits. */
    static final ValueType<String> MODE =
            ValueType.matching(Pattern.compile("0?[0-7]{3}"), "three octal digits in quotes, as in \"0660\"");

    /** The name of a group; empty for none. */
    static final ValueType<String> GROUP =
            ValueType.matching(Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}|"), "the name of a group, or \"\"");

    private static final ValueType<HostPort> HOST_PORT = ValueType.hostPort(1);
    private static final int OCTAL = 8;

    private SocketKeys() {}

    /** The number of a {@link #MODE}. */
    static int mode(String digits) {
        return Integer.parseInt(digits, OCTAL);
    }
}
