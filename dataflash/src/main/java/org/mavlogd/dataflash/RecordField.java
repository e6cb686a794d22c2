package org.mavlogd.dataflash;

/**
 * One field of a record.
 *
 * @param label as the log names it; may be empty
 * @param offset from the record's first byte, in bytes
 */
public record RecordField(String label, FieldFormat format, int offset) {}
