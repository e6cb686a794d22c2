package org.mavlogd.recovery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.store.Disk;
import org.mavlogd.store.StreamMark;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ScanHandler;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogScanner;

/**
 * Scans an unfinished ULog in steps for the end of its last complete message, its last time, and what a recording needs
 * to continue it. Only reads. Owned by the keeper's thread.
 */
final class UnfinishedScan implements ScanHandler, Scan {
    // A step must not hold up the keeper, even if a byte of a damaged log takes a microsecond.
    private static final int BLOCK_BYTES = 32 << 10;
    // A byte of the head takes this much heap while its buffer grows and is copied.
    private static final int HEAD_COPIES = 3;
    // Memory for the known topics, until the stream comes.
    private static final int TOPICS_BYTES = 160 << 10;
    // Heap for a name in a set, besides its characters.
    private static final int NAME_BYTES = 104;
    // A time that jumps further is damaged.
    private static final long MAX_LEAP_US = TimeUnit.HOURS.toMicros(1);
    private static final String TIME_FIRST = ":uint64_t timestamp;";

    private final Disk.Access file;
    private final long length;
    private final StreamMark.Stretch plain;
    private final MemoryShare memory;
    private final ULogScanner scanner;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    // This computer's messages: kept separately from the vehicle's head, and their times do not count for the
    // vehicle's.
    private final LocalMarks local;
    private final ByteArrayOutputStream localHead = new ByteArrayOutputStream();
    private long lastLocalUs = -1;
    private final Set<String> timedFormats = new HashSet<>();
    private final KnownTopics.Collector topics = new KnownTopics.Collector();

    private long position;
    // The position behind the last byte read that is not zero.
    private long zerosStart;
    private long headEnd;
    private boolean isBehindPlain;
    private long headLastUs = -1;
    private long headLastLocalUs = -1;
    private boolean finished;
    private String problem = "";
    private boolean dataBegun;
    // Whether there was no memory for something that a recording needs to continue.
    private boolean incomplete;
    private long headerLow;
    private long headerHigh;
    private long lastUs = -1;
    private long cutAt = -1;
    private long damageEnd = -1;
    private long damageStart = -1;
    private boolean appended;

    /**
     * @param plain the stretch that need not be read
     * @param memory asked before anything of the log is kept
     */
    UnfinishedScan(Disk.Access file, StreamMark.Stretch plain, MemoryShare memory) throws IOException {
        this.memory = memory;
        this.scanner = new ULogScanner(this, memory::reserve);
        this.local = new LocalMarks(memory::reserve);
        this.incomplete = !memory.reserve(TOPICS_BYTES);
        this.file = file;
        this.length = file.length();
        this.plain = plain.to() <= length ? plain : StreamMark.Stretch.NONE;
    }

    @Override
    public long place() {
        return position;
    }

    @Override
    public boolean step() throws IOException {
        if (finished) {
            return false;
        }
        if (position == plain.from()) {
            position = plain.to();
        }
        long end = position < plain.from() ? plain.from() : length;
        block.clear().limit((int) Math.min(BLOCK_BYTES, end - position));
        file.read(position, block);
        int count = block.position();
        noteZeros();
        position += count;
        try {
            scanner.feed(block.flip());
            if (count == 0 || position >= length) {
                finished = true;
                scanner.finish();
            }
        } catch (ULogException e) {
            problem = String.valueOf(e.getMessage());
            finished = true;
        }
        return !finished;
    }

    /** Why it cannot be read as a ULog; empty if it can. */
    String problem() {
        return problem;
    }

    long length() {
        return length;
    }

    /** The length up to the last complete message. Damage inside is kept, and so is a file that is not a ULog. */
    long wholeBytes() throws IOException {
        if (!problem.isEmpty()) {
            return length;
        }
        if (cutAt >= 0) {
            return cutAt;
        }
        return damageEnd == length && isZeroBehindMessage(damageStart) ? damageStart : length;
    }

