package org.mavlogd.mcap;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/** The compression of a chunk's records. LZ4, which the format also allows, is refused. */
public enum McapCompression {
    NONE(""),
    ZSTD("zstd");

    /** Level of zstd: fast, and with sensor data almost as small as higher levels. */
    static final int LEVEL = 1;

    private static final int MAX_SHOWN = 100;

    private final String text;

    McapCompression(String text) {
        this.text = text;
    }

    /** The name in the file. */
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

    /** Maximum length of the result of {@link #compress} for this length. */
    public int bound(int length) throws McapException {
        try {
            return this == NONE ? length : Math.toIntExact(Zstd.compressBound(length));
        } catch (LinkageError e) {
            throw notLoaded(e);
        }
    }

    /** Compresses the first bytes of {@code source}; returns the length of the result in {@code target}. */
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

    /** Decompresses to exactly {@code targetLength} bytes; fails for any other length. */
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

    /**
     * The library is unpacked from the jar, usually to /tmp, from where some computers allow no libraries to be loaded.
     */
    private static McapException notLoaded(LinkageError e) {
        String reason = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return new McapException("zstd's library cannot be loaded: " + shortened(reason)
                + "; name a directory for it: -DZstdTempFolder=DIR");
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?"); // it may come from a damaged file, and must fit into a line
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + "...";
    }
}
