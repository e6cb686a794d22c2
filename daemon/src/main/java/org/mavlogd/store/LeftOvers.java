package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.StreamFacts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unfinished files of earlier runs. Each is looked through: if its stream may still run it waits for that with the
 * {@link LeftOverTickets}, else the {@link LeftOverMender} finishes it. Only files that are there when this begins are touched.
 * Owned by the keeper's thread.
 */
final class LeftOvers {
    private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);
    // An ArduPilot's formats, units and parameters take 75 KiB. What is told later is read when it is needed.
    private static final long BLOCKS_HEAD_BYTES = 256 << 10;
    private static final int MIN_PLAIN_BYTES = 1 << 20;
    private static final int MEAN_CHUNK_BYTES = 249;
    private static final long NO_TIME = -1;

    private final Disk disk;
    private final HostClock clock;
    private final LeftOverBoard board;
    private final LeftOverListing listing;
    private final LeftOverMender mender;
    private final LeftOverTickets tickets;
    private final Deque<LeftOverFile> toScan = new ArrayDeque<>();
    private boolean begun;
    private @Nullable Looking looking;

    /** A file that is being looked through. */
    private record Looking(LeftOverFile found, Disk.Access file, LeftOverScan scan) {}

    LeftOvers(Disk disk, Keeper.Restart restart, Keeper.FinishedListener listener) {
        this.disk = disk;
        this.clock = restart.clock();
        this.board = restart.board();
        this.listing = new LeftOverListing(disk, clock);
        this.mender = new LeftOverMender(disk, restart, listener);
        this.tickets = new LeftOverTickets(disk, board, mender);
    }

    /** Does a little of what is to be done; returns whether there was something. */
    boolean work(long nowNs) {
        if (!begun) {
            begun = true;
            list();
            return true;
        }
        boolean worked = scan(nowNs) || tickets.settle(nowNs);
        return tickets.readPast() || worked;
    }

    /** The end: nothing may be left over. Links and recorder have ended. */
    void close() {
        while (scan(clock.monotonic().nanoTime())) {
            // until all files are looked through
        }
        tickets.close();
    }

    /** The file is about to be renamed or deleted. */
    void letGo(String unfinishedName) {
        tickets.letGo(unfinishedName);
    }

    /** A file of this run is complete, and not yet renamed. */
    void finishing(String stem) {
        tickets.finishing(stem);
    }

    private void list() {
        try {
            for (LeftOverFile file : listing.files()) {
                toScan.add(file);
                if (file.isCandidate()) {
                    board.expect(file.systemId());
                }
            }
        } catch (IOException e) {
            LOG.error("{}: unfinished logs of an earlier run are left as they are: {}", disk.location(), Reason.of(e));
        }
        board.listed();
    }

    private boolean scan(long nowNs) {
        Looking current = looking;
        if (current == null) {
            LeftOverFile next = toScan.poll();
            if (next == null) {
                return false;
            }
            begin(next);
            return true;
        }
        try {
            if (!current.scan().step()) {
                looking = null;
                scanned(current, nowNs);
            }
        } catch (IOException e) {
            looking = null;
            unreadable(current.found(), current.file(), Reason.of(e));
        }
        return true;
    }

    private void begin(LeftOverFile found) {
        try {
            Disk.Access file = disk.open(found.unfinishedName());
            try {
                if (found.kind() == LogKind.BIN) {
                    foundBlocks(found, file, clock.monotonic().nanoTime());
                    return;
                }
                looking = new Looking(found, file, new LeftOverScan(file, plain(found)));
            } catch (IOException e) {
                unreadable(found, file, Reason.of(e));
            }
        } catch (IOException e) {
            unreadable(found, null, Reason.of(e));
        }
    }

    /** After a loss of power not all of it need be as it was written, and no stream waits. */
    private StreamMark.Stretch plain(LeftOverFile found) {
        return found.note()
                .filter(note -> found.isCandidate() && note.isOfBoot(clock.bootId()))
                .map(note -> note.mark().plain())
                .filter(plain -> plain.from() > 0 && plain.length() >= MIN_PLAIN_BYTES)
                .orElse(StreamMark.Stretch.NONE);
    }

    /** Blocks are whole or not there, and need no scan but for zeros at the end. */
    private void foundBlocks(LeftOverFile found, Disk.Access file, long nowNs) throws IOException {
        long blocks = LeftOverBlocks.count(file);
        long bytes = blocks * BlockView.DATA_LENGTH;
        if (!found.isCandidate() || blocks == 0 || blocks > Integer.MAX_VALUE) {
            noTicket(found);
            mender.finish(found, file, bytes, NO_TIME);
            return;
        }
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(bytes, BLOCKS_HEAD_BYTES));
        file.read(0, head);
        List<Long> missing = LeftOverBlocks.missing(file, blocks);
        LeftOverMender.close(file);
        ByteBuffer first = head.flip().duplicate().limit(BlockView.DATA_LENGTH);
        StreamMark.Stream stream = found.note().orElseThrow().mark().stream();
        StreamFacts facts = new StreamFacts(
                stream.systemId(),
                stream.componentId(),
                BlockHash.of(first),
                0,
                (int) (blocks - 1),
                lastChunkNs(found.note().orElseThrow(), nowNs),
                stream.chunksPerSecond(),
                stream.logUs(),
                stream.usPerSecond(),
                NO_TIME,
                0,
                missing,
                new KnownTopics.Collector().topics());
        tickets.open(found, new LeftOverLog(found.stem(), bytes, head, new ResumeTicket(facts)), NO_TIME, nowNs);
    }

    /** When the last chunk that was noted came, on this run's clock. */
    private long lastChunkNs(StreamNote note, long nowNs) {
        long notedNs = nowNs - note.ageNs(clock);
        return notedNs - (note.monotonicNs() - note.mark().stream().sequenceNs());
    }

    /** What cannot be read now may be readable next time: it stays as it is. */
    private void unreadable(LeftOverFile found, Disk.@Nullable Access file, String reason) {
        LOG.error("{}: left as it is: {}", found.unfinishedName(), reason);
        if (file != null) {
            LeftOverMender.close(file);
        }
        noTicket(found);
    }

    private void noTicket(LeftOverFile found) {
        if (found.isCandidate()) {
            board.none(found.systemId());
        }
    }

    private void scanned(Looking done, long nowNs) throws IOException {
        LeftOverScan scan = done.scan();
        LeftOverFile found = done.found();
        if (!found.isCandidate() || !scan.isResumable()) {
            noTicket(found);
            mender.finish(found, done.file(), scan.wholeBytes(), scan.endUs());
            return;
        }
        LeftOverMender.close(done.file());
        StreamFacts facts = facts(found.note().orElseThrow(), scan, nowNs);
        LeftOverLog log = new LeftOverLog(found.stem(), scan.wholeBytes(), scan, new ResumeTicket(facts));
        tickets.open(found, log, scan.endUs(), nowNs);
    }

    private StreamFacts facts(StreamNote note, LeftOverScan scan, long nowNs) throws IOException {
        StreamMark.Stream stream = note.mark().stream();
        long sequenceNs = lastChunkNs(note, nowNs);
        long unnoted = Math.floorDiv(scan.wholeBytes() - note.mark().fileBytes(), MEAN_CHUNK_BYTES);
        return new StreamFacts(
                stream.systemId(),
                stream.componentId(),
                scan.headerLow(),
                scan.headerHigh(),
                stream.sequence(),
                sequenceNs,
                stream.chunksPerSecond(),
                stream.logUs(),
                stream.usPerSecond(),
                scan.lastUs(),
                unnoted,
                List.of(),
                scan.topics());
    }
}
