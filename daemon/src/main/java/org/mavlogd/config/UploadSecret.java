package org.mavlogd.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A secret in a file or a credential of systemd. It is read each time it is needed, because it may be replaced while
 * the program runs.
 *
 * @param place as in the configuration; may be empty for none
 */
public record UploadSecret(String place) {
    public boolean isEmpty() {
        return place.isEmpty();
    }

    /**
     * The content of the file, without blanks at its end.
     *
     * @throws IOException with a message for the user
     */
    public String read() throws IOException {
        try {
            byte[] content = new SecretFile(System.getenv()).read(place);
            return new String(content, StandardCharsets.UTF_8).stripTrailing();
        } catch (ValueType.BadValueException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
