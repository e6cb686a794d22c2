package org.mavlogd.mavlink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads message definitions in MAVLink's XML form, together with the files that they include.
 *
 * <p>Included files are in the directory of the including file; dialects that are part of this program may be missing
 * there. The number of files, bytes and messages is limited, and no other files are opened. Not for the hot path.
 *
 * @see <a href="https://mavlink.io/en/guide/xml_schema.html">MAVLink XML schema</a>
 */
public final class DefinitionFiles {
    static final int MAX_BYTES = 4 << 20;
    static final int MAX_FILES = 32;
    static final int MAX_MESSAGES = 2000;

    private static final String RULE = "a file of MAVLink message definitions";

    // File names without a path: includes cannot lead to another directory.
    private static final Pattern INCLUDE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    /** Dialects whose messages are known without their files. */
    private static final Set<String> OWN = Set.of(
            "minimal.xml",
            "standard.xml",
            "common.xml",
            "ardupilotmega.xml",
            "ASLUAV.xml",
            "AVSSUAS.xml",
            "csAirLink.xml",
            "cubepilot.xml",
            "development.xml",
            "icarous.xml",
            "loweheiser.xml",
            "storm32.xml",
            "uAvionix.xml",
            "ualberta.xml");

    private final Set<Path> seen = new HashSet<>();
    private final Map<Integer, Found> byId = new HashMap<>();
    private final List<MessageLayout> messages = new ArrayList<>();

    /** A message and its position. */
    private record Found(MessageLayout message, Place place) {}

    /** A position in a file, for error messages. */
    record Place(Path file, int line) {
        DefinitionException problem(String what, String allowed) {
            return new DefinitionException(text() + ": " + what, allowed);
        }

        private String text() {
            return file + ":" + line;
        }
    }

    private DefinitionFiles() {}

    /**
     * Reads the messages of these files, each once.
     *
     * @throws DefinitionException the first error
     */
    public static List<MessageLayout> read(List<Path> files) throws DefinitionException {
        DefinitionFiles reader = new DefinitionFiles();
        for (Path file : files) {
            reader.read(file, bytes(file));
        }
        return List.copyOf(reader.messages);
    }

    private void read(Path file, byte[] bytes) throws DefinitionException {
        if (!seen.add(file.toAbsolutePath().normalize())) {
            return;
        }
        if (seen.size() > MAX_FILES) {
            throw new DefinitionException(file + ": is one file too many", MAX_FILES + " with all includes");
        }
        DefinitionXml xml = new DefinitionXml(file, text(file, bytes));
        xml.read();
        for (DefinitionXml.Include include : xml.includes()) {
            readIncluded(file, include);
        }
        for (DefinitionXml.Message message : xml.messages()) {
            add(message.layout(), message.place());
        }
    }

    private void readIncluded(Path from, DefinitionXml.Include include) throws DefinitionException {
        if (!INCLUDE.matcher(include.name()).matches()) {
            throw include.place()
                    .problem(
                            "include of " + DefinitionXml.quoted(include.name()),
                            "the name of a file beside this one: letters, digits, \".\", \"_\" and \"-\"");
        }
        Path file = from.resolveSibling(include.name());
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            read(file, bytes(file));
        } else if (!OWN.contains(include.name())) {
            throw include.place()
                    .problem(
                            "included file " + file + " is not there",
                            "a file beside this one, or a dialect that comes with mavlogd, like common.xml");
        }
    }

    private void add(MessageLayout message, Place place) throws DefinitionException {
        Found other = byId.get(message.id());
        if (other != null) {
            // A dialect may be included several times, in versions that differ only in their texts.
            if (!other.message().equals(message)) {
                throw place.problem(
                        "message " + message.id() + " " + message.name() + " is defined otherwise in "
                                + other.place().text(),
                        "each number once");
            }
            return;
        }
        if (Dialect.isMistakable(message)) {
            throw place.problem(
                    "message " + message.id() + " " + message.name() + " is not MAVLink's own message of that number",
                    "its fields as in common.xml, or another number");
        }
        if (messages.size() == MAX_MESSAGES) {
            throw place.problem("one message too many", MAX_MESSAGES + " in all files");
        }
        byId.put(message.id(), new Found(message, place));
        messages.add(message);
    }

    private static byte[] bytes(Path file) throws DefinitionException {
        if (!Files.isRegularFile(file) && Files.exists(file)) {
            throw new DefinitionException(file + ": is not a regular file", RULE);
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw unreadable(file, "no such file", e);
        } catch (AccessDeniedException e) {
            throw unreadable(file, "permission denied", e);
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new DefinitionException(file + ": is too large", (MAX_BYTES >> 20) + " MiB");
        }
        return bytes;
    }

    /** Decodes the text before the XML parser sees it, which would print messages about invalid bytes. */
    private static String text(Path file, byte[] bytes) throws DefinitionException {
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            // The text before the invalid bytes gives their line.
            int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
            throw new Place(file, line).problem("bytes that are not text", "UTF-8");
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text; // a byte order mark, which some editors write
    }

    private static DefinitionException unreadable(Path file, String why, IOException cause) {
        return new DefinitionException(file + ": cannot be read: " + why, RULE, cause);
    }
}
