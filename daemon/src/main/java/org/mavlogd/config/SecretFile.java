package org.mavlogd.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Reads files with secrets. A file must be readable by its owner only, who is the user of this process or root; root
 * also takes those of the service's user. Or it is a credential of systemd, which no other user can read.
 *
 * <p>No message ever shows the content.
 *
 * @see <a href="https://systemd.io/CREDENTIALS/">System and service credentials</a>
 */
final class SecretFile {
    /** In the configuration, before a credential's name. */
    static final String CREDENTIAL_PREFIX = "credential:";

    static final int MAX_BYTES = 4096;

    private static final String DIRECTORY_VARIABLE = "CREDENTIALS_DIRECTORY";
    private static final Pattern CREDENTIAL_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");
    private static final int OTHERS_AND_GROUP = 077;
    // The access list that systemd sets on a credential appears as rights of the group.
    private static final int OTHERS = 007;
    private static final Path SELF = Path.of("/proc/self");
    private static final int ROOT = 0;
    private static final String SERVICE_USER = "mavlogd";

    /** A place in the configuration: an absolute path, {@code credential:NAME}, or empty for none. */
    static final ValueType<String> PLACE = new ValueType<>() {
        @Override
        public String read(Object value) throws ValueType.BadValueException {
            String place = ValueType.string(value);
            if (place.isEmpty()) {
                return place;
            }
            if (!place.startsWith(CREDENTIAL_PREFIX)) {
                return ValueType.ABSOLUTE_PATH.read(value);
            }
            if (!CREDENTIAL_NAME
                    .matcher(place.substring(CREDENTIAL_PREFIX.length()))
                    .matches()) {
                throw new ValueType.BadValueException(Quoted.text(place) + " does not name a credential");
            }
            return place;
        }

        @Override
        public String allowed() {
            return "an absolute path, \"" + CREDENTIAL_PREFIX + "NAME\" for a credential of systemd, or \"\" for none";
        }
    };

    private final Map<String, String> environment;
    private final String serviceUser;
    private final Optional<Consumer<String>> leftOut;
    private int unreadable;

    SecretFile(Map<String, String> environment) {
        this(environment, SERVICE_USER, Optional.empty());
    }

    SecretFile(Map<String, String> environment, String serviceUser, Optional<Consumer<String>> leftOut) {
        this.environment = environment;
        this.serviceUser = serviceUser;
        this.leftOut = leftOut;
    }

    /** For commands that do without the credentials that systemd passes to the service only; names these. */
    static SecretFile besideService(Map<String, String> environment, Consumer<String> leftOut) {
        return new SecretFile(environment, SERVICE_USER, Optional.of(leftOut));
    }

    /** Whether this process does without the secret at a {@link #PLACE}. */
    boolean leavesOut(String place) {
        if (leftOut.isEmpty()
                || !place.startsWith(CREDENTIAL_PREFIX)
                || !environment.getOrDefault(DIRECTORY_VARIABLE, "").isEmpty()) {
            return false;
        }
        leftOut.get().accept(place);
        return true;
    }

    /** How many files could not be read, as opposed to those with wrong content or rights. */
    int unreadable() {
        return unreadable;
    }

    /** Reads the file at a {@link #PLACE} that is not empty. */
    byte[] read(String place) throws ValueType.BadValueException {
        boolean isCredential = place.startsWith(CREDENTIAL_PREFIX);
        Path file = isCredential ? credential(place.substring(CREDENTIAL_PREFIX.length())) : Path.of(place);
        try {
            checkAccess(file, isCredential ? OTHERS : OTHERS_AND_GROUP);
            return content(file);
        } catch (NoSuchFileException e) {
            throw unreadable(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw unreadable(file + ": permission denied", e);
        } catch (IOException e) {
            throw unreadable(file + ": cannot be read: " + e.getMessage(), e);
        } catch (UnsupportedOperationException e) {
            throw new ValueType.BadValueException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private ValueType.BadValueException unreadable(String problem, IOException cause) {
        unreadable++;
        return new ValueType.BadValueException(problem, cause);
    }

    private Path credential(String name) throws ValueType.BadValueException {
        String directory = environment.getOrDefault(DIRECTORY_VARIABLE, "");
        if (directory.isEmpty()) {
            throw new ValueType.BadValueException("systemd passed no credentials: " + DIRECTORY_VARIABLE
                    + " is not set; the unit needs LoadCredential=" + name + ":FILE");
        }
        return Path.of(directory).resolve(name);
    }

    private void checkAccess(Path file, int forbidden) throws IOException, ValueType.BadValueException {
        if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
            throw new ValueType.BadValueException(file + " is not a file");
        }
        int mode = number(file, "unix:mode") & 07777;
        if ((mode & forbidden) != 0) {
            throw new ValueType.BadValueException(
                    String.format("%s can be read by others than its owner (mode %04o): chmod 600 it", file, mode));
        }
        int owner = number(file, "unix:uid");
        int user = number(SELF, "unix:uid");
        boolean isOfServiceUser = user == ROOT && Files.getOwner(file).getName().equals(serviceUser);
        if (owner != ROOT && owner != user && !isOfServiceUser) {
            throw new ValueType.BadValueException(
                    file + " belongs to user " + owner + ", neither to root nor to user " + user + ", who runs this");
        }
    }

    private static int number(Path file, String attribute) throws IOException {
        return Files.getAttribute(file, attribute) instanceof Integer number ? number : -1;
    }

    private static byte[] content(Path file) throws IOException, ValueType.BadValueException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new ValueType.BadValueException(
                    file + (bytes.length == 0 ? " is empty" : " is longer than " + MAX_BYTES + " bytes"));
        }
        return bytes;
    }
}
