package org.mavlogd.logtools;

import java.io.PrintWriter;
import java.util.Locale;
import org.mavlogd.text.Words;

/** The list of the files in a log, for people. */
public final class FilesText {
    private static final int NAME_WIDTH = 40;

    private FilesText() {}

    public static void print(LoggedFiles files, PrintWriter out) {
        out.printf(Locale.ROOT, "%-" + NAME_WIDTH + "s %14s %7s  %s%n", "File", "Bytes", "Copies", "State");
        for (FileCopies file : files.files()) {
            out.printf(
                    Locale.ROOT,
                    "%-" + NAME_WIDTH + "s %,14d %7d  %s%n",
                    Words.line(file.name(), NAME_WIDTH - 3),
                    file.bytes().length,
                    file.copies(),
                    state(file));
        }
    }

    private static String state(FileCopies file) {
        if (file.isComplete()) {
            return file.isEndMarked() ? "complete" : "no gap, end not marked";
        }
        return Words.bytes(file.missingBytes()) + " missing" + (file.isEndMarked() ? "" : ", and perhaps the end");
    }
}
