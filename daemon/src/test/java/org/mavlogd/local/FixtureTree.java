package org.mavlogd.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A made-up procfs and sysfs. In its text form {@code === path} starts a file, {@code ==> path target} is a link, and
 * the lines after a path are the file's content.
 */
public final class FixtureTree {
    private final Path root;

    public FixtureTree(Path root) {
        this.root = root;
    }

    /** Unpacks the tree of this name, a resource of this package. */
    public static FixtureTree unpack(String name, Path root) {
        FixtureTree tree = new FixtureTree(root);
        try (InputStream in = FixtureTree.class.getResourceAsStream(name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String part : text.split("(?m)^==", -1)) {
                if (part.startsWith("= ")) {
                    int end = part.indexOf('\n');
                    tree.file(part.substring(2, end), part.substring(end + 1));
                } else if (part.startsWith("> ")) {
                    String[] words = part.strip().split(" ", -1);
                    tree.link(words[1], words[2]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tree;
    }

    public Path root() {
        return root;
    }

    public FixtureTree file(String path, String content) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public FixtureTree link(String path, String target) {
        try {
            Path link = root.resolve(path);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, Path.of(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Deletes a file, or a directory with its contents. */
    public void delete(String path) {
        try (Stream<Path> files = Files.walk(root.resolve(path))) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
