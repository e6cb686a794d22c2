package org.mavlogd.dataflash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** ArduPilot's descriptions of its log messages and their fields; ORIGIN.md beside the resource names their origin. */
public final class MessageDescriptions {
    private static final String RESOURCE = "descriptions.tsv.gz";

    /** A field's label, unit and meaning; unit and meaning may be empty. */
    public record FieldDescription(String label, String unit, String text) {}

    /** A message's name and meaning. */
    public record Description(String name, String text, List<FieldDescription> fields) {}

    private MessageDescriptions() {}

    /** All descriptions, by name. */
    public static List<Description> all() throws IOException {
        try (InputStream in = MessageDescriptions.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " is missing");
            }
            return read(new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8)));
        }
    }

    /** The description of a message or of its topic, ignoring case. */
    public static Optional<Description> of(String name) throws IOException {
        String original = TopicNames.original(name);
        return all().stream()
                .filter(description -> description.name().equalsIgnoreCase(original))
                .findFirst();
    }

    private static List<Description> read(BufferedReader lines) throws IOException {
        List<Description> all = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t", -1);
            if (words.length == 2) {
                all.add(new Description(words[0], words[1], new ArrayList<>()));
            } else if (words.length == 4 && !all.isEmpty()) {
                all.get(all.size() - 1).fields().add(new FieldDescription(words[1], words[2], words[3]));
            } else {
                throw new IllegalStateException("resource " + RESOURCE + ": \"" + line + "\"");
            }
        }
        return all;
    }
}
