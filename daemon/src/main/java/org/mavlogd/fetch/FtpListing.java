package org.mavlogd.fetch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.memory.MemoryShare;

/**
 * Requests the list of logs by MAVLink FTP. ArduPilot keeps logs in one directory, PX4 in one for each day or boot.
 * Owned by the link's thread.
 */
final class FtpListing implements Exchange.Listing {
    private static final List<String> ARDUPILOT_ROOTS = List.of("/APM/LOGS", "/logs");
    private static final List<String> PX4_ROOTS = List.of("/fs/microsd/log", "/log");
    private static final int FIRST_WAIT_MS = 1000;
    private static final int LONGEST_WAIT_MS = 4000;
    private static final int UNANSWERED_TRIES = 4;
    private static final int MAX_ENTRIES = 20_000;
    private static final int MAX_DIRECTORIES = 2000;
    // Heap for a directory besides its path.
    private static final int DIRECTORY_BYTES = 72;
    // Limits how long a slow vehicle may keep memory in use; the slowest radio takes a second for one answer.
    private static final int ANSWER_S = 5;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(ANSWER_S);
    private static final long START_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long MAX_SIZE = 0xFFFF_FFFFL;
    // Names that can be requested again: plain ones only.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");
    private static final Pattern SIZE = Pattern.compile("\\d{1,10}");

