package org.mavlogd.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.metrics.Latest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of logs that the recorder fetches after flights. All disk work is done here, so that no link waits for it.
 *
 * <p>An agent: one thread calls {@link #doWork}; links' threads hand over commands and look at what came of them. Of all
 * fetched logs together only so much is kept, the oldest go first; nothing is fetched into the room that recording needs.
 */
public final class FetchStore implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    private static final long SAVE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_COMMANDS = 2048;
    /** Kept for commands that must not be refused. */
    private static final int RESERVED_COMMANDS = 64;

    private static final int BATCH = 256;
    /** After so many bytes of a file it is looked again whether recording needs the room. */
    static final long CHECK_BYTES = 1 << 20;

    /** More than any disk has, and small enough to add to. */
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private static final String PART = ".part";

    /** What recording leaves of the disk. */
    @FunctionalInterface
    public interface Room {
        /** Bytes that recording can do without at this moment; negative when it needs more than there is. */
        long spareBytes() throws IOException;
    }

    /** What is in the directory. */
    record Names(Set<String> whole, Set<String> parts) {
        Names {
            whole = Set.copyOf(whole);
            parts = Set.copyOf(parts);
        }
    }

    /**
     * How a file that is being fetched stands.
     *
     * @param missing handed over once, with the answer to its opening
     */
    record State(boolean isOpen, MissingRanges missing, String problem, boolean isStale) {
        static final State NONE = new State(false, MissingRanges.noneOf(0), "", false);
    }

    /** One file; the link's thread looks at its state. */
    static final class Ticket {
        private final Latest<State> state = new Latest<>(State.NONE);

        State state() {
            return state.get();
        }
    }

    private sealed interface Command {
        Ticket ticket();

        record Open(Ticket ticket, String name, String log, long length, boolean isAnew) implements Command {}

        /** Owns its bytes. */
        final class Write implements Command {
            private final Ticket ticket;
            private final long position;
            private final byte[] bytes;

            Write(Ticket ticket, long position, byte[] bytes) {
                this.ticket = ticket;
                this.position = position;
                this.bytes = bytes;
            }

            @Override
            public Ticket ticket() {
                return ticket;
            }
        }

        record Finish(Ticket ticket, OptionalInt checksum) implements Command {}

        record Close(Ticket ticket) implements Command {}
    }

    /** A file that is open. */
    private static final class OpenFile {
        private final PartFile part;
        private final String name;
        private final long length;
        private long savedNs;
        // Still to come, as far as this run knows; what comes twice counts twice.
        private long expectedBytes;
        private long uncheckedBytes;

        OpenFile(PartFile part, String name, long length, long savedNs) {
            this.part = part;
            this.name = name;
            this.length = length;
            this.savedNs = savedNs;
            this.expectedBytes = part.missing().bytes();
        }

        void wrote(int bytes) {
            expectedBytes = Math.max(0, expectedBytes - bytes);
            uncheckedBytes += bytes;
        }
    }

    private final Path directory;
    private final Room room;
    private final long maxTotalBytes;
    private final NanoClock clock;
    private final ManyToOneConcurrentArrayQueue<Command> mailbox = new ManyToOneConcurrentArrayQueue<>(MAX_COMMANDS);
    private final Latest<Names> names = new Latest<>(new Names(Set.of(), Set.of()));
    private final Map<Ticket, OpenFile> open = new HashMap<>();
    private boolean isLooked;

    /**
     * A store that has made nothing yet.
     *
     * @param maxTotalBytes of all fetched logs together; 0 for no limit
     */
    public FetchStore(Path directory, Room room, long maxTotalBytes, NanoClock clock) {
        this.directory = directory;
        this.room = room;
        this.maxTotalBytes = maxTotalBytes;
        this.clock = clock;
    }

    /** Fetches logs of one vehicle into the directory. Link's thread. */
    public FetchClient client(FetchTarget vehicle, String link) {
        return new StoredFetch(this, vehicle, link);
    }

    Names names() {
        return names.get();
    }

    Path directory() {
        return directory;
    }

    /** False when it must be tried again. */
    boolean open(Ticket ticket, String name, String log, long length, boolean isAnew) {
        return mailbox.offer(new Command.Open(ticket, name, log, length, isAnew));
    }

    /** False when there is no room now. */
    boolean write(Ticket ticket, long position, byte[] bytes) {
        return mailbox.remainingCapacity() > RESERVED_COMMANDS
                && mailbox.offer(new Command.Write(ticket, position, bytes));
    }

    void finish(Ticket ticket, OptionalInt checksum) {
        hand(new Command.Finish(ticket, checksum));
    }

    void close(Ticket ticket) {
        hand(new Command.Close(ticket));
    }

    private void hand(Command command) {
        if (!mailbox.offer(command)) {
            // The file stays as a part, and is closed with the store.
            LOG.warn("fetch: the disk takes nothing any more");
        }
    }

    @Override
    public String roleName() {
        return "fetch";
    }

    @Override
    public int doWork() {
        if (!isLooked) {
            isLooked = true;
            look();
        }
        int done = mailbox.drain(this::handle, BATCH);
        saveAll();
        return done;
    }

    private void handle(Command command) {
        try {
            if (command instanceof Command.Open opening) {
                open(opening);
            } else if (command instanceof Command.Write write) {
                write(write);
            } else if (command instanceof Command.Finish finish) {
                finish(finish);
            } else {
                close(command);
            }
        } catch (IOException | UncheckedIOException e) {
            fail(command.ticket(), String.valueOf(e.getMessage()));
        }
    }

    private void open(Command.Open opening) throws IOException {
        closeQuietly(opening.ticket());
        Files.createDirectories(directory);
        makeRoom(opening.name(), opening.length());
        PartFile part =
                PartFile.open(directory.resolve(opening.name()), opening.log(), opening.length(), opening.isAnew());
        open.put(opening.ticket(), new OpenFile(part, opening.name(), opening.length(), clock.nanoTime()));
        opening.ticket().state.set(new State(true, part.missing(), "", false));
        look();
    }

    /** Deletes the oldest fetched logs until the new one fits; none if that would not help. */
    private void makeRoom(String name, long length) throws IOException {
        List<Path> oldest = fetched(name);
        long total = 0;
        for (Path file : oldest) {
            total += Files.size(file);
        }
        long open = openBytes();
        if (!fits(open, length)) {
            throw new IOException(
                    name + " has " + length + " bytes, and [fetch] max_total_mib allows " + maxTotalBytes + " for all");
        }
        if (spareBytes() + total < length) {
            throw new IOException(name + " has " + length + " bytes, and recording needs the room");
        }
        for (Path file : oldest) {
            if (fits(open + total, length) && spareBytes() >= length) {
                break;
            }
            total -= Files.size(file);
            Files.delete(file);
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".note"));
            LOG.info("fetch: {} is deleted to make room", file);
        }
    }

    /** What those that are being fetched will have in the end. */
    private long openBytes() {
        return open.values().stream().mapToLong(file -> file.length).sum();
    }

    /** Beside recording, and beside what is under way. */
    private long spareBytes() throws IOException {
        long expected =
                open.values().stream().mapToLong(file -> file.expectedBytes).sum();
        return Math.min(room.spareBytes(), ENDLESS) - expected;
    }

    private boolean fits(long total, long length) {
        return maxTotalBytes == 0 || total + length <= maxTotalBytes;
    }

    /** Whole ones, by the time they came, the oldest first; a part of one that is not fetched now counts as well. */
    private List<Path> fetched(String except) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory)) {
            Iterator<Path> each = all.iterator();
            while (each.hasNext()) {
                Path file = each.next();
                String name = String.valueOf(file.getFileName());
                if (FetchedLogName.isWithLength(whole(name)) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.add(file);
                }
            }
        }
        files.removeIf(file ->
                isInUse(file) || whole(String.valueOf(file.getFileName())).equals(except));
        Map<Path, Long> times = new HashMap<>();
        for (Path file : files) {
            times.put(file, Files.getLastModifiedTime(file).toMillis());
        }
        files.sort(Comparator.comparing((Path file) -> times.getOrDefault(file, 0L)));
        return files;
    }

    private static String whole(String name) {
        return name.endsWith(PART) ? name.substring(0, name.length() - PART.length()) : name;
    }

    private boolean isInUse(Path file) {
        String name = whole(String.valueOf(file.getFileName()));
        return open.values().stream().anyMatch(used -> used.name.equals(name));
    }

    private void write(Command.Write write) throws IOException {
        OpenFile file = open.get(write.ticket());
        if (file == null) {
            return;
        }
        file.part.write(write.position, write.bytes, 0, write.bytes.length);
        file.wrote(write.bytes.length);
        if (file.uncheckedBytes >= CHECK_BYTES) {
            file.uncheckedBytes = 0;
            if (room.spareBytes() < 0) {
                throw new IOException(file.name + " is not complete yet: recording needs the room");
            }
        }
        if (file.part.isStale() && !write.ticket().state().isStale()) {
            State now = write.ticket().state();
            write.ticket().state.set(new State(true, now.missing(), now.problem(), true));
        }
    }

    private void finish(Command.Finish finish) throws IOException {
        OpenFile file = open.remove(finish.ticket());
        if (file != null) {
            try (PartFile part = file.part) {
                part.finish(finish.checksum());
            } finally {
                look();
            }
            LOG.info(
                    "fetch: {} is complete{}",
                    directory.resolve(file.name),
                    finish.checksum().isPresent() ? ", checksum right" : "");
        }
    }

    private void close(Command command) throws IOException {
        OpenFile file = open.remove(command.ticket());
        if (file != null) {
            file.part.close();
        }
    }

    private void closeQuietly(Ticket ticket) {
        OpenFile file = open.remove(ticket);
        if (file != null) {
            try {
                file.part.close();
            } catch (IOException e) {
                LOG.debug("fetch: {}", e.toString());
            }
        }
    }

    private void fail(Ticket ticket, String problem) {
        closeQuietly(ticket);
        LOG.warn("fetch: {}", problem);
        ticket.state.set(new State(true, MissingRanges.noneOf(0), problem, false));
    }

    private void saveAll() {
        long nowNs = clock.nanoTime();
        List<Map.Entry<Ticket, OpenFile>> due = open.entrySet().stream()
                .filter(entry -> entry.getValue().part.isDirty() && nowNs - entry.getValue().savedNs >= SAVE_NS)
                .toList();
        for (Map.Entry<Ticket, OpenFile> entry : due) {
            try {
                entry.getValue().part.save();
                entry.getValue().savedNs = clock.nanoTime();
            } catch (IOException | UncheckedIOException e) {
                fail(entry.getKey(), String.valueOf(e.getMessage()));
            }
        }
    }

    private void look() {
        Set<String> whole = new HashSet<>();
        Set<String> parts = new HashSet<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                files.map(file -> String.valueOf(file.getFileName()))
                        .filter(name -> FetchedLogName.isWithLength(whole(name)))
                        .forEach(name -> (name.endsWith(PART) ? parts : whole).add(whole(name)));
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("fetch: {} cannot be read: {}", directory, e.toString());
            }
        }
        names.set(new Names(whole, parts));
    }

    /** Takes what is on its way, and saves what is there. */
    @Override
    public void onClose() {
        while (mailbox.drain(this::handle, BATCH) > 0) {
            LOG.debug("fetch: takes the rest");
        }
        new ArrayList<>(open.keySet()).forEach(this::closeQuietly);
    }
}
