package org.mavlogd.fleet.targets;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.mavlogd.ulog.ULogLayout;

/**
 * Checksums of a part of a file.
 *
 * @param md5 in hexadecimal
 * @param crc32c in the form of AWS
 */
public record Digests(String md5, String crc32c) {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int HEAD_BYTES =
            ULogLayout.APPENDED_OFFSETS_POSITION + ULogLayout.MAX_APPENDED_SECTIONS * Long.BYTES;
    private static final int FLAG_BITS_TYPE = ULogLayout.FLAG_BITS_POSITION + ULogLayout.MESSAGE_TYPE_OFFSET;

    /** Reads a part of a file. */
    static Digests of(Path file, long from, long length) throws IOException {
        MessageDigest md5 = digest("MD5");
        CRC32C crc = new CRC32C();
        read(file, from, length, buffer -> {
            md5.update(buffer.duplicate());
            crc.update(buffer);
        });
        byte[] sum =
                ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
        return new Digests(
                HexFormat.of().formatHex(md5.digest()), Base64.getEncoder().encodeToString(sum));
    }

    /** SHA-256 of the first {@code bytes} of a file, in hexadecimal. */
    public static String sha256(Path file, long bytes) throws IOException {
        MessageDigest digest = digest("SHA-256");
        read(file, 0, bytes, digest::update);
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * SHA-256 of a log before data was appended, when it had {@code bytes}: without the appended data and its entries
     * in the flag bits.
     */
    public static String sha256Before(Path log, long bytes) throws IOException {
        MessageDigest digest = digest("SHA-256");
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(HEAD_BYTES, bytes)).order(ByteOrder.LITTLE_ENDIAN);
        read(log, 0, head.capacity(), head::put);
        if (head.capacity() == HEAD_BYTES && head.get(FLAG_BITS_TYPE) == 'B') {
            forgetSections(head, bytes);
        }
        digest.update(head.flip());
        read(log, head.capacity(), bytes - head.capacity(), digest::update);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void forgetSections(ByteBuffer head, long end) {
        boolean hasSections = false;
        for (int slot = ULogLayout.APPENDED_OFFSETS_POSITION; slot < HEAD_BYTES; slot += Long.BYTES) {
            if (head.getLong(slot) >= end) {
                head.putLong(slot, 0);
            }
            hasSections |= head.getLong(slot) != 0;
        }
        if (!hasSections) {
            int flags = head.get(ULogLayout.INCOMPAT_FLAGS_POSITION);
            head.put(ULogLayout.INCOMPAT_FLAGS_POSITION, (byte) (flags & ~ULogLayout.INCOMPAT_DATA_APPENDED));
        }
    }

    /** SHA-256 in hexadecimal. */
    public static String sha256(byte[] content) {
        return HexFormat.of().formatHex(digest("SHA-256").digest(content));
    }

    String md5Base64() {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(md5));
    }

    /** MD5 of the MD5s of parts, as in S3's ETag of a multipart upload. */
    static String ofParts(Iterable<Digests> parts, int count) {
        MessageDigest all = digest("MD5");
        parts.forEach(part -> all.update(HexFormat.of().parseHex(part.md5())));
        return HexFormat.of().formatHex(all.digest()) + '-' + count;
    }

    static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks " + algorithm, e);
        }
    }

    private interface Sink {
        void accept(ByteBuffer bytes);
    }

    private static void read(Path file, long from, long length, Sink sink) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            for (long done = 0; done < length; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
                int count = channel.read(buffer, from + done);
                if (count < 0) {
                    throw new EOFException(file + " became shorter while it was read");
                }
                done += count;
                sink.accept(buffer.flip());
            }
        }
    }
}
