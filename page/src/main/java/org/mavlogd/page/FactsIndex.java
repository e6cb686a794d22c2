package org.mavlogd.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;

/**
 * The {@link Facts} of logs, read in the background, one log at a time and the newest first, and kept in a file, which is made
 * again when it is missing or damaged. A log that changed has none until it has been read again. Of logs that are being recorded it
 * reads what is new each time the list is asked for; these facts are not kept. Asked by any thread.
 */
final class FactsIndex implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(FactsIndex.class.getName());
    private static final int MAX_FACTS_BYTES = 4096;
    private static final int KEY_LENGTH = 32;
    private static final int SUM_LENGTH = 8;
    private static final int HEAD_LENGTH = KEY_LENGTH + SUM_LENGTH;
    private static final long STOP_MS = 2000;
    // Each needs 1 MB.
    private static final int MAX_GROWING = 4;

    private final Path file;
    private final Map<String, byte[]> facts = new ConcurrentHashMap<>();
    // By what the files of a log have in common: the vehicle's own log and the ULog made of it are one flight.
    private final Map<String, byte[]> recorded = new ConcurrentHashMap<>();
    // Owned by the reader.
    private final Map<Path, Facts.OfGrowing> growing = new HashMap<>();
    private volatile List<Entry> wanted = List.of();
    private final AtomicLong lists = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Thread reader = new Thread(this::run, "page-facts");

    FactsIndex(Path file) {
        this.file = file;
        reader.setDaemon(true);
    }

    void start() {
        reader.start();
    }

    /** Facts as an object in JSON; empty while they are not known. */
    Optional<byte[]> of(Entry log) {
        return Optional.ofNullable(
                log.state() == State.RECORDING ? recorded.get(LogName.logOf(log.name())) : facts.get(key(log)));
    }

    /** Takes all logs that there are: what is not known of them is read. */
    void want(List<Entry> logs) {
        wanted = logs;
        lists.incrementAndGet();
        LockSupport.unpark(reader);
    }

    /** How many of the logs that were asked for are not known yet. */
    long missing() {
        return wanted.stream().filter(this::isMissing).count();
    }

    private boolean isMissing(Entry log) {
        return log.state() != State.RECORDING && !facts.containsKey(key(log));
    }

    private static String key(Entry log) {
        return Digests.hex(log.file().toAbsolutePath() + "\n" + log.bytes() + "\n" + log.modifiedMs());
    }

    private void run() {
        load();
        long seen = 0;
        Iterator<Entry> missing = Collections.emptyIterator();
        while (!isClosed.get()) {
            // One look through all logs for each list, not for each log.
            long number = lists.get();
            if (number != seen) {
                seen = number;
                readGrowing(wanted);
                missing = wanted.stream()
                        .filter(this::isMissing)
                        .sorted(Comparator.comparingLong(Entry::modifiedMs).reversed())
                        .toList()
                        .iterator();
            }
            if (missing.hasNext()) {
                read(missing.next());
            } else {
                LockSupport.park(this);
            }
        }
    }

    /** The newest of those that are being recorded. */
    private void readGrowing(List<Entry> logs) {
        List<Entry> now = logs.stream()
                .filter(log -> log.state() == State.RECORDING && log.kind() == LogKind.ULG)
                .sorted(Comparator.comparing(Entry::name).reversed())
                .limit(MAX_GROWING)
                .toList();
        growing.keySet().retainAll(now.stream().map(Entry::file).toList());
        recorded.keySet()
                .retainAll(now.stream().map(log -> LogName.logOf(log.name())).toList());
        for (Entry log : now) {
            reading(log, this::more).ifPresent(found -> recorded.put(LogName.logOf(log.name()), found));
        }
    }

    private byte[] more(Path log) throws IOException {
        Facts.OfGrowing known = growing.remove(log);
        Facts.OfGrowing reading = known != null && known.isOf(log) ? known : new Facts.OfGrowing(log, this::isOpen);
        byte[] found = reading.read(log);
        growing.put(log, reading);
        return found;
    }

    private void read(Entry log) {
        reading(log, file -> Facts.read(file, this::isOpen)).ifPresent(found -> {
            facts.put(key(log), found);
            append(key(log), found);
        });
    }

    private boolean isOpen() {
        return !isClosed.get();
    }

    /** What a reading gives, or why it gave nothing; empty if it is not wanted any more. */
    private Optional<byte[]> reading(Entry log, LogSource.Reading<byte[]> reading) {
        try {
            return Optional.of(reading.read(log.file()));
        } catch (IOException e) {
            return isClosed.get() ? Optional.empty() : Optional.of(unread("cannot be read: " + e.getMessage()));
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.log(Level.SEVERE, "internal error with " + log.file() + ", please report this", e);
            return Optional.of(unread("cannot be read: internal error"));
        }
    }

    private static byte[] unread(String damage) {
        return Json.object(json -> {
            Facts.writeUnread(json);
            json.writeStringField("damage", damage);
        });
    }

    private void load() {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line; (line = lines.readLine()) != null; ) {
                take(line);
            }
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} is created again: {1}", new Object[] {file, e.getMessage()});
        }
        rewrite();
    }

    private void take(String line) {
        if (line.length() <= HEAD_LENGTH || line.length() > HEAD_LENGTH + MAX_FACTS_BYTES) {
            return;
        }
        String key = line.substring(0, KEY_LENGTH);
        byte[] found = line.substring(HEAD_LENGTH).getBytes(StandardCharsets.ISO_8859_1);
        if (line.startsWith(sum(key, found), KEY_LENGTH) && facts.size() < Catalogue.MAX_LOGS) {
            facts.put(key, found);
        }
    }

    /** Without lines that are damaged. Those of logs that are gone are left out when there are many. */
    private void rewrite() {
        Path making = file.resolveSibling(file.getFileName() + ".making");
        try {
            try (OutputStream out = Files.newOutputStream(making)) {
                for (Map.Entry<String, byte[]> known : facts.entrySet()) {
                    out.write(line(known.getKey(), known.getValue()));
                }
            }
            Files.move(making, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be written: {1}", new Object[] {file, e.getMessage()});
        }
    }

    private void append(String key, byte[] found) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, line(key, found), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be written: {1}", new Object[] {file, e.getMessage()});
        }
    }

    private static byte[] line(String key, byte[] found) {
        String text = key + sum(key, found) + new String(found, StandardCharsets.ISO_8859_1) + "\n";
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String sum(String key, byte[] found) {
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(StandardCharsets.ISO_8859_1));
        sum.update(found);
        return String.format("%08x", sum.getValue());
    }

    @Override
    public void close() {
        isClosed.set(true);
        LockSupport.unpark(reader);
        try {
            reader.join(STOP_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
