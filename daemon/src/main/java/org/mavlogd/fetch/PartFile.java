package org.mavlogd.fetch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * A log that is being fetched: {@code NAME.part} with its bytes at their places, and {@code NAME.part.note} with the
 * missing ranges. The log gets its name when it is complete.
 *
 * <p>The note is written after the bytes were forced to disk, so it is right even after a power cut. When a later run
 * continues, it fetches the last stored bytes once more and compares them. Owned by one thread.
 */
public final class PartFile implements Closeable {
    private static final String PART = ".part";
    private static final int PROBE_BYTES = 1024;
    private static final int COPY_BYTES = 1 << 16;
    /** Longer than most notes. */
    private static final int GIVEN_BACK_BYTES = 8192;

    private final FetchDisk disk;
    private final Path target;
    private final Path part;
    private final PartNote note;
    private final FileChannel channel;
    private final MissingRanges missing;
    private long probeStart;
    private byte[] probe = new byte[0];
    private boolean isStale;
    private boolean hasUnforcedBytes;
    private boolean isDirty;
    private long savedBytes;

    private PartFile(FetchDisk disk, Path target, PartNote note, FileChannel channel, MissingRanges missing) {
        this.disk = disk;
        this.target = target;
        this.part = part(target);
        this.note = note;
        this.channel = channel;
        this.missing = missing;
    }

    /**
     * Opens an incomplete file, or creates one.
     *
     * @param target the final path of the log
     * @param log identifies the log, so that it is not continued with another one; without line breaks
     * @param isAnew whether stored bytes must not be used
     */
    public static PartFile open(FetchDisk disk, Path target, String log, long length, boolean isAnew)
            throws IOException {
        Path part = part(target);
        if (Files.exists(part, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(part.toString(), null, "is not a regular file");
        }
        PartNote note = new PartNote(disk, part.resolveSibling(part.getFileName() + ".note"), log, length);
        FileChannel channel = disk.open(
                part,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                LinkOption.NOFOLLOW_LINKS);
        try {
            lock(channel, part);
            MissingRanges missing = isAnew ? MissingRanges.allOf(length) : note.read(channel.size());
            PartFile file = new PartFile(disk, target, note, channel, missing);
            file.begin();
            return file;
        } catch (IOException | RuntimeException e) {
            closeAfter(e, channel);
            throw e;
        }
    }

    private static void closeAfter(Exception failure, FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** The kernel releases the lock when the process ends, in whatever way. */
    private static void lock(FileChannel channel, Path part) throws IOException {
        boolean isOurs;
        try {
            isOurs = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            isOurs = false;
        }
        if (!isOurs) {
            throw new FileSystemException(part.toString(), null, "is being fetched by another program");
        }
    }

    private static Path part(Path target) {
        return target.resolveSibling(target.getFileName() + PART);
    }

    private void begin() throws IOException {
        if (missing.bytes() == missing.length()) {
            note.delete();
            channel.truncate(0);
        } else {
            readProbe();
        }
        save();
    }

    /** Marks the end of the first stored range as missing, to compare it with the bytes that come. */
    private void readProbe() throws IOException {
        long end = missing.isEmpty() ? missing.length() : missing.start(0);
        if (end == 0) {
            end = missing.count() > 1 ? missing.start(1) : missing.length();
        }
        long begin = Math.max(0, end - PROBE_BYTES);
        if (!missing.isEmpty() && missing.start(0) == 0) {
            begin = Math.max(begin, missing.end(0));
        }
        probeStart = begin;
        probe = new byte[(int) (end - begin)];
        if (read(begin, probe, probe.length) < probe.length) {
            throw new IOException(part + " is shorter than its note states");
        }
        missing.add(begin, end);
    }

    private int read(long position, byte[] bytes, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer, position + buffer.position());
            if (count < 0) {
                break;
            }
        }
        return buffer.position();
    }

    /** A copy of the missing ranges. */
    public MissingRanges missing() {
        return missing.copy();
    }

    /** Whether a byte of an earlier run differs from the one received now. */
    public boolean isStale() {
        return isStale;
    }

