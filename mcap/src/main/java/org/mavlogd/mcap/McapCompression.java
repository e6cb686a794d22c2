package org.mavlogd.mcap;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** The compression of a chunk's records. LZ4, the third way that the format knows, is refused. */
public enum McapCompression {
    NONE(""),
    ZSTD("zstd");

    /** Of zstd: fast, and about as small as higher levels with samples of sensors. */
    static final int LEVEL = 1;

    private static final int MAX_SHOWN = 100;

    private final String text;

    McapCompression(String text) {
        this.text = text;
    }

    /** As it is in the file. */
    public String text() {
        return text;
    }

    static McapCompression of(String text) throws McapException {
        for (McapCompression compression : values()) {
            if (compression.text.equals(text)) {
                return compression;
            }
        }
        throw new McapException("compression \"" + shortened(text) + "\" is not supported; compress with zstd");
    }

    /** The most bytes that {@link #compress} makes of so many. */
    public int bound(int length) throws McapException {
        try {
            return this == NONE ? length : Math.toIntExact(Zstd.compressBound(length));
        } catch (LinkageError e) {
            throw notLoaded(e);
        }
    }

    /** Compresses the first bytes of {@code source}; returns how many there are in {@code target}. */
    public int compress(byte[] source, int length, byte[] target) {
        if (this == NONE) {
            System.arraycopy(source, 0, target, 0, length);
            return length;
        }
        long size = Zstd.compressByteArray(target, 0, target.length, source, 0, length, LEVEL);
        if (Zstd.isError(size)) {
            throw new IllegalStateException("zstd: " + Zstd.getErrorName(size));
        }
        return Math.toIntExact(size);
    }

    /** Fills the first {@code targetLength} bytes; fails unless there are exactly so many. */
    void decompress(byte[] source, int offset, int length, byte[] target, int targetLength) throws McapException {
        long size;
        if (this == NONE) {
            size = length;
            System.arraycopy(source, offset, target, 0, Math.min(length, targetLength));
        } else {
            size = unzstd(source, offset, length, target, targetLength);
        }
        if (size != targetLength) {
            throw new McapException(size + " bytes uncompressed, not " + targetLength);
        }
    }

    private static long unzstd(byte[] source, int offset, int length, byte[] target, int targetLength)
            throws McapException {
        try {
            long size = Zstd.decompressByteArray(target, 0, targetLength, source, offset, length);
            if (Zstd.isError(size)) {
                throw new McapException("zstd: " + Zstd.getErrorName(size));
            }
            return size;
        } catch (ZstdException e) {
            throw new McapException("zstd: " + e.getMessage());
        } catch (LinkageError e) {
            throw notLoaded(e);
        }
    }

    /** Its library is copied out of the jar, most often to /tmp, from where nothing may be loaded on some computers. */
    private static McapException notLoaded(LinkageError e) {
        String reason = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return new McapException("zstd's library cannot be loaded: " + shortened(reason)
                + "; name a directory for it: -DZstdTempFolder=DIR");
    }

    private static String shortened(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}
