package org.mavlogd.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseOptions;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlVersion;

/**
 * Reads and parses the files of a configuration. {@link #MAX_BYTES} and the parser's limit of nesting bound their size,
 * whatever they contain.
 */
final class ConfigFile {
    static final int MAX_BYTES = 256 * 1024;

    private static final int MAX_FILES = 64;
    private static final String DIRECTORY = "conf.d";
    private static final String ENDING = ".toml";
    private static final TomlParseOptions OPTIONS =
            TomlParseOptions.sourceless().withVersion(TomlVersion.V1_0_0);

    private ConfigFile() {}

    /** Loads the parser, which takes a while. Logs nothing. */
    static void prepare() {
        Toml.parse("[a]\nb = \"c\"\nd = 1\n[[e]]\nf = [true]\n", OPTIONS);
    }

    /** Throws at once if there is nothing to check: no file, or no text. */
    static ConfigSource read(Path path, int order, Problems problems) throws ConfigException {
        TomlParseResult parsed = parse(withoutComments(text(path, bytes(path))));
        ConfigSource source = new ConfigSource(order, path.toString(), true, parsed);
        for (TomlParseError error : parsed.errors()) {
            problems.syntax(Place.in(source, error.position()), String.valueOf(error.getMessage()));
        }
        return source;
    }

    static TomlParseResult parse(String text) {
        return Toml.parse(text, OPTIONS);
    }

    /** The files in {@code conf.d} in the same directory, by name. */
    static List<Path> beside(Path path) throws ConfigException {
        Path directory = path.resolveSibling(DIRECTORY);
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (name.endsWith(ENDING) && !name.startsWith(".")) {
                    files.add(entry);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (AccessDeniedException e) {
            throw unreadable(directory, "permission denied", false, e);
        } catch (IOException | DirectoryIteratorException e) {
            throw unreadable(directory, String.valueOf(e.getMessage()), true, e);
        }
        if (files.size() > MAX_FILES) {
            throw new ConfigException(List.of(directory + ": holds " + files.size() + " files; at most " + MAX_FILES));
        }
        files.sort(Comparator.naturalOrder());
        return files;
    }

    /**
     * Replaces lines that are only comments by empty lines: the parser would take as long for the many comments of the
     * usual file as for its values. Lines that may be something else to the parser stay.
     */
    static String withoutComments(String text) {
        if (text.contains("\"\"\"") || text.contains("\'\'\'")) {
            return text; // a line like a comment may be part of a multi-line value
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
            throw unreadable(path, "permission denied, try sudo", false, e);
        } catch (IOException e) {
            // A directory stays one; only a failure of the disk may pass.
            throw unreadable(path, String.valueOf(e.getMessage()), Files.isRegularFile(path), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new ConfigException(
                    List.of(path + ": is larger than " + MAX_BYTES / 1024 + " KiB; not a configuration"));
        }
        return bytes;
    }

    private static ConfigException unreadable(Path path, String why, boolean mayPass, Exception cause) {
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
            // The text before the invalid bytes gives their position.
            int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
            int column = text.length() - text.lastIndexOf('\n');
            throw new ConfigException(List.of(path + ":" + line + ':' + column + ": not UTF-8 text"));
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text; // written by some editors
    }
}
