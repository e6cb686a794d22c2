package org.mavlogd.dataflash;

/** A file that a vehicle logs in chunks, as records of a type of their own. The topic's fields have the same names. */
public final class LoggedFile {
    public static final String TYPE = "FILE";
    public static final String NAME = "FileName";
    public static final String OFFSET = "Offset";
    /** How many bytes of a chunk are the file's. */
    public static final String LENGTH = "Length";
    /** Any bytes: not text, though it is declared so. */
    public static final String DATA = "Data";

    private LoggedFile() {}
}
