package org.mavlogd.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Latest;
import org.mavlogd.text.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of logs that the recorder fetches after flights. It does all disk work, so that no link waits for it.
 *
 * <p>One thread calls {@link #doWork}; links' threads pass commands and read their state. If fetched logs exceed the
 * limit, the oldest are deleted; they never use space that recording needs.
 */
public final class FetchStore implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(FetchStore.class);
    private static final long SAVE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_COMMANDS = 2048;
    /** Reserved for commands that must not be refused. */
    private static final int RESERVED_COMMANDS = 64;

    private static final int BATCH = 256;
    private static final int MAX_FAILED = 32;
    /** Includes marked logs, which {@link FetchedRoom#MAX_LOGS} does not count. */
    private static final int MAX_NAMES = 2 * FetchedRoom.MAX_LOGS;
    /** The step in which room for a file is made, from its first bytes on. */
    static final long CHECK_BYTES = 1 << 20;

    /** The space that recording does not need. */
    @FunctionalInterface
    public interface Room {
        /** Bytes that recording does not need now; negative if it needs more than there is. */
        long spareBytes() throws IOException;

        /** Whether the vehicle was known before this run. */
        default boolean isKnown(int systemId) {
            return true;
        }

        /** Called when a fetched log was deleted to make room. */
        default void onDeleted(long bytes) {}
    }

    /**
     * The contents of the directory.
     *
     * @param failed logs that could not be stored lately, with the reason
     */
    record Names(Set<String> whole, Set<String> parts, Map<String, String> failed) {
        Names {
            whole = Set.copyOf(whole);
            parts = Set.copyOf(parts);
            failed = Map.copyOf(failed);
        }
    }

    /**
     * The copy on this computer of a log on a vehicle's card.
     *
     * @param name of its file, whether or not it exists
     * @param problem why it could not be stored lately; empty without a problem, and while it is fetched again
     */
    public record Stored(String name, boolean isWhole, boolean isPart, String problem) {}

    /**
     * The state of a file that is being fetched.
     *
     * @param missing passed to the caller once, when the file is open
     */
    record State(boolean isOpen, MissingRanges missing, String problem, boolean isStale) {
        static final State NONE = new State(false, MissingRanges.noneOf(0), "", false);
    }

    /** One file; the link's thread reads its state. */
    static final class Ticket {
        private final Latest<State> state = new Latest<>(State.NONE);

        State state() {
            return state.get();
        }
    }

    private final FetchDisk disk;
    private final ContainedPart errors;
    private final Path directory;
    private final Room room;
    private final FetchedRoom fetched;
    private final NanoClock clock;
    private final ManyToOneConcurrentArrayQueue<FetchOrder> mailbox = new ManyToOneConcurrentArrayQueue<>(MAX_COMMANDS);
    private final Latest<Names> names = new Latest<>(new Names(Set.of(), Set.of(), Map.of()));
    private final Map<Ticket, IncomingLog> open = new HashMap<>();
    // The last few.
    private final Map<String, String> failed = new LinkedHashMap<>();
    private boolean isLooked;

    /**
     * Creates no files yet.
     *
     * @param maxTotalBytes of all fetched logs together; 0 for no limit
     */
    public FetchStore(FetchDisk disk, Path directory, Room room, long maxTotalBytes, NanoClock clock) {
        this(disk, directory, room, maxTotalBytes, clock, ContainedPart.unlisted("fetch.store", Recovery.CONTINUES));
    }

    /** The same with a part that contains internal errors; each ends one fetch. */
    public FetchStore(
            FetchDisk disk, Path directory, Room room, long maxTotalBytes, NanoClock clock, ContainedPart errors) {
        this.errors = errors;
        this.disk = disk;
        this.directory = directory;
        this.room = room;
        this.fetched = new FetchedRoom(disk, directory, room, maxTotalBytes);
        this.clock = clock;
    }

    /** Makes a client that fetches the newest log of one vehicle into the directory. Link's thread. */
    public FetchClient client(FetchTarget vehicle, String link) {
        return new StoredFetch(this, vehicle, link, Optional.empty());
    }

    /** Makes a client that fetches these logs of an earlier list. Link's thread. */
    public FetchClient client(FetchTarget vehicle, String link, List<RemoteLog> chosen) {
        return new StoredFetch(this, vehicle, link, Optional.of(chosen));
    }

    /** The state of a log in the directory, when it was last read. Any thread. */
    public Stored stored(FetchTarget vehicle, RemoteLog log) {
        String name = FetchedLogName.withLength(vehicle, log);
        Names now = names.get();
        return new Stored(
                name,
                now.whole().contains(name),
                now.parts().contains(name),
                now.failed().getOrDefault(name, ""));
    }

    Names names() {
        return names.get();
    }

    Path directory() {
        return directory;
    }

    /** Reads the directory again, because another program may have changed it. */
    void lookAgain() {
        hand(new FetchOrder.Look(new Ticket()));
    }

    /** False if it must be tried again. */
    boolean open(Ticket ticket, String name, String log, long length, boolean isAnew) {
        return mailbox.offer(new FetchOrder.Open(ticket, name, log, length, isAnew));
    }

    /** False if there is no room now. */
    boolean write(Ticket ticket, long position, byte[] bytes) {
        return mailbox.remainingCapacity() > RESERVED_COMMANDS
                && mailbox.offer(new FetchOrder.Write(ticket, position, bytes));
    }

    void finish(Ticket ticket, OptionalInt checksum) {
        hand(new FetchOrder.Finish(ticket, checksum));
    }

    void close(Ticket ticket) {
        hand(new FetchOrder.Close(ticket));
    }

    private void hand(FetchOrder command) {
        if (!mailbox.offer(command)) {
            // The file stays incomplete, and is closed with the store.
            LOG.warn("fetch: the disk does not accept data any more");
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

    private void handle(FetchOrder command) {
        try {
            if (command instanceof FetchOrder.Open opening) {
                open(opening);
            } else if (command instanceof FetchOrder.Write write) {
                write(write);
            } else if (command instanceof FetchOrder.Finish finish) {
                finish(finish);
            } else if (command instanceof FetchOrder.Look) {
                look();
            } else {
                shut(command.ticket());
            }
        } catch (Throwable e) {
            fail(command.ticket(), e);
        }
    }

    private void open(FetchOrder.Open opening) throws IOException {
        closeQuietly(opening.ticket());
        disk.createDirectories(directory);
        if (Files.exists(directory.resolve(opening.name()), LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(
                    directory.resolve(opening.name()).toString(), null, "exists already");
        }
        failed.remove(opening.name());
        fetched.check(opening.name(), opening.length(), underWay());
        PartFile part = PartFile.open(
                disk, directory.resolve(opening.name()), opening.log(), opening.length(), opening.isAnew());
        open.put(opening.ticket(), new IncomingLog(part, opening.name(), opening.length(), clock.nanoTime()));
        opening.ticket().state.set(new State(true, part.missing(), "", false));
        look();
    }

    private FetchedRoom.UnderWay underWay() {
        Set<String> logs = new HashSet<>();
        long bytes = 0;
        long expectedBytes = 0;
        long arrivedBytes = 0;
        for (IncomingLog file : open.values()) {
            boolean isKnown = room.isKnown(FetchedLogName.systemId(file.name()));
            logs.add(file.name());
            bytes += isKnown ? file.length() : file.arrivedBytes();
            expectedBytes += isKnown ? file.expectedBytes() : 0;
            arrivedBytes += file.arrivedBytes();
        }
        return new FetchedRoom.UnderWay(logs, bytes, expectedBytes, arrivedBytes);
    }

    private void write(FetchOrder.Write write) throws IOException {
        IncomingLog file = open.get(write.ticket());
        if (file == null) {
            return;
        }
        long step = file.neededBytes(write.length(), CHECK_BYTES);
        if (step > 0) {
            fetched.make(file.name(), step, underWay());
            file.hasRoom(step);
        }
        write.into(file.part());
        file.wrote(write.length());
        if (file.part().isStale() && !write.ticket().state().isStale()) {
            State now = write.ticket().state();
            write.ticket().state.set(new State(true, now.missing(), now.problem(), true));
        }
    }

    private void finish(FetchOrder.Finish finish) throws IOException {
        IncomingLog file = open.get(finish.ticket());
        if (file != null) {
            file.part().finish(finish.checksum(), PartFile.Existing.STAYS);
            open.remove(finish.ticket());
            fetched.arrived(file.name());
            look();
            LOG.info(
                    "fetch: {} is complete{}",
                    directory.resolve(file.name()),
                    finish.checksum().isPresent() ? ", checksum right" : "");
        }
    }

    private void notStored(String name, String why) {
        failed.put(name, why);
        if (failed.size() > MAX_FAILED) {
            failed.remove(failed.keySet().iterator().next());
        }
    }

    /** Closes an incomplete file, to be continued later. */
    private void shut(Ticket ticket) throws IOException {
        IncomingLog file = open.remove(ticket);
        if (file == null) {
            return;
        }
        if (file.arrivedBytes() == 0) {
            file.part().discard(); // a log that is only claimed must not become a file
            return;
        }
        try {
            file.part().close();
        } finally {
            fetched.arrived(FetchedRoom.part(file.name()));
        }
    }

    private void closeQuietly(Ticket ticket) {
        try {
            shut(ticket);
        } catch (IOException e) {
            LOG.debug("fetch: {}", e.toString());
        } catch (Throwable e) {
            errors.contain(e);
        }
    }

    /** Ends one fetch; other fetches and the recording are not affected. */
    private void fail(Ticket ticket, Throwable failure) {
        String problem = failure instanceof IOException io ? Failures.text(directory, io) : failure.toString();
        IncomingLog file = open.get(ticket);
        closeQuietly(ticket);
        if (file != null) {
            notStored(file.name(), problem); // its vehicle may have sent all of it already
            look();
        }
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            LOG.warn("fetch: {}", problem);
        } else {
            errors.contain(failure);
        }
        ticket.state.set(new State(true, MissingRanges.noneOf(0), problem, false));
    }

    private void saveAll() {
        long nowNs = clock.nanoTime();
        for (Map.Entry<Ticket, IncomingLog> entry : List.copyOf(open.entrySet())) {
            if (entry.getValue().isSaveDue(SAVE_NS, nowNs)) {
                save(entry.getKey(), entry.getValue());
            }
        }
    }

    private void save(Ticket ticket, IncomingLog file) {
        try {
            file.part().save();
            file.saved(clock.nanoTime());
        } catch (Throwable e) {
            fail(ticket, e);
        }
    }

    private void look() {
        Set<String> whole = new HashSet<>();
        Set<String> parts = new HashSet<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    String name = String.valueOf(file.getFileName());
                    // Files beyond the limit are not known here, and their logs are fetched again in vain.
                    if (whole.size() + parts.size() < MAX_NAMES
                            && FetchedLogName.isWithLength(FetchedRoom.whole(name))) {
                        (FetchedRoom.isPart(name) ? parts : whole).add(FetchedRoom.whole(name));
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                LOG.warn("fetch: {} cannot be read: {}", directory, e.toString());
            }
        }
        names.set(new Names(whole, parts, failed));
    }

    /** Handles the rest of the commands, and saves incomplete files. */
    @Override
    public void onClose() {
        while (mailbox.drain(this::handle, BATCH) > 0) {
            LOG.debug("fetch: storing the rest of the received data");
        }
        new ArrayList<>(open.keySet()).forEach(this::closeQuietly);
    }
}
