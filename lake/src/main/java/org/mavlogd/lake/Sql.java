package org.mavlogd.lake;

/** Writes values as SQL literals. */
final class Sql {
    private Sql() {}

    /** A text as SQL literal. */
    static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** A quoted name of a table or column. */
    static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