    private boolean isKept() {
        return Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether there are bytes that are not in the note yet. */
    public boolean isDirty() {
        return isDirty;
    }

    /** Writes bytes at their position; none once they turned out to be of another log than the stored ones. */
    public void write(long position, byte[] bytes, int offset, int length) throws IOException {
        compare(position, bytes, offset, length);
        if (isStale) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        long at = position;
        while (buffer.hasRemaining()) {
            at += channel.write(buffer, at);
        }
        missing.remove(position, position + length);
        isDirty = true;
    }

    private void compare(long position, byte[] bytes, int offset, int length) throws IOException {
        boolean wasStale = isStale;
        long from = Math.max(position, probeStart);
        long to = Math.min(position + length, probeStart + probe.length);
        for (long at = from; at < to; at++) {
            isStale |= probe[(int) (at - probeStart)] != bytes[offset + (int) (at - position)];
        }
        if (isStale && !wasStale) {
            note.delete(); // also a run after a power cut must begin anew
        }
    }

    /** Forces the bytes to disk and updates the note. */
    public void save() throws IOException {
        if (isStale) {
            return; // nothing of it can be used
        }
        force();
        note.write(missing);
        isDirty = false;
        savedBytes = missing.length() - missing.bytes();
    }

    /**
     * The kernel reports an error in writing to the disk only once, and then takes the bytes for stored: after one,
     * nothing more is saved, and the last note stays true.
     */
    private void force() throws IOException {
        if (hasUnforcedBytes) {
            throw new IOException(part + ": bytes of it could not be forced to disk");
        }
        hasUnforcedBytes = true;
        channel.force(false);
        hasUnforcedBytes = false;
    }

    /** How many bytes a later run can use. */
    public long savedBytes() {
        return isKept() ? savedBytes : 0;
    }

    /** The treatment of a file that has the log's name already. */
    public enum Existing {
        /** It stays, and the log does not get its name. */
        STAYS,
        /** The log replaces it atomically. */
        IS_REPLACED
    }

    /**
     * Gives the log its name.
     *
     * @param checksum the vehicle's checksum
     * @throws IOException if it is not complete, has bytes of another log, has another checksum, or a file of that name
     *     exists and stays
     */
    public void finish(OptionalInt checksum, Existing existing) throws IOException {
        if (isStale) {
            discard();
            throw new IOException(part + ": the bytes of an earlier run are of another log, and are not kept");
        }
        if (!missing.isEmpty() || channel.size() != missing.length()) {
            throw new IOException(part + " has " + channel.size() + " of " + missing.length() + " bytes, and "
                    + missing.bytes() + " are missing");
        }
        if (checksum.isPresent()) {
            check(checksum.getAsInt());
        }
        // With a note: if the rename fails, a later run only has to try it again.
        save();
        channel.close();
        if (existing == Existing.IS_REPLACED) {
            disk.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            moveWithoutReplacing();
        }
        note.delete();
        forceDirectory();
    }

    private void check(int theirs) throws IOException {
        int ours = checksum();
        if (ours != theirs) {
            discard();
            throw new IOException(String.format(
                    Locale.ROOT,
                    "checksum %08x, but %08x on the vehicle: the received file is not kept",
                    ours,
                    theirs));
        }
    }

    private int checksum() throws IOException {
        Checksum sum = new Checksum();
        byte[] bytes = new byte[COPY_BYTES];
        long position = 0;
        for (int count = read(0, bytes, bytes.length); count > 0; count = read(position, bytes, bytes.length)) {
            sum.update(bytes, 0, count);
            position += count;
        }
        return sum.value();
    }

    /** A rename replaces a file that was created meanwhile; a link does not, but not every file system has links. */
    private void moveWithoutReplacing() throws IOException {
        try {
            disk.link(target, part);
            disk.delete(part);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(target.toString());
            }
            disk.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void forceDirectory() throws IOException {
        Path directory = target.toAbsolutePath().getParent();
        if (directory != null) {
            try (FileChannel opened = disk.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    /** Closes and deletes all files. */
    void discard() throws IOException {
        try (channel) {
            isDirty = false;
            note.delete();
            disk.delete(part);
        }
    }

    /** Saves the bytes; deletes those of another log. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            try (channel) {
                if (isStale) {
                    discard();
                } else if (isDirty && !hasUnforcedBytes) {
                    saveAtLast();
                }
            }
        }
    }

    /** On a full disk the last bytes are given up for the note; else all bytes since the last note would be lost. */
    private void saveAtLast() throws IOException {
        try {
            save();
        } catch (IOException e) {
            if (hasUnforcedBytes) {
                throw e;
            }
            long end = Math.max(0, channel.size() - GIVEN_BACK_BYTES);
            channel.truncate(end);
            if (end < missing.length()) {
                missing.add(end, missing.length());
            }
            save();
        }
    }

    /**
     * The checksum that CalcFileCRC32 returns: the polynomial of CRC-32, but starting with zero and not inverted at the
     * end, as both autopilots compute it.
     */
    public static final class Checksum {
        private static final int POLYNOMIAL = 0xEDB8_8320;
        private static final int[] TABLE = table();

        private int value;

        private static int[] table() {
            int[] table = new int[256];
            for (int i = 0; i < table.length; i++) {
                int crc = i;
                for (int bit = 0; bit < Byte.SIZE; bit++) {
                    crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
                }
                table[i] = crc;
            }
            return table;
        }

        public void update(byte[] bytes, int offset, int length) {
            int crc = value;
            for (int i = offset; i < offset + length; i++) {
                crc = TABLE[(crc ^ bytes[i]) & 0xFF] ^ (crc >>> Byte.SIZE);
            }
            value = crc;
        }

        public int value() {
            return value;
        }
    }
}
