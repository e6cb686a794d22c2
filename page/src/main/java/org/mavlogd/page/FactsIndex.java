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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;

/**
 * The {@link Facts} of logs, read in the background, one log at a time and the newest first. They are kept in a file,
 * which is rebuilt when it is missing or damaged. A changed log has none until it has been read again. Whenever the
 * list is requested, new data of current recordings is read first. Queried by any thread.
 */
final class FactsIndex implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(FactsIndex.class.getName());
    private static final int MAX_FACTS_BYTES = 4096;
    private static final int KEY_LENGTH = 32;
    private static final int SUM_LENGTH = 8;
    private static final int HEAD_LENGTH = KEY_LENGTH + SUM_LENGTH;
    /** Some hundred bytes of heap each. */
    private static final int KEPT_GONE = 2000;

    /** A log that could not be read is tried again after this time, if the list is requested. */
    static final long UNREAD_NS = TimeUnit.MINUTES.toNanos(1);

    private static final long STOP_MS = 2000;

    private final Path file;
    private final LongSupplier nanoTime;
    private final Map<String, byte[]> facts = new ConcurrentHashMap<>();
    private final Map<String, Unread> unread = new ConcurrentHashMap<>();
    private final GrowingFacts growing = new GrowingFacts(this::isOpen);
    private volatile List<Entry> wanted = List.of();
    private final AtomicLong lists = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Thread reader = new Thread(this::run, "page-facts");

    /** The facts of a log that could not be read then. */
    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    private record Unread(byte[] facts, long triedNs) {}

    FactsIndex(Path file) {
        this(file, System::nanoTime);
    }

    FactsIndex(Path file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
        reader.setDaemon(true);
    }

    void start() {
        reader.start();
    }

    /** Facts as a JSON object; empty if unknown. */
    Optional<byte[]> of(Entry log) {
        if (log.state() == State.RECORDING) {
            return growing.of(log);
        }
        String key = key(log);
        return Optional.ofNullable(facts.get(key))
                .or(() -> Optional.ofNullable(unread.get(key)).map(Unread::facts));
    }

    /** Sets all existing logs: unknown facts of them are read. */
    void want(List<Entry> logs) {
        wanted = logs;
        lists.incrementAndGet();
        LockSupport.unpark(reader);
    }

    /** Number of these logs whose facts are unknown. */
    long missing() {
        return wanted.stream().filter(this::isMissing).count();
    }

    private boolean isMissing(Entry log) {
        if (log.state() == State.RECORDING) {
            return false;
        }
        String key = key(log);
        return !facts.containsKey(key) && !isUnreadLately(key);
    }

    private boolean isUnreadLately(String key) {
        Unread known = unread.get(key);
        return known != null && nanoTime.getAsLong() - known.triedNs() < UNREAD_NS;
    }

    private static String key(Entry log) {
        return Digests.hex(log.file().toAbsolutePath() + "\n" + log.bytes() + "\n" + log.modifiedMs());
    }

    private void run() {
        load();
        long seen = 0;
        Iterator<Entry> missing = Collections.emptyIterator();
        while (!isClosed.get()) {
            // One pass over all logs for each list, not for each log.
            long number = lists.get();
            if (number != seen) {
                seen = number;
                forgetGone(wanted);
                growing.read(wanted);
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

    /**
     * Removes facts of deleted logs if there are many. If there is no log at all, a disk may only be missing for a
     * while.
     */
    private void forgetGone(List<Entry> logs) {
        if (!logs.isEmpty() && facts.size() + unread.size() > 2 * logs.size() + KEPT_GONE) {
            Set<String> known = logs.stream().map(FactsIndex::key).collect(Collectors.toSet());
            facts.keySet().retainAll(known);
            unread.keySet().retainAll(known);
            rewrite();
        }
    }

    private void read(Entry log) {
        Facts.read(log.file(), this::isOpen).ifPresent(found -> {
            String key = key(log);
            if (found.isLasting()) {
                facts.put(key, found.json());
                append(key, found.json());
                unread.remove(key);
            } else {
                unread.put(key, new Unread(found.json(), nanoTime.getAsLong()));
            }
        });
    }

    private boolean isOpen() {
        return !isClosed.get();
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
        if (line.contains("\"damage\":\"" + Facts.UNREADABLE)) {
            return; // it may be readable now; earlier versions kept these
        }
        if (line.startsWith(sum(key, found), KEY_LENGTH) && facts.size() < Catalogue.MAX_LOGS) {
            facts.put(key, found);
        }
    }

    /** Rewrites the file without damaged lines. */
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
