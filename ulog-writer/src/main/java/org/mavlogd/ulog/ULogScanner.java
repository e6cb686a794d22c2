package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongPredicate;

/**
 * Scans a log message by message, checks each by its structure, and finds the next intact message after damage.
 *
 * <p>Takes chunks of any size, and the end by {@link #finish}. A message is passed on once the message after it is
 * valid too; an overwritten or truncated message is not passed on. After damage the scan resumes only where at least
 * two valid messages follow each other, at a sync marker, or at a run of data messages of which two belong to the same
 * topic; so it does not take the contents of other messages for messages. Bytes that are not messages are reported with
 * their position. ULog has no checksums: a changed byte inside a value is not detected, nor is a missing part whose
 * ends join two messages exactly.
 *
 * <p>Data messages whose subscription or format was lost are found too, and passed on as {@link
 * ScanHandler.Flaw#NO_TOPIC}. Their topic is not guessed: many formats have the same size, and which topics a vehicle
 * subscribes to, and in which order, differs from log to log.
 *
 * <p>Appended sections are followed: a message truncated before one is reported, and the scan continues in the section.
 *
 * <p>Takes 256 KiB of memory, and as much for formats and topics as the limits of {@link ULogReader} allow. Allocates
 * nothing for data messages. Owned by one thread.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Requirements for Parsers"</a>
 */
public final class ULogScanner {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;

    /** Number of bytes to wait for while a decision about damage needs more: every attempt costs a search. */
    private static final int PATIENCE = 4096;

    /** A gap longer than this cannot be one damaged message. */
    private static final int MAX_EXPLAINED = ULogLayout.MAX_MESSAGE_LENGTH;

    private enum State {
        HEADER,
        FLAG_BITS,
        MESSAGES,
        SEARCH
    }

    private final ScanHandler handler;
    private final Definitions definitions;
    private final MessageJudge judge;
    private final ScanWindow window;
    private final DamageEdge edge;
    private final AppendedSections sections;
    private final ScanDelivery delivery;
    private final ScanDelivery.HeldMessage held;

    private State state = State.HEADER;
    private boolean finished;
    private int wantedEnd = ULogLayout.HEADER_LENGTH;

    private int at;

    // While searching: position in the log where the damage seems to start.
    private long damageStart;

    public ULogScanner(ScanHandler handler) {
        this(handler, bytes -> true);
    }

    /**
     * Creates a scanner that asks before it allocates memory for the log's contents.
     *
     * @param memory called with a number of bytes before formats and topics use them; if it returns false, the log is
     *     refused
     */
    public ULogScanner(ScanHandler handler, LongPredicate memory) {
        this.handler = handler;
        this.definitions = new Definitions(memory);
        this.judge = new MessageJudge(definitions);
        this.window = new ScanWindow(judge);
        this.edge = new DamageEdge(definitions, window);
        this.sections = new AppendedSections(window);
        this.delivery = new ScanDelivery(handler, definitions, judge, window);
        this.held = new ScanDelivery.HeldMessage(delivery);
    }

