package org.mavlogd.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/**
 * One file, parsed and divided into sections.
 *
 * <p>Bounded by {@link #MAX_BYTES} and the parser's limit of nesting, whatever the file holds.
 */
final class ConfigFile {
    static final int MAX_BYTES = 256 * 1024;

    private static final TomlPosition START = TomlPosition.positionAt(1, 1);
    private static final TomlTable EMPTY = Toml.parse("");
    private static final TomlParseOptions OPTIONS =
            TomlParseOptions.sourceless().withVersion(TomlVersion.V1_0_0);

    private final TomlTable root;
    private final Problems problems;
    private final Suggestion suggestion;

    private ConfigFile(TomlTable root, Problems problems, Suggestion suggestion) {
        this.suggestion = suggestion;
        this.root = root;
        this.problems = problems;
    }

    /** Loads the parser, which takes a while. Logs nothing. */
    static void prepare() {
        Toml.parse("[a]\nb = \"c\"\nd = 1\n[[e]]\nf = [true]\n", OPTIONS);
    }

    /**
     * Throws at once only when there is nothing to check: no file, no text.
     *
     * @param sections all that it may have
     */
    static ConfigFile read(Path path, List<Section> sections) throws ConfigException {
        Problems problems = new Problems(path.toString());
        TomlParseResult parsed = Toml.parse(withoutComments(text(path, bytes(path))), OPTIONS);
        for (TomlParseError error : parsed.errors()) {
            problems.syntax(error.position(), String.valueOf(error.getMessage()));
        }
        ConfigFile file = new ConfigFile(parsed, problems, new Suggestion(sections));
        file.checkSectionNames(sections);
        return file;
    }

    Problems problems() {
        return problems;
    }

    /** A section that is there once or not at all; when it is not, every key of it is absent. */
    SectionReader table(Section section) {
        List<String> path = List.of(section.name());
        if (root.get(path) instanceof TomlTable table) {
            return new SectionReader(section, section.name(), table, root.inputPositionOf(path), problems, suggestion);
        }
        if (root.contains(path)) {
            wrongShape(section, root.inputPositionOf(path), root.get(path));
        }
        return new SectionReader(section, section.name(), EMPTY, START, problems, suggestion);
    }

    /** A section that is there any number of times. */
    List<SectionReader> list(Section section) {
        List<String> path = List.of(section.name());
        List<SectionReader> readers = new ArrayList<>();
        if (root.get(path) instanceof TomlArray array) {
            for (int i = 0; i < array.size(); i++) {
                String name = section.name() + '[' + (i + 1) + ']';
                if (array.get(i) instanceof TomlTable table) {
                    readers.add(
                            new SectionReader(section, name, table, array.inputPositionOf(i), problems, suggestion));
                } else {
                    wrongShape(section, array.inputPositionOf(i), array.get(i));
                }
            }
        } else if (root.contains(path)) {
            wrongShape(section, root.inputPositionOf(path), root.get(path));
            if (root.get(path) instanceof TomlTable table) {
                // Single brackets for double ones: what they hold can be checked all the same.
                readers.add(new SectionReader(
                        section, section.name(), table, root.inputPositionOf(path), problems, suggestion));
            }
        }
        return readers;
    }

    /** Whether there is nothing of that name, not even of the wrong shape. */
    boolean isEmpty(Section section) {
        List<String> path = List.of(section.name());
        return !root.contains(path) || (root.get(path) instanceof TomlArray array && array.isEmpty());
    }

    TomlPosition start() {
        return START;
    }

    private void wrongShape(Section section, TomlPosition position, Object found) {
        String what = "expected " + section.header() + ", found " + ValueType.describe(found);
        problems.add(position, section.name(), what, section.header());
    }

    private void checkSectionNames(List<Section> sections) {
        List<String> names = sections.stream().map(Section::name).toList();
        String allowed =
                String.join(", ", sections.stream().map(Section::header).toList());
        for (String name : root.keySet()) {
            if (!names.contains(name)) {
                String kind = root.get(List.of(name)) instanceof TomlTable ? "section" : "key";
                String what = "unknown " + kind + suggestion.of(name, names);
                problems.add(root.inputPositionOf(List.of(name)), Quoted.plain(name), what, allowed);
            }
        }
    }

    /**
     * Empty lines in the place of those that are comments as a whole: the parser would take as long for the many that the
     * usual file has as for its values. Lines that the parser may see otherwise stay.
     */
    static String withoutComments(String text) {
        if (text.contains("\"\"\"") || text.contains("\'\'\'")) {
            return text; // what looks like a comment may be part of a value of several lines
        }
        StringBuilder kept = new StringBuilder(text.length());
        int begin = 0;
        while (begin < text.length()) {
            int feed = text.indexOf('\n', begin);
            int end = feed < 0 ? text.length() : feed;
            if (!isComment(text, begin, end)) {
                kept.append(text, begin, end);
            }
            if (feed >= 0) {
                kept.append('\n');
            }
            begin = end + 1;
        }
        return kept.toString();
    }

    private static boolean isComment(String text, int begin, int end) {
        int first = begin;
        while (first < end && (text.charAt(first) == ' ' || text.charAt(first) == '\t')) {
            first++;
        }
        return first < end
                && text.charAt(first) == '#'
                && text.substring(first, end).chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7F));
    }

    private static byte[] bytes(Path path) throws ConfigException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(path)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw unreadable(path, "no such file", false, e);
        } catch (AccessDeniedException e) {
            throw unreadable(path, "permission denied", false, e);
        } catch (IOException e) {
            throw unreadable(path, String.valueOf(e.getMessage()), true, e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new ConfigException(
                    List.of(path + ": is larger than " + MAX_BYTES / 1024 + " KiB; not a configuration"));
        }
        return bytes;
    }

    private static ConfigException unreadable(Path path, String why, boolean mayPass, IOException cause) {
        ConfigException failure = new ConfigException(List.of(path + ": cannot be read: " + why), mayPass);
        failure.initCause(cause);
        return failure;
    }

    private static String text(Path path, byte[] bytes) throws ConfigException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            // What came before the wrong bytes says where they are.
            int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
            int column = text.length() - text.lastIndexOf('\n');
            throw new ConfigException(List.of(path + ":" + line + ':' + column + ": not UTF-8 text"));
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text; // some editors begin a file so
    }
}
