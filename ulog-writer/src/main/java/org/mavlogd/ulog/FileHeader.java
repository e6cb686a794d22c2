package org.mavlogd.ulog;

/** Reads the file header. */
final class FileHeader {
    private FileHeader() {}

    static void requireMagic(byte[] buffer, int offset) throws ULogException {
        if ((Bytes.int64(buffer, offset) & ULogLayout.MAGIC_MASK) != ULogLayout.MAGIC) {
            throw new ULogException("not a ULog: it does not start with the magic bytes of ULog");
        }
    }

    static ULogException tooShort(int bytes) {
        return new ULogException(
                "not a ULog: it is shorter than a header (" + bytes + " of " + ULogLayout.HEADER_LENGTH + " bytes)");
    }

    static int version(byte[] buffer, int offset) {
        return Bytes.uint8(buffer, offset + ULogLayout.VERSION_OFFSET);
    }

    static long startUs(byte[] buffer, int offset) {
        return Bytes.int64(buffer, offset + ULogLayout.START_TIME_OFFSET);
    }
}