    /** Scans a complete file. */
    public static void scan(Path file, ScanHandler handler) throws IOException {
        ULogScanner scanner = new ULogScanner(handler);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(64 * 1024);
            while (channel.read(chunk) >= 0) {
                scanner.feed(chunk.flip());
                chunk.clear();
            }
        }
        scanner.finish();
    }

    /** Takes the next bytes of the log. */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        feed(ByteBuffer.wrap(buffer, offset, length));
    }

    /**
     * Takes all remaining bytes of the buffer as the next bytes of the log.
     *
     * @throws ULogException if it is not a ULog, needs a newer reader, or exceeds a limit
     * @throws IOException thrown by the handler
     */
    public void feed(ByteBuffer source) throws IOException {
        if (finished) {
            throw new IllegalStateException("the log has ended");
        }
        while (source.hasRemaining()) {
            if (window.end == ScanWindow.CAPACITY) {
                makeRoom();
            }
            window.fill(source);
            if (window.end >= wantedEnd || window.end == ScanWindow.CAPACITY) {
                work();
            }
        }
    }

    /** Ends the log: messages still held are judged and passed on. */
    public void finish() throws IOException {
        if (!finished) {
            finished = true;
            work();
        }
    }

    /** During a call of the handler: position of the message in the log. */
    public long messagePosition() {
        return delivery.position;
    }

    Definitions definitions() {
        return definitions;
    }

    private void work() throws IOException {
        boolean going = true;
        while (going) {
            wantedEnd = window.end + 1;
            sections.limit(at, finished, state == State.SEARCH);
            going = switch (state) {
                case HEADER -> header();
                case FLAG_BITS -> flagBits();
                case MESSAGES -> messages();
                case SEARCH -> search();
            };
        }
    }

    private boolean header() throws IOException {
        if (window.limit < ULogLayout.HEADER_LENGTH) {
            wantedEnd = ULogLayout.HEADER_LENGTH;
            if (finished) {
                throw FileHeader.tooShort(window.limit);
            }
            return false;
        }
        FileHeader.requireMagic(window.bytes, 0);
        at = ULogLayout.HEADER_LENGTH;
        state = State.FLAG_BITS;
        handler.onHeader(FileHeader.version(window.bytes, 0), FileHeader.startUs(window.bytes, 0));
        return true;
    }

    /** Flag bits are recognised by their position. They may be longer than specified, but must contain their flags. */
    private boolean flagBits() throws IOException {
        int available = window.limit - at;
        if (available < MESSAGE_HEAD && !finished) {
            return false;
        }
        if (available < MESSAGE_HEAD || window.type(at) != MessageType.FLAG_BITS) {
            state = State.MESSAGES;
            return true;
        }
        if (available < window.length(at)) {
            state = finished ? State.MESSAGES : state;
            return finished;
        }
        sections.expect(FlagBits.read(window.bytes, at + MESSAGE_HEAD, window.size(at)));
        state = State.MESSAGES;
        delivery.message(at);
        at += window.length(at);
        return true;
    }

    /** Scans messages as long as they are valid. */
    private boolean messages() throws IOException {
        while (true) {
            passSamples();
            if (sections.isOutdated(at)) {
                return true;
            }
            int judged = window.assess(at);
            switch (judged) {
                case MessageJudge.GOOD, MessageJudge.ORPHAN -> {
                    held.give();
                    hold(judged == MessageJudge.ORPHAN);
                }
                case ScanWindow.MORE -> {
                    return false;
                }
                case ScanWindow.END -> {
                    held.give();
                    return enterSection();
                }
                default -> {
                    return doubtful(judged);
                }
            }
        }
    }

    /** Does the same as {@link #messages} for a run of valid data messages, of which logs mostly consist. */
    private void passSamples() throws IOException {
        byte[] bytes = window.bytes;
        int bound = sections.bound();
        int last = bound - MESSAGE_HEAD - ULogLayout.DATA_HEADER_SIZE;
        // The last message of the run, which waits for the next one like a held message.
        int waiting = -1;
        Topic waitingOf = null;
        while (at <= last && bytes[at + ULogLayout.MESSAGE_TYPE_OFFSET] == MessageType.DATA) {
            int size = Bytes.uint16(bytes, at);
            Topic topic = definitions.topic(Bytes.uint16(bytes, at + MESSAGE_HEAD));
            int next = at + MESSAGE_HEAD + size;
            if (topic == null || size < topic.minSize || size > topic.maxSize || next > bound) {
                break;
            }
            if (waitingOf == null) {
                held.give();
            } else {
                delivery.sample(waitingOf, waiting, at - waiting);
            }
            waiting = at;
            waitingOf = topic;
            at = next;
        }
        if (waitingOf != null) {
            held.holdSample(waiting, waitingOf);
        }
    }

    /** Definitions are not held: later messages are judged by them, and their text has been checked. */
    private void hold(boolean orphan) throws IOException {
        held.hold(at, orphan);
        int type = window.type(at);
        at += window.length(at);
        if (type == MessageType.SUBSCRIPTION || type == MessageType.FORMAT) {
            held.give();
        }
    }

    /** Handles a message that is not valid: a flawed but complete one, a truncated one, or damage. */
    private boolean doubtful(int judged) throws IOException {
        if (judged == MessageJudge.BAD) {
            return beginSearch();
        }
        int next = at + (window.limit - at < MESSAGE_HEAD ? 0 : window.length(at));
        // A wrong size, or a random type, can swallow valid messages: look for these first.
        int inside = window.search(at + 1, Math.min(next, window.limit));
        if (inside == -2) {
            return patience();
        }
        if (inside >= 0) {
            return beginSearch();
        }
        if (judged == ScanWindow.CUT || (window.isFinal && next > window.limit)) {
            held.give();
            delivery.cut(window.base + at, window.limit - at);
            at = window.limit;
            return true;
        }
        int answer = next > window.limit ? ScanWindow.MORE : window.chain(next, false);
        if (answer == ScanWindow.MORE && window.end < ScanWindow.CAPACITY) {
            return patience();
        }
        if (answer != ScanWindow.YES) {
            return beginSearch();
        }
        held.give();
        delivery.flawed(at);
        at += window.length(at);
        return true;
    }

    private boolean beginSearch() {
        damageStart = window.base + at;
        state = State.SEARCH;
        // The held message is doubtful too: an intact message may start inside it.
        if (held.isThere()) {
            at = held.start();
        }
        at++;
        return true;
    }

    private boolean search() throws IOException {
        int found = window.search(at, window.limit);
        if (found >= 0 && window.base + found == damageStart) {
            at = found + 1; // judged before: only a search that began in the message before it meets it again
            found = window.search(at, window.limit);
        }
        if (found == -2) {
            at = Math.max(at, window.searchedTo);
            if (held.isThere() && window.base + at - damageStart > MAX_EXPLAINED) {
                settleHeld(window.base + at);
            }
            return patience();
        }
        int resume = found >= 0 ? found : window.limit;
        if (found < 0 && !window.isFinal) {
            at = Math.max(at, window.limit - MESSAGE_HEAD + 1);
            return patience();
        }
        settleHeld(window.base + resume);
        delivery.damage(damageStart, window.base + resume);
        at = resume;
        state = State.MESSAGES;
        return true;
    }

    /** Decides about the message before damage: passes it on unless the damage may reach into it. */
    private void settleHeld(long resume) throws IOException {
        if (!held.isThere()) {
            return;
        }
        int next = (int) (damageStart - window.base);
        if (resume >= damageStart && edge.isIntact(held.start(), next, resume - damageStart)) {
            held.give();
        } else {
            damageStart = window.base + held.start();
            held.drop();
        }
    }

    private boolean patience() {
        wantedEnd = Math.min(window.end + PATIENCE, ScanWindow.CAPACITY);
        return false;
    }

    /** The end of the log, or the start of an appended section. */
    private boolean enterSection() throws IOException {
        if (!sections.enter(at)) {
            return false;
        }
        delivery.section(window.base + at);
        return true;
    }

    private void makeRoom() {
        int from = Math.max(0, (held.isThere() ? held.start() : at) - ScanWindow.HISTORY);
        window.discard(from);
        wantedEnd -= from; // else nothing would be read until the window is full again
        at -= from;
        held.moved(from);
        if (window.end == ScanWindow.CAPACITY) {
            throw new IllegalStateException("a full window cannot move, position " + window.base);
        }
    }
}