    /**
     * Whether the file ends in zeros from this message on, or from inside it: file systems leave them where data did not
     * reach the disk, perhaps many gigabytes.
     */
    private boolean isZeroBehindMessage(long message) throws IOException {
        file.read(message, block.clear().limit((int) Math.min(ULogLayout.MESSAGE_HEADER_LENGTH, length - message)));
        long end = message + ULogLayout.MESSAGE_HEADER_LENGTH + LittleEndian.uint16(block.array(), 0);
        return zerosStart < length && zerosStart <= end;
    }

    /** Notes the zeros at the end of what was read so far. */
    private void noteZeros() {
        int end = block.position();
        while (end > 0 && block.get(end - 1) == 0) {
            end--;
        }
        zerosStart = end > 0 ? position + end : zerosStart;
    }

    /** Whether a recording can continue after the last complete message. */
    boolean isResumable() throws IOException {
        return problem.isEmpty()
                && dataBegun
                && lastUs() > 0
                && !incomplete
                && !local.isIncomplete()
                && !appended
                && (damageEnd < length || wholeBytes() < length);
    }

    /** Releases memory after the scan, except for what a recording needs. */
    void shrinkMemory() {
        memory.release(Math.max(0, memory.held() - TOPICS_BYTES - head.size() - localHead.size()));
    }

    /** Whether the log already has appended data. */
    boolean hasAppended() {
        return appended;
    }

    /** The youngest time in the log; -1 if none. */
    long endUs() {
        return Math.max(lastUs(), lastLocalUs());
    }

    /** The youngest time of the vehicle's messages; -1 if none. */
    long lastUs() {
        return Math.max(headLastUs, lastUs);
    }

    long headerLow() {
        return headerLow;
    }

    long headerHigh() {
        return headerHigh;
    }

    byte[] head() {
        return head.toByteArray();
    }

    /** This computer's definitions and subscriptions. */
    byte[] localHead() {
        return localHead.toByteArray();
    }

    /** The youngest time of this computer's messages; -1 if none. */
    long lastLocalUs() {
        return Math.max(headLastLocalUs, lastLocalUs);
    }

    KnownTopics topics() {
        return topics.topics();
    }

    @Override
    public void onHeader(int version, long startUs) {
        ByteBuffer header = ByteBuffer.allocate(ULogLayout.HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        headerLow = ULogLayout.MAGIC | ((long) version << (ULogLayout.VERSION_OFFSET * Byte.SIZE));
        header.putLong(headerLow).putLong(startUs);
        head.writeBytes(header.array());
        headerHigh = startUs;
    }

    @Override
    public void onMessage(int type, byte[] buffer, int offset, int messageLength) {
        if (!isBehindPlain && scanner.messagePosition() >= plain.from()) {
            onPlainLeftOut();
        }
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int end = offset + messageLength;
        if (local.isLocal(type, buffer, offset, messageLength)) {
            onLocal(type, buffer, offset, messageLength);
            return;
        }
        switch (type) {
            case MessageType.DATA -> onData(buffer, payload, end);
            case MessageType.LOGGED_STRING ->
                onTime(buffer, payload + ULogLayout.LOGGED_STRING_HEADER_SIZE - Long.BYTES, end);
            case MessageType.TAGGED_STRING ->
                onTime(buffer, payload + ULogLayout.TAGGED_STRING_HEADER_SIZE - Long.BYTES, end);
            case MessageType.SYNC, MessageType.DROPOUT -> dataBegun = true;
            case MessageType.FORMAT -> {
                onFormat(new String(buffer, payload, end - payload, StandardCharsets.ISO_8859_1));
                keep(buffer, offset, messageLength);
            }
            case MessageType.SUBSCRIPTION -> {
                onSubscription(buffer, payload, end);
                keep(buffer, offset, messageLength);
            }
            case MessageType.PARAMETER, MessageType.DEFAULT_PARAMETER, MessageType.UNSUBSCRIPTION ->
                keep(buffer, offset, messageLength);
            default -> {
                if (!dataBegun) {
                    keep(buffer, offset, messageLength);
                }
            }
        }
    }

    /** The stretch was skipped: the next time may be hours later without being a jump. */
    private void onPlainLeftOut() {
        isBehindPlain = true;
        headLastUs = lastUs;
        headLastLocalUs = lastLocalUs;
        lastUs = -1;
        lastLocalUs = -1;
    }

    private void onLocal(int type, byte[] buffer, int offset, int messageLength) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int end = offset + messageLength;
        switch (type) {
            case MessageType.DATA -> onLocalTime(buffer, payload + ULogLayout.DATA_HEADER_SIZE, end);
            case MessageType.TAGGED_STRING ->
                onLocalTime(buffer, payload + ULogLayout.TAGGED_STRING_HEADER_SIZE - Long.BYTES, end);
            default -> {
                headEnds(messageLength);
                keep(localHead, buffer, offset, messageLength);
            }
        }
    }

