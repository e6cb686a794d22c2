package org.mavlogd.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/** Describes failures of files in one line. */
public final class Failures {
    private static final int MAX_NAME = 300;
    private static final int MAX_REASON = 400;

    private Failures() {}

    /**
     * The name of the file and the reason.
     *
     * @param file the file of the operation; if the failure names another one, that is used
     */
    public static String text(Path file, IOException failure) {
        String named = failure instanceof FileSystemException system ? system.getFile() : null;
        String name = named == null ? file.toString() : named;
        return (name.isEmpty() ? "\"\"" : shown(name)) + ": " + Words.line(reason(failure), MAX_REASON);
    }

    /** A long name is shortened to its end, which distinguishes files. */
    private static String shown(String name) {
        String line = Words.line(name, Integer.MAX_VALUE);
        return line.length() <= MAX_NAME ? line : "..." + line.substring(line.length() - MAX_NAME);
    }

    private static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a directory";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "is a directory";
        }
        if (failure instanceof FileSystemException system) {
            return lower(Objects.requireNonNullElse(system.getReason(), "failed"));
        }
        return lower(Objects.requireNonNullElse(failure.getMessage(), failure.toString()));
    }

    /** The system's messages begin with a capital letter, which is made small. A name like ULog stays. */
    private static String lower(String message) {
        boolean isWord = message.length() > 1 && Character.isLowerCase(message.charAt(1));
        return isWord ? Character.toLowerCase(message.charAt(0)) + message.substring(1) : message;
    }
}
