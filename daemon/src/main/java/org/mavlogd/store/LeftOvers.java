package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.BlockHash;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.feed.StreamFacts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unfinished files of earlier runs. Those whose stream may still run wait for it as tickets on the {@link LeftOverBoard};
 * all others are cut after their last whole message, get what is known of the crash, and are finished. Only files that are
 * there when this begins are touched. Owned by the keeper's thread.
 */
final class LeftOvers {
    private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);
    private static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(10);
    // An ArduPilot gives up a stream that nobody acknowledged for 10 s; one that is idle is not left.
    private static final long MAX_LEFT_AGE_NS = TimeUnit.SECONDS.toNanos(15);
    // An ArduPilot's formats, units and parameters take 75 KiB. What is told later is read when it is needed.
    private static final long BLOCKS_HEAD_BYTES = 256 << 10;
    private static final long TICKET_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int MIN_PLAIN_BYTES = 1 << 20;
    private static final int MEAN_CHUNK_BYTES = 249;
    private static final long NOT_APPENDED = -1;
    private static final long NO_TIME = -1;

    private final Disk disk;
    private final HostClock clock;
    private final LeftOverBoard board;
    private final CrashReport.Source crashes;
    private final Keeper.FinishedListener listener;
    private final Deque<Found> toScan = new ArrayDeque<>();
    private final List<Ticketed> tickets = new ArrayList<>();
    private boolean begun;
    private @Nullable Looking looking;
    private @Nullable PastScan past;

    /** A file that was there, with its note if that can be read. */
    private record Found(String stem, LogKind kind, Optional<StreamNote> note, boolean isCandidate) {
        String unfinishedName() {
            return kind.unfinished(stem);
        }

        String finishedName() {
            return kind.finished(stem);
        }
    }

    /** A file that is being looked through. */
    private record Looking(Found found, Disk.Access file, LeftOverScan scan) {}

    /** A file that waits for its stream. */
    private record Ticketed(Found found, LeftOverLog log, long lastUs, long openedNs) {}

    LeftOvers(Disk disk, Keeper.Restart restart, Keeper.FinishedListener listener) {
        this.disk = disk;
        this.clock = restart.clock();
        this.board = restart.board();
        this.crashes = restart.crashes();
        this.listener = listener;
    }

    /** Does a little of what is to be done; returns whether there was something. */
    boolean work(long nowNs) {
        if (!begun) {
            begun = true;
            list();
            return true;
        }
        boolean worked = scan(nowNs) || settle(nowNs);
        return readPast() || worked;
    }

    /** A recording goes on and must know what its log had told; one at a time. */
    private boolean readPast() {
        PastScan current = past;
        if (current == null) {
            for (int i = 0; i < tickets.size() && past == null; i++) {
                LeftOverLog log = tickets.get(i).log();
                past = log.isPastNeeded() ? new PastScan(disk, log) : null;
            }
            return past != null;
        }
        past = current.step() ? current : null;
        return true;
    }

    /** The end: nothing may be left over. Links and recorder have ended. */
    void close() {
        while (scan(clock.monotonic().nanoTime())) {
            // until all files are looked through
        }
        for (Ticketed ticketed : List.copyOf(tickets)) {
            if (ticketed.log().ticket().state() != ResumeTicket.State.RESUMED) {
                finish(ticketed);
            }
        }
        tickets.clear();
    }

    private void list() {
        try {
            sort(disk.list());
        } catch (IOException e) {
            LOG.error("{}: unfinished logs of an earlier run are left as they are: {}", disk.location(), Reason.of(e));
        }
        board.listed();
    }

    private void sort(List<Disk.Entry> entries) {
        List<Found> found = new ArrayList<>();
        Set<String> stems = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Disk.Entry entry : entries) {
            names.add(entry.name());
            LogName.unfinishedStem(entry.name()).ifPresent(stem -> {
                stems.add(stem);
                found.add(unfinished(stem, LogKind.of(entry.name()).orElseThrow()));
            });
        }
        for (Disk.Entry entry : entries) {
            LogName.noteStem(entry.name())
                    .filter(stem -> !stems.contains(stem))
                    .ifPresent(stem ->
                            left(stem, names).ifPresentOrElse(found::add, () -> StreamNotes.delete(disk, stem)));
        }
        // Streams that may run wait; of several files of a vehicle only the newest can be that of its stream.
        found.sort(Comparator.comparing(Found::isCandidate)
                .reversed()
                .thenComparing(LeftOvers::epochMs, Comparator.reverseOrder())
                .thenComparing(Found::stem));
        Set<Integer> vehicles = new HashSet<>();
        for (Found file : found) {
            boolean newest = file.isCandidate() && vehicles.add(LogName.systemId(file.stem()));
            toScan.add(new Found(file.stem(), file.kind(), file.note(), newest));
        }
        vehicles.forEach(board::expect);
    }

    private Found unfinished(String stem, LogKind kind) {
        Optional<StreamNote> note = StreamNotes.read(disk, stem);
        boolean isCandidate = note.filter(n -> isFresh(n, stem, MAX_AGE_NS)).isPresent();
        return new Found(stem, kind, note, isCandidate);
    }

    /** A file that was finished although its stream went on, moments ago: until that shows, it is unfinished again. */
    private Optional<Found> left(String stem, Set<String> names) {
        String finished = LogKind.BIN.finished(stem);
        Optional<StreamNote> note = StreamNotes.read(disk, stem).filter(n -> isFresh(n, stem, MAX_LEFT_AGE_NS));
        if (note.isEmpty() || !names.contains(finished)) {
            return Optional.empty();
        }
        try {
            disk.rename(finished, LogKind.BIN.unfinished(stem));
            return Optional.of(new Found(stem, LogKind.BIN, note, true));
        } catch (IOException e) {
            LOG.warn("{}: not continued: {}", finished, Reason.of(e));
            return Optional.empty();
        }
    }

    private static long epochMs(Found found) {
        return found.note().map(StreamNote::epochMs).orElse(0L);
    }

    private boolean isFresh(StreamNote note, String stem, long maxAgeNs) {
        long ageNs = note.ageNs(clock);
        boolean goesOn = note.mark().stream().fate() != StreamMark.Fate.ENDS;
        return goesOn && ageNs >= 0 && ageNs <= maxAgeNs && note.mark().stream().systemId() == LogName.systemId(stem);
    }

    private boolean scan(long nowNs) {
        Looking current = looking;
        if (current == null) {
            Found next = toScan.poll();
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

    private void begin(Found found) {
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
    private StreamMark.Stretch plain(Found found) {
        return found.note()
                .filter(note -> found.isCandidate() && isOfThisBoot(note))
                .map(note -> note.mark().plain())
                .filter(plain -> plain.from() > 0 && plain.length() >= MIN_PLAIN_BYTES)
                .orElse(StreamMark.Stretch.NONE);
    }

    private boolean isOfThisBoot(StreamNote note) {
        return !note.bootId().isEmpty() && note.bootId().equals(clock.bootId());
    }

    /** Blocks are whole or not there, and need no scan but for zeros at the end. */
    private void foundBlocks(Found found, Disk.Access file, long nowNs) throws IOException {
        long blocks = LeftOverBlocks.count(file);
        long bytes = blocks * BlockView.DATA_LENGTH;
        if (!found.isCandidate() || blocks == 0 || blocks > Integer.MAX_VALUE) {
            noTicket(found);
            finish(found, file, bytes, NO_TIME);
            return;
        }
        ByteBuffer head = ByteBuffer.allocate((int) Math.min(bytes, BLOCKS_HEAD_BYTES));
        file.read(0, head);
        List<Long> missing = LeftOverBlocks.missing(file, blocks);
        close(file);
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
        LeftOverLog log = new LeftOverLog(found.stem(), bytes, head, new ResumeTicket(facts));
        tickets.add(new Ticketed(found, log, NO_TIME, nowNs));
        board.put(facts.systemId(), log);
    }

    /** When the last chunk that was noted came, on this run's clock. */
    private long lastChunkNs(StreamNote note, long nowNs) {
        long notedNs = nowNs - note.ageNs(clock);
        return notedNs - (note.monotonicNs() - note.mark().stream().sequenceNs());
    }

    /** What cannot be read now may be readable next time: it stays as it is. */
    private void unreadable(Found found, Disk.@Nullable Access file, String reason) {
        LOG.error("{}: left as it is: {}", found.unfinishedName(), reason);
        close(file);
        noTicket(found);
    }

    private void noTicket(Found found) {
        if (found.isCandidate()) {
            board.none(LogName.systemId(found.stem()));
        }
    }

    private void scanned(Looking done, long nowNs) throws IOException {
        LeftOverScan scan = done.scan();
        Found found = done.found();
        if (!found.isCandidate() || !scan.isResumable()) {
            noTicket(found);
            finish(found, done.file(), scan.wholeBytes(), scan.endUs());
            return;
        }
        close(done.file());
        StreamFacts facts = facts(found.note().orElseThrow(), scan, nowNs);
        LeftOverLog log = new LeftOverLog(found.stem(), scan.wholeBytes(), scan, new ResumeTicket(facts));
        tickets.add(new Ticketed(found, log, scan.endUs(), nowNs));
        board.put(facts.systemId(), log);
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

    /** Sees what became of the tickets. */
    private boolean settle(long nowNs) {
        for (int i = 0; i < tickets.size(); i++) {
            Ticketed ticketed = tickets.get(i);
            ResumeTicket ticket = ticketed.log().ticket();
            if (nowNs - ticketed.openedNs() >= TICKET_NS) {
                ticket.drop();
            }
            ResumeTicket.State state = ticket.state();
            if (state == ResumeTicket.State.DROPPED) {
                tickets.remove(i);
                finish(ticketed);
                return true;
            }
        }
        return false;
    }

    private void finish(Ticketed ticketed) {
        Found found = ticketed.found();
        try {
            Disk.Access file = disk.open(ticketed.log().unfinishedName());
            finish(found, file, ticketed.log().bytes(), ticketed.lastUs());
        } catch (IOException e) {
            unreadable(found, null, Reason.of(e));
        }
    }

    /** Everything in it stands elsewhere, and no stream goes on in it. */
    private boolean removeSpare(Found found, Disk.Access file) {
        boolean isSpare = found.note()
                .filter(note -> note.mark().stream().fate() == StreamMark.Fate.SPARE)
                .isPresent();
        if (!isSpare) {
            return false;
        }
        close(file);
        try {
            disk.delete(found.unfinishedName());
            StreamNotes.delete(disk, found.stem());
            LOG.info("{}: removed, its ULog has everything", found.unfinishedName());
        } catch (IOException e) {
            LOG.warn("{}: not removed: {}", found.unfinishedName(), Reason.of(e));
        }
        return true;
    }

    private void finish(Found found, Disk.Access file, long wholeBytes, long lastUs) {
        if (removeSpare(found, file)) {
            return;
        }
        String name = found.finishedName();
        long cut = 0;
        long appended = 0;
        long bytes = wholeBytes;
        try {
            cut = file.length() - wholeBytes;
            if (cut > 0) {
                file.truncate(wholeBytes);
            }
            appended = wholeBytes > 0 && found.kind() == LogKind.ULG ? append(found, file, report(found), lastUs) : 0;
            if (appended == 0 && cut > 0) {
                file.force();
            }
            bytes = file.length();
        } catch (IOException e) {
            LOG.error("{}: not mended: {}", name, Reason.of(e));
        }
        close(file);
        rename(found, name, bytes, cut, appended);
    }

    /**
     * What is known of the run's end. Lines alone count only when the run died while the computer lived: to switch off is
     * how most flights end, and logs with crash data are kept for ever.
     */
    private CrashReport report(Found found) {
        CrashReport report = crashes.report(
                found.note().map(StreamNote::processId).orElse(-1L),
                found.note().map(StreamNote::epochMs).orElse(-1L));
        boolean sameBoot = found.note().filter(this::isOfThisBoot).isPresent();
        return sameBoot || !report.text().isEmpty() ? report : CrashReport.NONE;
    }

    /** A log without crash data is better than none. What is appended is forced. */
    private static long append(Found found, Disk.Access file, CrashReport report, long lastUs) {
        try {
            return CrashSection.append(file, report, found.note(), lastUs);
        } catch (IOException e) {
            LOG.warn("{}: no crash data appended: {}", found.finishedName(), Reason.of(e));
            return NOT_APPENDED;
        }
    }

    private void rename(Found found, String name, long bytes, long cut, long appended) {
        String unfinished = found.unfinishedName();
        try {
            if (bytes == 0) {
                disk.delete(unfinished);
                LOG.info("{}: removed, it is empty", unfinished);
            } else {
                disk.rename(unfinished, name);
                if (cut > 0 || found.kind() == LogKind.ULG) {
                    LOG.info(
                            "{}: recovered after a crash: cut {} bytes, appended {} bytes of crash data",
                            name,
                            cut,
                            Math.max(0, appended));
                } else {
                    LOG.info("{}: finished as an earlier run left it, {} bytes", name, bytes);
                }
                listener.onFinished(name, bytes);
            }
            if (found.note().isPresent()) {
                StreamNotes.delete(disk, found.stem());
            }
        } catch (IOException e) {
            LOG.error("{} keeps its unfinished name: {}", unfinished, Reason.of(e));
        }
    }

    /** The file is about to be renamed or deleted. */
    void letGo(String unfinishedName) {
        PastScan current = past;
        if (current != null && current.unfinishedName().equals(unfinishedName)) {
            current.close();
            past = null;
        }
    }

    /** A file that went on is complete, and not yet renamed: it gets the crash file of the run before, if there is one. */
    void finishing(String stem) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).found().stem().equals(stem)) {
                finishing(tickets.remove(i));
                return;
            }
        }
    }

    private void finishing(Ticketed ticketed) {
        if (StreamNotes.read(disk, ticketed.found().stem()).isPresent()) {
            StreamNotes.delete(disk, ticketed.found().stem()); // nothing came since, so it was never replaced
        }
        CrashReport report = report(ticketed.found());
        if (report.text().isEmpty() || ticketed.found().kind() != LogKind.ULG) {
            return;
        }
        try {
            Disk.Access file = disk.open(ticketed.log().unfinishedName());
            append(ticketed.found(), file, report, ticketed.lastUs());
            close(file);
        } catch (IOException e) {
            LOG.warn("{}: no crash data appended: {}", ticketed.log().fileName(), Reason.of(e));
        }
    }

    private static void close(Disk.@Nullable Access file) {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("close: {}", Reason.of(e));
        }
    }
}
