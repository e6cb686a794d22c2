package org.mavlogd.lake.spark;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.lake.LogEntry;

/**
 * The entries of a lake for its logs, in files like those of {@code mavlogd lake build}, on any file system of Hadoop.
 *
 * <p>An entry with the extension {@code .next} announces rows that may be partly in the tables; other entries are
 * complete. One job at a time may change a lake: on a local file system a lock ensures that; elsewhere the later job
 * takes over, and the earlier one stops before its next entry. Only the driver has a ledger; its threads may publish
 * different logs at the same time.
 */
final class Ledger implements Closeable {
    static final String NEXT = ".next";
    /** The file that {@code mavlogd lake build} writes before it changes files. */
    private static final String CHANGE = "change";

    private static final int MAX_ENTRY_BYTES = 16 * 1024 * 1024;

    /** Reads many small files in parallel, and returns them in order. */
    interface Reader {
        /** The contents of files. */
        List<byte[]> read(List<Path> files) throws IOException;
    }

    private final FileSystem files;
    private final Path own;
    private final String job;
    private final @Nullable FileChannel lockFile;
    private final Map<String, LogEntry> byLog = new ConcurrentHashMap<>();
    private final Map<String, LogEntry> unfinished = new TreeMap<>();

    private Ledger(FileSystem files, Path own, String job, @Nullable FileChannel lockFile) {
        this.files = files;
        this.own = own;
        this.job = job;
        this.lockFile = lockFile;
    }

    /**
     * Opens a lake for changes and creates it if needed.
     *
     * @param own name of the directory with the ledger; other kinds of lakes use another one
     * @param job name of this job
     * @throws IOException also if another process of this computer changes it now, or if a directory with other
     *     contents is not a lake
     */
    static Ledger open(FileSystem files, Path lake, String own, String job, Reader reader) throws IOException {
        Path directory = new Path(lake, own);
        if (files.exists(lake) && !files.exists(directory) && files.listStatus(lake).length > 0) {
            throw new IOException(lake + ": not a lake of this kind and not empty; name a new directory");
        }
        if (files.exists(new Path(directory, CHANGE))) {
            throw new IOException(
                    lake + ": a build ended before a change was complete; run mavlogd lake build, which completes it");
        }
        files.mkdirs(new Path(directory, "ledger"));
        FileChannel lockFile = Stores.isLocal(files) ? lock(lake, directory) : null;
        Ledger ledger = new Ledger(files, directory, job, lockFile);
        try {
            ledger.writeWhole(new Path(directory, "job"), job.getBytes(StandardCharsets.UTF_8));
            ledger.load(reader);
            return ledger;
        } catch (IOException | RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private static FileChannel lock(Path lake, Path directory) throws IOException {
        FileChannel channel = FileChannel.open(
                Stores.local(directory).resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // This process has the lock.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(lake + ": another process is changing it; wait until that has ended");
    }

    private void load(Reader reader) throws IOException {
        List<Path> found = new ArrayList<>();
        for (FileStatus file : files.listStatus(new Path(own, "ledger"))) {
            if (file.getPath().getName().startsWith(".")) {
                files.delete(file.getPath(), false);
            } else {
                found.add(file.getPath());
            }
        }
        List<byte[]> contents = reader.read(found);
        for (int i = 0; i < contents.size(); i++) {
            String name = found.get(i).getName();
            LogEntry entry = LogEntry.read(found.get(i).toString(), contents.get(i));
            if (name.endsWith(NEXT)) {
                unfinished.put(name.substring(0, name.length() - NEXT.length()), entry);
            } else {
                byLog.put(entry.log(), entry);
            }
        }
    }

    /** Reads one file, which is small in every lake. */
    static byte[] content(FileSystem files, Path file) throws IOException {
        try (InputStream in = files.open(file)) {
            byte[] content = in.readNBytes(MAX_ENTRY_BYTES + 1);
            if (content.length > MAX_ENTRY_BYTES) {
                throw new IOException(file + ": longer than " + MAX_ENTRY_BYTES + " bytes, which no entry is");
            }
            return content;
        }
    }

    /** Whether rows of this log share files with those of others, as in a merged day. */
    boolean isMerged(String log) {
        Set<String> its = new HashSet<>(entry(log).map(LogEntry::files).orElse(List.of()));
        return byLog.values().stream()
                .anyMatch(other ->
                        !other.log().equals(log) && other.files().stream().anyMatch(its::contains));
    }

    Optional<LogEntry> entry(String log) {
        return Optional.ofNullable(byLog.get(log));
    }

    /** The unfinished entries of an earlier job, by the names of the directories with the staged files. */
    Map<String, LogEntry> unfinished() {
        return unfinished;
    }

    /** Logs by the SHA-256 of their bytes. */
    Map<String, String> logsBySha256() {
        Map<String, String> logs = new HashMap<>();
        for (LogEntry entry : byLog.values()) {
            if (!entry.sha256().isEmpty()) {
                logs.put(entry.sha256(), entry.log());
            }
        }
        return logs;
    }

    Path staging() {
        return new Path(own, "staging");
    }

    Path staged(String name) {
        return new Path(staging(), name);
    }

    /** Marks the staged files as part of the lake, even if the job ends. */
    void begin(LogEntry entry, String staged) throws IOException {
        requireOwner();
        writeWhole(next(staged), entry.bytes());
    }

    /** Marks the log as complete: all its rows are in the tables. */
    void finish(LogEntry entry, String staged) throws IOException {
        Stores.move(files, next(staged), new Path(own, "ledger/" + entry.log()));
        byLog.put(entry.log(), entry);
        discard(List.of(staged));
    }

    /** Deletes staged files. */
    void discard(Collection<String> staged) throws IOException {
        for (String name : staged) {
            files.delete(staged(name), true);
        }
    }

    /** Deletes the files of attempts that did not get into the lake, including those of earlier jobs. */
    void clean() throws IOException {
        requireOwner();
        files.delete(staging(), true);
    }

    private Path next(String staged) {
        return new Path(own, "ledger/" + staged + NEXT);
    }

    private void requireOwner() throws IOException {
        String owner;
        try {
            owner = new String(content(files, new Path(own, "job")), StandardCharsets.UTF_8);
        } catch (FileNotFoundException e) {
            owner = "";
        }
        if (!owner.equals(job)) {
            throw new IOException(own.getParent() + ": another job took over; this one stops");
        }
    }

    /** Writes a file so that readers see it completely or not at all. */
    private void writeWhole(Path file, byte[] content) throws IOException {
        Path temporary = new Path(file.getParent(), "." + file.getName() + ".tmp");
        Stores.write(files, temporary, out -> out.write(content));
        Stores.move(files, temporary, file);
    }

    @Override
    public void close() throws IOException {
        if (lockFile != null) {
            lockFile.close();
        }
    }
}
