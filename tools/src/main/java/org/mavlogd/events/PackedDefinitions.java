package org.mavlogd.events;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.tukaani.xz.XZInputStream;

/** Collects the pieces of the definitions in a log, and unpacks them in bounded memory. */
final class PackedDefinitions {
    private static final int MAX_PACKED_BYTES = 256 * 1024;
    private static final int MAX_BYTES = 1024 * 1024;
    private static final int MAX_MEMORY_KIB = 4 * 1024;

    // The .xz file format 1.2.1, "Stream Header" and "Block Header".
    private static final int BLOCK_HEADER = 12;
    private static final int LZMA2_FILTER = 0x21;
    private static final int HAS_SIZES = 0xC0;
    private static final int FILTER_ID = BLOCK_HEADER + 2;
    private static final int DICTIONARY = BLOCK_HEADER + 4;
    // 1 MiB, the maximum of unpacked bytes.
    private static final byte SMALL_DICTIONARY = 16;

    private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
    private boolean isTooLarge;
    private String sha256 = "";

    boolean isEmpty() {
        return packed.size() == 0;
    }

    /** Sets the checksum of all pieces, from the log. */
    void setSha256(String hex) {
        sha256 = hex;
    }

    /** Adds a piece; one that does not continue the last starts the definitions again. */
    void add(byte[] piece, boolean continued) {
        if (!continued) {
            packed.reset();
            isTooLarge = false;
        }
        isTooLarge |= packed.size() + piece.length > MAX_PACKED_BYTES;
        if (!isTooLarge) {
            packed.writeBytes(piece);
        }
    }

    /**
     * The JSON.
     *
     * @throws IOException if it is damaged, incomplete or too large
     */
    byte[] unpack() throws IOException {
        byte[] xz = packed.toByteArray();
        if (isTooLarge) {
            throw new IOException("more than " + MAX_PACKED_BYTES + " bytes");
        }
        if (!sha256.isEmpty() && !sha256.equalsIgnoreCase(sha256(xz))) {
            throw new IOException("damaged or incomplete: its SHA-256 differs");
        }
        limitDictionary(xz);
        try (XZInputStream in = new XZInputStream(new ByteArrayInputStream(xz), MAX_MEMORY_KIB)) {
            byte[] json = in.readNBytes(MAX_BYTES + 1);
            if (json.length > MAX_BYTES) {
                throw new IOException("more than " + MAX_BYTES + " bytes unpacked");
            }
            return json;
        } catch (EOFException e) {
            throw new EOFException("incomplete after " + xz.length + " bytes");
        }
    }

    /**
     * PX4 packs with a dictionary of 64 MiB, which a reader allocates at once, although the definitions are less than a
     * tenth of a MiB. No distance can exceed the number of bytes, so a dictionary of the maximum size suffices.
     */
    private static void limitDictionary(byte[] xz) {
        int end = xz.length <= BLOCK_HEADER ? 0 : BLOCK_HEADER + ((xz[BLOCK_HEADER] & 0xFF) + 1) * Integer.BYTES;
        boolean isPlain = end > DICTIONARY + Integer.BYTES
                && end <= xz.length
                && (xz[BLOCK_HEADER + 1] & HAS_SIZES) == 0
                && xz[FILTER_ID] == LZMA2_FILTER
                && xz[FILTER_ID + 1] == 1;
        if (!isPlain || xz[DICTIONARY] <= SMALL_DICTIONARY) {
            return;
        }
        int checksum = end - Integer.BYTES;
        ByteBuffer bytes = ByteBuffer.wrap(xz).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(checksum) == crc(xz, checksum)) {
            xz[DICTIONARY] = SMALL_DICTIONARY;
            bytes.putInt(checksum, crc(xz, checksum));
        }
    }

    private static int crc(byte[] xz, int end) {
        CRC32 crc = new CRC32();
        crc.update(xz, BLOCK_HEADER, end - BLOCK_HEADER);
        return (int) crc.getValue();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
