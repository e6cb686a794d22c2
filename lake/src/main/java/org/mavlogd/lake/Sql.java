package org.mavlogd.lake;

import java.nio.file.Path;

/** Writes values as SQL literals. */
final class Sql {
    private Sql() {}

    /** A text as SQL literal. */
    static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A path as a literal for functions that read files, which take {@code * ? [} for patterns: in brackets these stand for themselves. */
    static String path(Path path) {
        return text(plain(path));
    }

    /** The Parquet files of a directory and of those below it, as a literal for such functions. */
    static String files(Path directory) {
        return text(plain(directory) + "/**/*.parquet");
    }

    private static String plain(Path path) {
        return path.toString().replaceAll("[*?\\[]", "[$0]");
    }

    /** A name of a table or column. */
    static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
