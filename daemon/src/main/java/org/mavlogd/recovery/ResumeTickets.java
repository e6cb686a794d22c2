package org.mavlogd.recovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of earlier runs whose streams may continue, for at most a minute. It finishes those whose stream does not
 * come, and for those that continue reads the definitions that the recorder needs. Owned by the keeper's thread.
 */
final class ResumeTickets {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeTickets.class);
    private static final long TICKET_NS = TimeUnit.SECONDS.toNanos(60);

    private final Disk disk;
    private final MemoryBudget memory;
    private final ResumableLogs board;
    private final LogCompleter completer;
    private final UnreadLogs unread;
    private final ContainedPart part;
    private final List<Ticketed> tickets = new ArrayList<>();
    private @Nullable PastScan past;

    /** A file that waits for its stream, or continues. */
    private record Ticketed(
            UnfinishedListing.File found,
            UnfinishedLog log,
            long lastUs,
            long openedNs,
            MemoryShare memory,
            MemoryShare past) {
        /** Releases the log's memory. */
        void giveBack() {
            memory.close();
            past.close();
        }
    }

    /** @param part contains errors */
    ResumeTickets(
            Disk disk,
            MemoryBudget memory,
            ResumableLogs board,
            LogCompleter completer,
            UnreadLogs unread,
            ContainedPart part) {
        this.part = part;
        this.unread = unread;
        this.disk = disk;
        this.memory = memory;
        this.board = board;
        this.completer = completer;
    }

    /**
     * Offers a file to its stream.
     *
     * @param kept the log's memory share, until it is finished
     */
    void open(UnfinishedListing.File found, UnfinishedLog log, long lastUs, long nowNs, MemoryShare kept) {
        MemoryShare ofPast = memory.share(Requester.UNFINISHED_LOG);
        tickets.add(new Ticketed(found, log, lastUs, nowNs, kept, ofPast));
        board.put(log.facts().systemId(), log);
    }

    /** Finishes a file whose ticket was dropped or is too old; returns whether there was one. */
    boolean settle(long nowNs) {
        for (int i = 0; i < tickets.size(); i++) {
            Ticketed ticketed = tickets.get(i);
            ResumeTicket ticket = ticketed.log().ticket();
            if (nowNs - ticketed.openedNs() >= TICKET_NS) {
                ticket.drop();
            }
            ResumeTicket.State state = ticket.state();
            if (state == ResumeTicket.State.DROPPED) {
                tickets.remove(i);
                finish(ticketed, nowNs);
                return true;
            }
        }
        return false;
    }

    private void finish(Ticketed ticketed, long nowNs) {
        UnfinishedListing.File found = ticketed.found();
        ticketed.giveBack();
        try {
            Disk.Access file = disk.open(found.unfinishedName());
            completer.finish(found, file, ticketed.log().bytes(), ticketed.lastUs());
        } catch (IOException e) {
            LOG.error("{}: left as it is: {}", found.unfinishedName(), Reason.of(e));
        } catch (Throwable e) {
            unread.add(found, e, nowNs);
        }
    }

    /**
     * Reads definitions for a recording that continues, one log at a time; returns whether there was anything to do.
     */
    boolean readPast() {
        PastScan current = past;
        if (current == null) {
            for (int i = 0; i < tickets.size() && past == null; i++) {
                Ticketed ticketed = tickets.get(i);
                boolean isNeeded = ticketed.log().isPastNeeded();
                past = isNeeded ? new PastScan(disk, ticketed.log(), ticketed.past(), part) : null;
            }
            return past != null;
        }
        past = current.step() ? current : null;
        return true;
    }

    /** The file is about to be renamed or deleted. */
    void letGo(String unfinishedName) {
        PastScan current = past;
        if (current != null && current.unfinishedName().equals(unfinishedName)) {
            current.close();
            past = null;
        }
    }

    /** A file is complete, and not yet renamed: crash data is appended to one that continued. */
    void finishing(String stem) {
        for (int i = 0; i < tickets.size(); i++) {
            if (tickets.get(i).found().stem().equals(stem)) {
                finishing(tickets.remove(i));
                return;
            }
        }
    }

    private void finishing(Ticketed ticketed) {
        ticketed.giveBack();
        try {
            completer.finishing(ticketed.found(), ticketed.lastUs());
        } catch (Throwable e) {
            LOG.error(
                    "{}: finished without crash data, internal error",
                    ticketed.found().finishedName());
            part.contain(e);
        }
    }

    /** Finishes all files that do not continue, at the end of the program, after links and recorder. */
    void close(long nowNs) {
        for (Ticketed ticketed : List.copyOf(tickets)) {
            if (ticketed.log().ticket().state() != ResumeTicket.State.RESUMED) {
                finish(ticketed, nowNs);
            }
        }
        tickets.clear();
    }
}
