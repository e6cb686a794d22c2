package org.mavlogd.dataflash;

/** A file that a vehicle logs in chunks, as records of the type FILE. The topic's fields have the same names. */
public final class LoggedFile {
    public static final String TYPE = "FILE";
    public static final String NAME = "FileName";
    public static final String OFFSET = "Offset";
    /** Number of bytes of a chunk that belong to the file. */
    public static final String LENGTH = "Length";
    /** Arbitrary bytes, although declared as text. */
    public static final String DATA = "Data";

    private LoggedFile() {}
}