    private void onLocalTime(byte[] buffer, int at, int end) {
        dataBegun = true;
        if (at + Long.BYTES <= end) {
            long timeUs = LittleEndian.int64(buffer, at);
            if (timeUs > lastLocalUs && (lastLocalUs < 0 || timeUs - lastLocalUs <= MAX_LEAP_US)) {
                lastLocalUs = timeUs;
            }
        }
    }

    private void keep(byte[] buffer, int offset, int count) {
        headEnds(count);
        keep(head, buffer, offset, count);
    }

    private void keep(ByteArrayOutputStream kept, byte[] buffer, int offset, int count) {
        incomplete |= !memory.reserve((long) HEAD_COPIES * count);
        if (!incomplete) {
            kept.write(buffer, offset, count);
        }
    }

    private void onFormat(String text) {
        int colon = text.indexOf(':');
        if (colon > 0 && text.startsWith(TIME_FIRST, colon)) {
            incomplete |= !memory.reserve(NAME_BYTES + (long) colon);
            if (!incomplete) {
                timedFormats.add(text.substring(0, colon));
            }
        }
    }

    private void onSubscription(byte[] buffer, int payload, int end) {
        int name = payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        boolean timed = timedFormats.contains(new String(buffer, name, end - name, StandardCharsets.ISO_8859_1));
        topics.subscribed(LittleEndian.uint16(buffer, payload + 1), timed);
    }

    private void onData(byte[] buffer, int payload, int end) {
        dataBegun = true;
        int messageId = LittleEndian.uint16(buffer, payload);
        topics.seen(messageId, end - payload);
        if (topics.isTimed(messageId)) {
            onTime(buffer, payload + ULogLayout.DATA_HEADER_SIZE, end);
        }
    }

    private void onTime(byte[] buffer, int at, int end) {
        dataBegun = true;
        if (at + Long.BYTES <= end) {
            long timeUs = LittleEndian.int64(buffer, at);
            if (timeUs > lastUs && (lastUs < 0 || timeUs - lastUs <= MAX_LEAP_US)) {
                lastUs = timeUs;
            }
        }
    }

    @Override
    public void onDamage(long start, long count) {
        damageStart = filePosition(start);
        damageEnd = damageStart + count;
    }

    @Override
    public void onCut(long start, long count) {
        long position = filePosition(start);
        cutAt = position + count == length ? position : cutAt;
    }

    private void headEnds(int messageLength) {
        headEnd = filePosition(scanner.messagePosition()) + messageLength;
    }

    /** The end of the last message on which later messages depend. */
    long headEnd() {
        return headEnd;
    }

    /** The position in the file of a position in the bytes read. */
    private long filePosition(long read) {
        return read < plain.from() ? read : read + plain.length();
    }

    @Override
    public void onAppendedSection(long start) {
        appended = true;
    }
}