    private final FetchTarget target;
    private final FetchOutbox outbox;
    private final FtpRequests requests;
    private final Repeat repeat = new Repeat(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    private final Deque<String> roots;
    private final Deque<String> directories = new ArrayDeque<>();
    private final FoundLogs found;
    private final byte[] data = new byte[FtpLayout.DATA_LENGTH];

    private final boolean hasOtherWay;
    private final Exchange.Status status;
    private String root = "";
    private String path = "";
    private long offset;
    private int entries;
    private final MemoryShare memory;
    private final long startNs;
    private long answers;
    private boolean isAsked;
    private boolean isAnswered;
    private @Nullable LastLogNumber last;

    /**
     * @param hasOtherWay whether another way should be tried if the vehicle does not answer
     * @param memory asked before anything of the list is kept; released by the caller
     */
    FtpListing(FetchTarget target, boolean hasOtherWay, FetchOutbox outbox, MemoryShare memory, long nowNs) {
        this.memory = memory;
        this.startNs = nowNs;
        this.hasOtherWay = hasOtherWay;
        this.target = target;
        this.outbox = outbox;
        this.requests = new FtpRequests(target, outbox, nowNs >>> 10);
        this.roots = new ArrayDeque<>(target.isArduPilot() ? ARDUPILOT_ROOTS : PX4_ROOTS);
        this.found = target.isArduPilot() ? FoundLogs.ofArduPilot(memory) : FoundLogs.ofPx4(memory);
        this.status = new Exchange.Status(nowNs);
        nextRoot();
    }

    @Override
    public List<RemoteLog> logs() {
        return found.logs();
    }

    private void nextRoot() {
        root = roots.removeFirst();
        open(root);
    }

    private void open(String directory) {
        path = directory;
        offset = 0;
        isAsked = false;
        repeat.reset();
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        if (!status.isRunning()) {
            return;
        }
        if (last != null) {
            last.onFrame(frame, nowNs);
            finishWithLast(last);
        } else if (requests.isReply(frame)
                && FtpRequests.requestOpcode(frame) == FtpLayout.LIST_DIRECTORY
                && isAsked
                && requests.isToLast(frame)) {
            requests.onReply(frame);
            isAnswered = true;
            answers++;
            if (FtpRequests.isAck(frame)) {
                onEntries(frame, nowNs);
            } else {
                onRefusal(frame, nowNs);
            }
        }
    }

    private void onEntries(FrameView reply, long nowNs) {
        status.progress(nowNs);
        int length = reply.uint8(FtpLayout.SIZE);
        reply.copyPayload(FtpLayout.DATA, data, 0, length);
        int added = 0;
        boolean isKept = true;
        for (String entry : new String(data, 0, length, StandardCharsets.ISO_8859_1).split("\0", -1)) {
            if (!entry.isEmpty()) {
                added++;
                isKept &= onEntry(entry);
            }
        }
        entries += added;
        offset += added;
        isAsked = false;
        repeat.reset();
        if (!isKept) {
            status.fail("the memory budget has no room for the vehicle's list of " + found.count() + " logs and more");
        } else if (found.count() > MAX_LOGS) {
            status.fail("the vehicle has more than " + MAX_LOGS + " logs; up to " + MAX_LOGS + " are listed");
        } else if (entries > MAX_ENTRIES) {
            status.fail("the vehicle's list of files has more than " + MAX_ENTRIES + " entries");
        } else if (added == 0) {
            nextDirectory(nowNs);
        }
        onTick(nowNs);
    }

    /** Returns false if there is no memory for it. */
    private boolean onEntry(String entry) {
        int tab = entry.indexOf('\t', 1);
        String name = entry.substring(1, tab < 0 ? entry.length() : tab);
        if (!NAME.matcher(name).matches()) {
            return true;
        }
        boolean isTop = path.equals(root);
        if (entry.charAt(0) == 'D' && isTop && !target.isArduPilot() && directories.size() < MAX_DIRECTORIES) {
            String directory = root + '/' + name;
            if (!memory.reserve(DIRECTORY_BYTES + directory.length())) {
                return false;
            }
            directories.add(directory);
        } else if (entry.charAt(0) == 'F' && tab >= 0) {
            String size = entry.substring(tab + 1);
            if (SIZE.matcher(size).matches() && Long.parseLong(size) <= MAX_SIZE) {
                return found.add(path, name, Long.parseLong(size));
            }
        }
        return true;
    }

    private void onRefusal(FrameView reply, long nowNs) {
        int error = FtpRequests.error(reply);
        if (error == FtpLayout.ERROR_NO_SESSIONS_AVAILABLE) {
            return; // requested again when the next try is due
        }
        if (error == FtpLayout.ERROR_UNKNOWN_COMMAND) {
            status.unanswered("the vehicle's file server does not list directories");
        } else if (error == FtpLayout.ERROR_END_OF_FILE || !path.equals(root) || offset > 0) {
            status.progress(nowNs);
            nextDirectory(nowNs);
            onTick(nowNs);
        } else if (!roots.isEmpty()) {
            nextRoot();
            onTick(nowNs);
        } else {
            status.unanswered("the vehicle's file server shows no directory of logs: " + FtpRequests.errorText(reply));
        }
    }

    private void nextDirectory(long nowNs) {
        if (!directories.isEmpty()) {
            open(directories.removeFirst());
        } else if (found.hasLastNumber()) {
            last = new LastLogNumber(target, found.lastNumberFile(), outbox, nowNs);
        } else {
            finish();
        }
    }

    private void finishWithLast(LastLogNumber reading) {
        if (!reading.status().isRunning()) {
            found.lastNumber(reading.number());
            finish();
        }
    }

    private void finish() {
        status.done();
    }

    @Override
    public void onTick(long nowNs) {
        if (!status.isRunning()) {
            return;
        }
        if (nowNs - startNs >= START_NS + answers * ANSWER_NS) {
            status.fail("the vehicle lists its logs too slowly: " + answers + " answers in "
                    + (nowNs - startNs) / ANSWER_NS * ANSWER_S + " s");
        } else if (last != null) {
            last.onTick(nowNs);
            finishWithLast(last);
        } else if (!isAsked) {
            isAsked = true;
            requests.send(FtpLayout.LIST_DIRECTORY, path, offset);
            repeat.onAsked(nowNs);
        } else if (repeat.isDue(nowNs)) {
            askAgain(nowNs);
        }
    }

    private void askAgain(long nowNs) {
        if (hasOtherWay && !isAnswered && repeat.tries() >= UNANSWERED_TRIES) {
            status.unanswered("the vehicle's file server does not answer");
        } else {
            requests.sendAnew();
            repeat.onAsked(nowNs);
        }
    }

    @Override
    public Exchange.Status status() {
        return status;
    }

    @Override
    public void onReboot(long nowNs) {
        isAsked = false;
    }

    @Override
    public void abandon() {
        if (last != null) {
            last.abandon();
        }
    }

    /** Reads the small file in which ArduPilot stores the number of its last log. Owned by the link's thread. */
    private static final class LastLogNumber {
        private static final Pattern NUMBER = Pattern.compile("\\s*(\\d{1,8})\\b");

        private final byte[] content;
        private final FtpTransfer transfer;

        LastLogNumber(FetchTarget target, RemoteLog file, FetchOutbox outbox, long nowNs) {
            this.content = new byte[(int) file.length()];
            FetchClient.LogSink sink = new FetchClient.LogSink() {
                @Override
                public boolean write(long position, byte[] bytes, int offset, int length) {
                    System.arraycopy(bytes, offset, content, (int) position, length);
                    return true;
                }

                @Override
                public String problem() {
                    return "";
                }

                @Override
                public boolean isStale() {
                    return false;
                }
            };
            FetchClient.Start start = new FetchClient.Start(sink, MissingRanges.allOf(file.length()));
            this.transfer = new FtpTransfer(target, file, start, FtpTransfer.Check.SIZE, outbox, nowNs);
        }

        void onFrame(FrameView frame, long nowNs) {
            transfer.onFrame(frame, nowNs);
        }

        void onTick(long nowNs) {
            transfer.onTick(nowNs);
        }

        Exchange.Status status() {
            return transfer.status();
        }

        /** 0 if it cannot be read; then logs are sorted by number. */
        long number() {
            Matcher matcher = NUMBER.matcher(new String(content, StandardCharsets.ISO_8859_1));
            boolean isThere = status().outcome() == Exchange.Status.Outcome.DONE && matcher.lookingAt();
            return isThere ? Long.parseLong(matcher.group(1)) : 0;
        }

        void abandon() {
            transfer.abandon();
        }
    }
}
