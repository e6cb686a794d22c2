package org.mavlogd.setup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.OutputFile;

/**
 * A configuration file that is written completely or not at all, with a backup of the previous one.
 *
 * <p>Owner, group and permissions are those of the previous file, or else those that the service needs: root, group
 * mavlogd, 0640.
 */
public final class ConfigPlace {
    private static final String GROUP = "mavlogd";
    private static final int MAX_BACKUPS = 100;

    private final Path file;

    /** Follows symbolic links, which are kept. */
    public ConfigPlace(Path file) throws IOException {
        this.file = Files.exists(file) ? file.toRealPath() : file;
    }

    /** Checks a text before it becomes the configuration. */
    @FunctionalInterface
    public interface Check<E extends Exception> {
        /**
         * Throws if the text is wrong.
         *
         * @param candidate a file with the text, in the directory of the configuration
         */
        void check(Path candidate) throws E;
    }

    public boolean isTaken() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The reason why this user cannot write there; empty if possible. */
    public Optional<String> problem() {
        Path directory = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/"));
        if (!Files.isDirectory(directory)) {
            return Optional.of("there is no directory " + directory);
        }
        if (Files.isDirectory(file)) {
            return Optional.of(file + " is a directory");
        }
        return Files.isWritable(directory)
                ? Optional.empty()
                : Optional.of("cannot write to " + directory + ": permission denied; run this command with sudo");
    }

    /**
     * Writes the text; returns the backup of the previous file.
     *
     * @param check if it throws, nothing is changed
     */
    public <E extends Exception> Optional<Path> write(String text, Check<E> check) throws IOException, E {
        OutputFile.Existing existing = isTaken() ? OutputFile.Existing.REPLACE : OutputFile.Existing.REFUSE;
        try (OutputFile output = OutputFile.at(file, existing)) {
            try {
                Files.writeString(output.temporary(), text, StandardOpenOption.CREATE_NEW);
                own(output.temporary());
            } catch (IOException e) {
                throw output.failed(e);
            }
            check.check(output.temporary());
            Optional<Path> backup = existing == OutputFile.Existing.REPLACE ? Optional.of(backup()) : Optional.empty();
            output.commit();
            forceDirectory();
            return backup;
        }
    }

    private void own(Path written) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(written, PosixFileAttributeView.class);
        if (isTaken()) {
            PosixFileAttributes before = Files.readAttributes(file, PosixFileAttributes.class);
            if (!Files.getOwner(written).equals(before.owner())) {
                view.setOwner(before.owner());
            }
            view.setGroup(before.group());
            view.setPermissions(before.permissions());
            return;
        }
        GroupPrincipal group = group(written);
        if (group != null && Files.getOwner(written).getName().equals("root")) {
            view.setGroup(group);
            view.setPermissions(PosixFilePermissions.fromString("rw-r-----"));
        } else {
            view.setPermissions(PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    private static @Nullable GroupPrincipal group(Path file) throws IOException {
        try {
            return file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(GROUP);
        } catch (UserPrincipalNotFoundException e) {
            return null; // the service is not installed
        }
    }

    /** The first free name of FILE.bak, FILE.bak2, ... */
    private Path backup() throws IOException {
        for (int number = 1; number <= MAX_BACKUPS; number++) {
            Path backup = file.resolveSibling(file.getFileName() + ".bak" + (number == 1 ? "" : number));
            if (!Files.exists(backup, LinkOption.NOFOLLOW_LINKS)) {
                return Files.copy(file, backup, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        throw new IOException("there are " + MAX_BACKUPS + " backups (.bak) already: delete some");
    }

    private void forceDirectory() throws IOException {
        try (FileChannel directory = FileChannel.open(
                Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/")), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
