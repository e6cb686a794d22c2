package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.mavlogd.tlog.TlogLayout;
import org.mavlogd.ulog.ULogException;

/**
 * The bytes of a log, unpacked if they are gzip, and the kind of the log. Both are recognised by content, not by name.
 * Read once, from the start. Memory: 128 KiB.
 */
public final class LogBytes implements Closeable {
    /** The path for standard input. */
    static final Path STANDARD_INPUT = Path.of("-");

    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int GZIP_MAGIC = 0x8B1F;
    // Bounded, because the directory for temporary files is often in memory.
    private static final long MAX_COPY_BYTES = 1L << 30;
    private static final byte[] ULOG_MAGIC = {'U', 'L', 'o', 'g'};
    private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    // Header of an FMT record, which declares another: ArduPilot's logs start with many.
    private static final byte[] FMT_HEADER = {(byte) 0xA3, (byte) 0x95, (byte) 0x80};

    /** Takes the next bytes of the log. */
    @FunctionalInterface
    public interface Consumer {
        void feed(byte[] buffer, int offset, int length) throws IOException;
    }

    private final Path log;
    private final Counted source;
    private final InputStream content;
    private final long totalBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final boolean isGzip;
    private final int firstBytes;
    private long copied;

    private LogBytes(Path log, InputStream source, long totalBytes) throws IOException {
        this.log = log;
        this.source = new Counted(source);
        this.totalBytes = totalBytes;
        PushbackInputStream bytes = new PushbackInputStream(this.source, 2);
        byte[] magic = bytes.readNBytes(2);
        bytes.unread(magic);
        this.isGzip = magic.length == 2 && (((magic[1] & 0xFF) << 8) | (magic[0] & 0xFF)) == GZIP_MAGIC;
        try {
            this.content = isGzip ? new GZIPInputStream(bytes, CHUNK_BYTES) : bytes;
            this.firstBytes = content.readNBytes(chunk, 0, CHUNK_BYTES);
        } catch (EOFException | ZipException e) {
            throw damagedGzip(0, e);
        }
        if (isAt(ZSTD_MAGIC, 0)) {
            // As the uploader sends logs if it is to compress them.
            throw new ULogException("it is compressed with zstd; unpack it with \"zstd -d\"");
        }
    }

    /** Opens a log; for {@link #STANDARD_INPUT} the rest of it. */
    public static LogBytes open(Path log) throws IOException {
        if (log.equals(STANDARD_INPUT)) {
            return new LogBytes(log, System.in, 0);
        }
        InputStream file = Files.newInputStream(log);
        try {
            return new LogBytes(log, file, Files.size(log));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    public boolean isGzip() {
        return isGzip;
    }

    /** Whether it is a telemetry log. */
    public boolean isTelemetry() {
        return !isAt(ULOG_MAGIC, 0) && !beginsWithRecord() && TlogLayout.hasRecords(chunk, firstBytes);
    }

    /** Whether it is a ULog, or of an unknown kind. */
    public boolean isULog() {
        return !isTelemetry() && !isDataFlash();
    }

    /** Whether it is an ArduPilot log; the ULog reader judges everything else. */
    public boolean isDataFlash() {
        return beginsWithRecord() || (!isAt(ULOG_MAGIC, 0) && hasFmt() && !TlogLayout.hasRecords(chunk, firstBytes));
    }

    private boolean beginsWithRecord() {
        return firstBytes >= 2 && chunk[0] == FMT_HEADER[0] && chunk[1] == FMT_HEADER[1];
    }

    /** Whether there is an FMT record, even if the first bytes of the log were lost. */
    private boolean hasFmt() {
        for (int i = 0; i < firstBytes; i++) {
            if (chunk[i] == FMT_HEADER[0] && isAt(FMT_HEADER, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(byte[] bytes, int offset) {
        return offset + bytes.length <= firstBytes
                && Arrays.equals(chunk, offset, offset + bytes.length, bytes, 0, bytes.length);
    }

    /** Feeds all bytes; returns their number. */
    long feed(Consumer consumer, Progress progress) throws IOException {
        long done = 0;
        for (int count = firstBytes; count > 0; count = next(done)) {
            consumer.feed(chunk, 0, count);
            done += count;
            progress.onProgress(source.count, totalBytes);
        }
        return done;
    }

    private int next(long done) throws IOException {
        try {
            return content.read(chunk, 0, CHUNK_BYTES);
        } catch (EOFException | ZipException e) {
            throw damagedGzip(done, e);
        }
    }

    private static ULogException damagedGzip(long done, IOException cause) {
        ULogException damaged = new ULogException("its gzip data is damaged or cut off after " + done
                + " unpacked bytes; unpack it with \"gzip -dc\", and read the unpacked part");
        damaged.initCause(cause);
        return damaged;
    }

    /** Whether the log can be opened again: a pipe cannot. */
    boolean isRereadable() {
        return !log.equals(STANDARD_INPUT) && Files.isRegularFile(log);
    }

    /** Writes all unpacked bytes to a temporary file, which the caller deletes. */
    Path copy() throws IOException {
        Path copy = Files.createTempFile("mavlogd-", ".log");
        copy.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(copy)) {
            copyTo(out, copy);
            return copy;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
    }

    /** Copies all bytes; write errors name the copy, not the log. */
    void copyTo(OutputStream out, Path copy) throws IOException {
        feed(
                (buffer, offset, length) -> {
                    requireRoom(length);
                    try {
                        out.write(buffer, offset, length);
                    } catch (IOException e) {
                        throw new FileSystemException(
                                copy.toString(),
                                null,
                                "cannot be written, a copy of the log that is read twice: " + e.getMessage());
                    }
                },
                Progress.NONE);
    }

    private void requireRoom(int length) throws IOException {
        copied += length;
        if (copied > MAX_COPY_BYTES) {
            throw new FileSystemException(
                    LogSource.nameOf(log),
                    null,
                    "it must be read twice, and at most 1 GiB of it is copied; save it to a file first");
        }
    }

    @Override
    public void close() throws IOException {
        if (!log.equals(STANDARD_INPUT)) {
            content.close();
        }
    }

    /** Counts the bytes read from a file, before they are unpacked. */
    private static final class Counted extends FilterInputStream {
        private long count;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            count += value < 0 ? 0 : 1;
            return value;
        }

        /**
         * Java calls this at the end of each part of a gzip file, and would take a momentarily empty pipe for the end
         * of the file.
         */
        @Override
        public int available() throws IOException {
            return Math.max(1, super.available());
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
