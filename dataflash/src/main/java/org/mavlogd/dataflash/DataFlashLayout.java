package org.mavlogd.dataflash;

/**
 * Offsets in a DataFlash record.
 *
 * <pre>
 * 0    1    2     3
 * A3   95   type  fields ...            every record
 *
 * 3     4       5        9           25
 * type  length  name[4]  format[16]  labels[64]     FMT: type 128, 89 bytes
 * </pre>
 */
final class DataFlashLayout {
    static final byte HEAD_1 = (byte) 0xA3;
    static final byte HEAD_2 = (byte) 0x95;
    static final int TYPE_OFFSET = 2;
    static final int HEADER_LENGTH = 3;
    static final int TYPES = 256;

    /** The length in an FMT is one byte. */
    static final int MAX_RECORD_LENGTH = 255;

    static final int FMT_TYPE = 128;
    static final int FMT_LENGTH = 89;
    static final int FMT_TYPE_OFFSET = 3;
    static final int FMT_LENGTH_OFFSET = 4;
    static final int FMT_NAME_OFFSET = 5;
    static final int FMT_NAME_LENGTH = 4;
    static final int FMT_FORMAT_OFFSET = 9;
    static final int FMT_FORMAT_LENGTH = 16;
    static final int FMT_LABELS_OFFSET = 25;
    static final int FMT_LABELS_LENGTH = 64;

    private DataFlashLayout() {}
}
