package org.mavlogd.lake;

import java.nio.file.Path;

/** Writes values as SQL literals. */
final class Sql {
    private Sql() {}

    /** A text as SQL literal. */
    static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A path as a literal for functions that read files. They take {@code * ? [} for patterns, unless in brackets. */
    static String path(Path path) {
        return text(plain(path));
    }

    /** The Parquet files of a directory and its subdirectories, as a literal for these functions. */
    static String files(Path directory) {
        return text(plain(directory) + "/**/*.parquet");
    }

    private static String plain(Path path) {
        return path.toString().replaceAll("[*?\\[]", "[$0]");
    }

    /** A quoted name of a table or column. */
    static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
