package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.NameChanges;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.mavlogd.tlog.TlogLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the unfinished files of earlier runs. It scans each one: if its stream may still be running, the file waits
 * with the {@link ResumeTickets}, else the {@link LogCompleter} finishes it. Only files that exist at the start are
 * touched. Owned by the keeper's thread.
 */
final class UnfinishedLogs {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedLogs.class);
    // An ArduPilot's formats, units and parameters take 75 KiB. Later definitions are read if they are needed.
    private static final long BLOCKS_HEAD_BYTES = 256 << 10;
    // The last record begins in them.
    private static final int TELEMETRY_TAIL_BYTES = 64 << 10;
    private static final int MIN_PLAIN_BYTES = 1 << 20;
    private static final int MEAN_CHUNK_BYTES = 249;
    // Heap for a log that waits, besides its head.
    private static final int TICKET_BYTES = 16 << 10;
    private static final long NO_TIME = -1;
    // Limits of a scan in one round of the keeper.
    private static final int STEPS = 8;
    private static final long STEPS_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Disk disk;
    private final HostClock clock;
    private final ResumableLogs board;
    private final UnfinishedListing listing;
    private final LogCompleter completer;
    private final ResumeTickets tickets;
    private final ScanNotes scans;
    private final UnreadLogs unread;
    private final MemoryBudget memory;
    private final ContainedPart part;
    private final Deque<UnfinishedListing.File> toScan = new ArrayDeque<>();
    private boolean isListed;
    private @Nullable Looking looking;
    // Of the file that is being scanned; closed and released when it is finished.
    private Disk.@Nullable Access open;
    private @Nullable MemoryShare share;

    /** A file that is being scanned. */
    private record Looking(UnfinishedListing.File found, Scan scan) {}

    UnfinishedLogs(
            Disk disk,
            Restart restart,
            NameChanges names,
            RecoveryCounters counters,
            Keeper.FinishedListener listener) {
        this.disk = disk;
        this.memory = restart.memory();
        this.scans = new ScanNotes(disk);
        this.part = counters.unfinishedLogs;
        this.unread = new UnreadLogs(disk, names, counters);
        this.clock = restart.clock();
        this.board = restart.board();
        this.listing = new UnfinishedListing(disk, clock, memory);
        this.completer = new LogCompleter(disk, restart, names, listener);
        this.tickets = new ResumeTickets(disk, memory, board, completer, unread, part);
    }

    /** Does a limited amount of work; returns whether there was any. */
    boolean work(long nowNs) {
        if (!isListed) {
            list(nowNs);
            return true;
        }
        boolean worked = scan(nowNs) || tickets.settle(nowNs) || listMore(nowNs);
        return tickets.readPast() || worked;
    }

    /** Finishes all listed files, at the end of the program, after links and recorder. */
    void close() {
        while (scan(clock.monotonic().nanoTime())) {
            // until all files are scanned
        }
        listing.noMore();
        tickets.close(clock.monotonic().nanoTime());
    }

    /** The file is about to be renamed or deleted. */
    void letGo(String unfinishedName) {
        tickets.letGo(unfinishedName);
    }

    /** A file of this run is complete, and not yet renamed. */
    void finishing(String stem) {
        tickets.finishing(stem);
    }

    /** Reads more of the directory. Until that is complete, this run creates no files. */
    private void list(long nowNs) {
        isListed = true; // also if this fails
        try {
            List<UnfinishedListing.File> found = listing.first(nowNs);
            if (found == null) {
                isListed = false;
                return;
            }
            for (UnfinishedListing.File file : found) {
                toScan.add(file);
                if (file.isCandidate()) {
                    board.expect(file.systemId());
                }
            }
            board.highestCounter(listing.highestCounter());
        } catch (IOException e) {
            LOG.error("{}: unfinished logs of an earlier run are left as they are: {}", disk.location(), Reason.of(e));
            listing.noMore();
        } catch (Throwable e) {
            LOG.error("{}: unfinished logs of an earlier run are left as they are, internal error", disk.location());
            listing.noMore();
            part.contain(e);
        }
        board.listed();
    }

    /** Lists the next files if there are very many. */
    private boolean listMore(long nowNs) {
        if (!listing.hasMore()) {
            return false;
        }
        try {
            toScan.addAll(listing.more(nowNs));
        } catch (IOException e) {
            LOG.error("{}: some unfinished logs are left for the next start: {}", disk.location(), Reason.of(e));
            listing.noMore();
        }
        return true;
    }

    /** Scans some more of a file. Errors affect only this file. */
    private boolean scan(long nowNs) {
        Looking current = looking;
        UnfinishedListing.File found = current == null ? toScan.poll() : current.found();
        if (found == null) {
            return false;
        }
        try {
            if (current == null) {
                begin(found, nowNs);
            } else if (!steps(current.scan(), nowNs)) {
                looking = null;
                scanned(current, nowNs);
                onScanEnd(found);
            }
        } catch (IOException e) {
            // The file may be readable next time, and stays as it is.
            LOG.error("{}: left as it is: {}", found.unfinishedName(), Reason.of(e));
            giveUp(found);
            onScanEnd(found);
        } catch (Throwable e) {
            giveUp(found);
            unread.add(found, e, nowNs);
        }
        return true;
    }

    /** Runs steps up to a limit of number and time; false when there is nothing left to read. */
    private boolean steps(Scan scan, long nowNs) throws IOException {
        boolean isMore = true;
        for (int i = 0; isMore && (i == 0 || (i < STEPS && clock.monotonic().nanoTime() - nowNs < STEPS_NS)); i++) {
            scans.at(scan.place());
            isMore = scan.step();
        }
        scans.at(ScanNotes.NO_PLACE);
        return isMore;
    }

    private void begin(UnfinishedListing.File found, long nowNs) throws IOException {
        if (scans.isSuspect(found.stem())) {
            noTicket(found);
            unread.add(found, nowNs);
            return;
        }
        // The computer did not end with the previous run, so this log is no more likely to end it now.
        scans.begin(found.stem(), noteOfThisBoot(found).isEmpty());
        Disk.Access file = disk.open(found.unfinishedName());
        open = file;
        MemoryShare ofFile = memory.share(Requester.UNFINISHED_LOG);
        share = ofFile;
        if (found.kind() == LogKind.BIN) {
            looking = new Looking(found, ZerosScan.ofBlocks(file));
        } else if (found.kind() == LogKind.TLOG) {
            looking = new Looking(found, ZerosScan.ofTelemetry(file));
        } else {
            looking = new Looking(found, new UnfinishedScan(file, plain(found), ofFile));
        }
    }

    private void giveUp(UnfinishedListing.File found) {
        looking = null;
        releaseMemory();
        scans.close();
        noTicket(found);
        Disk.Access file = open;
        open = null;
        if (file != null) {
            LogCompleter.close(file);
        }
    }

    /** The file is finished, waits for its stream, or stays as it is. */
    private void onScanEnd(UnfinishedListing.File found) {
        releaseMemory();
        scans.close();
        ScanNotes.delete(disk, found.stem());
    }

    private void releaseMemory() {
        MemoryShare ofFile = share;
        share = null;
        if (ofFile != null) {
            ofFile.close();
        }
    }

    /**
     * The stretch that need not be read. None after a power cut, when the file may differ from what was written, and no
     * stream can continue.
     */
    private StreamMark.Stretch plain(UnfinishedListing.File found) {
        return noteOfThisBoot(found)
                .map(note -> note.mark().plain())
                .filter(plain -> plain.from() > 0 && plain.length() >= MIN_PLAIN_BYTES)
                .orElse(StreamMark.Stretch.NONE);
    }

    /** The note of a file whose stream may run, if the computer has run since; empty otherwise. */
    private Optional<StreamNote> noteOfThisBoot(UnfinishedListing.File found) {
        return found.note().filter(note -> found.isCandidate() && note.isOfBoot(clock.bootId()));
    }

    /** Blocks are complete or missing, and only zeros at the end need a scan. */
    private void foundBlocks(UnfinishedListing.File found, long blocks, long nowNs) throws IOException {
        Disk.Access file = Objects.requireNonNull(open);
        MemoryShare memoryOfFile = Objects.requireNonNull(share);
        long bytes = blocks * BlockView.DATA_LENGTH;
        int headBytes = (int) Math.min(bytes, BLOCKS_HEAD_BYTES);
        if (!found.isCandidate()
                || blocks == 0
                || blocks > Integer.MAX_VALUE
                || !memoryOfFile.reserve(headBytes + TICKET_BYTES)) {
            finish(found, bytes, NO_TIME);
            return;
        }
        ByteBuffer head = ByteBuffer.allocate(headBytes);
        file.read(0, head);
        List<Long> missing = ZerosScan.missing(file, blocks);
        ByteBuffer first = head.flip().duplicate().limit(BlockView.DATA_LENGTH);
        StreamMark.Stream stream = found.note().orElseThrow().mark().stream();
        ResumeTicket.Facts facts = new ResumeTicket.Facts(
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
        open(found, new UnfinishedLog(found.stem(), bytes, head, new ResumeTicket(facts)), NO_TIME, nowNs);
    }

    /** The length up to the end of the last complete record; the full length if there is none. */
    private static long wholeTelemetry(Disk.Access file, long dataEnd) throws IOException {
        // The last record may end with zeros, too.
        long end = Math.min(file.length(), dataEnd + TlogLayout.MAX_RECORD_LENGTH);
        byte[] tail = new byte[(int) Math.min(end, TELEMETRY_TAIL_BYTES)];
        file.read(end - tail.length, ByteBuffer.wrap(tail));
        int whole = TlogLayout.endOfRecords(tail, tail.length == end);
        return whole == TlogLayout.NO_RECORD ? file.length() : end - tail.length + whole;
    }

    /** Offers the file to its stream. */
    private void open(UnfinishedListing.File found, UnfinishedLog log, long endUs, long nowNs) {
        LogCompleter.close(taken());
        MemoryShare kept = Objects.requireNonNull(share);
        share = null;
        tickets.open(found, log, endUs, nowNs, kept);
    }

    private void finish(UnfinishedListing.File found, long wholeBytes, long endUs) {
        noTicket(found);
        completer.finish(found, taken(), wholeBytes, endUs);
    }

    /** The open file, which the caller closes. */
    private Disk.Access taken() {
        Disk.Access file = Objects.requireNonNull(open);
        open = null;
        return file;
    }

    /** When the last noted chunk came, on this run's clock. */
    private long lastChunkNs(StreamNote note, long nowNs) {
        long notedNs = nowNs - note.ageNs(clock);
        return notedNs - (note.monotonicNs() - note.mark().stream().sequenceNs());
    }

    private void noTicket(UnfinishedListing.File found) {
        if (found.isCandidate()) {
            board.none(found.systemId());
        }
    }

    private void scanned(Looking done, long nowNs) throws IOException {
        if (done.scan() instanceof UnfinishedScan scan) {
            foundMessages(done.found(), scan, nowNs);
        } else if (done.scan() instanceof ZerosScan scan) {
            foundEnd(done.found(), scan, nowNs);
        }
    }

    private void foundEnd(UnfinishedListing.File found, ZerosScan scan, long nowNs) throws IOException {
        if (found.kind() == LogKind.TLOG) {
            finish(found, wholeTelemetry(Objects.requireNonNull(open), scan.dataEnd()), NO_TIME);
        } else {
            foundBlocks(found, scan.blocks(), nowNs);
        }
    }

    private void foundMessages(UnfinishedListing.File found, UnfinishedScan scan, long nowNs) throws IOException {
        if (!scan.problem().isEmpty()) {
            LOG.warn("{}: kept as it is, it cannot be read as a log: {}", found.unfinishedName(), scan.problem());
        }
        if (!found.isCandidate() || !scan.isResumable()) {
            finish(found, scan.wholeBytes(), scan.endUs());
            return;
        }
        ResumeTicket.Facts facts = facts(found.note().orElseThrow(), scan, nowNs);
        UnfinishedLog log = new UnfinishedLog(found.stem(), scan.wholeBytes(), scan, new ResumeTicket(facts));
        scan.shrinkMemory();
        open(found, log, scan.endUs(), nowNs);
    }

    private ResumeTicket.Facts facts(StreamNote note, UnfinishedScan scan, long nowNs) throws IOException {
        StreamMark.Stream stream = note.mark().stream();
        long sequenceNs = lastChunkNs(note, nowNs);
        long unnoted = Math.floorDiv(scan.wholeBytes() - note.mark().fileBytes(), MEAN_CHUNK_BYTES);
        return new ResumeTicket.Facts(
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
