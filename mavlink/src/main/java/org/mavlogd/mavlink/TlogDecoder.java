package org.mavlogd.mavlink;

import java.io.IOException;
import org.mavlogd.tlog.TlogLayout;

/**
 * Reads a telemetry log, see {@link TlogLayout}, in pieces of any size. Frames with a wrong checksum are damage, and so
 * is everything up to the next record. Frames of messages that the dialect lacks are checked by the bytes after them.
 * Memory: 128 KiB. Owned by one thread.
 */
public final class TlogDecoder {
    /** Receives the contents of the log in order. */
    public interface Handler {
        /**
         * A frame.
         *
         * @param utcUs time in the log, in microseconds since 1970
         * @param frame valid only during the call; its definition is {@link FrameView#UNKNOWN} if the dialect lacks it
         */
        void onFrame(long utcUs, FrameView frame) throws IOException;

        /** Bytes that are not a valid record. */
        void onDamage(long position, long length) throws IOException;

        /** The log ends within a record. */
        void onCut(long position, long length) throws IOException;
    }

    private static final int BUFFER_BYTES = 128 * 1024;

    private final Handler handler;
    private final FrameChecker checker;
    private final FrameView view = new FrameView();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int length;
    // Position in the log of the first byte in the buffer.
    private long position;
    private long damagedBytes;

    public TlogDecoder(Handler handler, Dialect dialect) {
        this.handler = handler;
        this.checker = new FrameChecker(dialect.table());
    }

    /** Takes the next bytes of the log. */
    public void feed(byte[] bytes, int offset, int count) throws IOException {
        int done = 0;
        while (done < count) {
            int part = Math.min(count - done, buffer.length - length);
            System.arraycopy(bytes, offset + done, buffer, length, part);
            length += part;
            done += part;
            drop(scan(false));
        }
    }

    /** Ends the log. */
    public void finish() throws IOException {
        int rest = scan(true);
        if (rest < length && damagedBytes == 0) {
            handler.onCut(position + rest, length - (long) rest);
        } else {
            damagedBytes += length - (long) rest;
            tellDamage(length);
        }
        length = 0;
    }

    private void drop(int count) {
        System.arraycopy(buffer, count, buffer, 0, length - count);
        position += count;
        length -= count;
    }

    /** Scans the buffer as far as its bytes can be judged, and returns the index reached. */
    private int scan(boolean isEnd) throws IOException {
        checker.onNewBytes();
        int at = 0;
        // A complete record and the head of the next are needed to judge a frame that cannot be checked.
        int needed = isEnd ? TlogLayout.HEAD_LENGTH : 2 * TlogLayout.MAX_RECORD_LENGTH;
        while (length - at >= needed) {
            int taken = take(at);
            if (taken == 0) {
                if (isEnd && damagedBytes == 0 && isCut(at)) {
                    return at;
                }
                damagedBytes++;
                at++;
            } else {
                at += taken;
            }
        }
        return at;
    }

    private boolean isCut(int at) {
        int record = TlogLayout.recordLength(buffer, at);
        return record != TlogLayout.NO_RECORD && at + record > length;
    }

    /** Length of the record that starts here; 0 if there is none. */
    private int take(int at) throws IOException {
        int record = TlogLayout.recordLength(buffer, at);
        if (record == TlogLayout.NO_RECORD || at + record > length) {
            return 0;
        }
        int frame = at + TlogLayout.TIME_LENGTH;
        switch (checker.check(buffer, frame, at + record)) {
            case RIGHT -> show(at, record, checker.definition());
            case UNCHECKABLE -> {
                if (damagedBytes > 0 || !isFollowed(at + record)) {
                    return 0;
                }
                show(at, record, FrameView.UNKNOWN);
            }
            default -> {
                // Where a record is due, this is a record with a damaged frame; elsewhere it may be anything.
                if (damagedBytes > 0 || !isFollowed(at + record)) {
                    return 0;
                }
                handler.onDamage(position + at, record);
            }
        }
        return record;
    }

    private boolean isFollowed(int at) {
        return at == length
                || (length - at >= TlogLayout.HEAD_LENGTH
                        && TlogLayout.recordLength(buffer, at) != TlogLayout.NO_RECORD);
    }

    private void show(int at, int record, int definition) throws IOException {
        tellDamage(at);
        view.wrap(buffer, at + TlogLayout.TIME_LENGTH, record - TlogLayout.TIME_LENGTH, false);
        view.definition(definition);
        handler.onFrame(TlogLayout.timeUs(buffer, at), view);
    }

    /** Reports the damaged bytes before this index. */
    private void tellDamage(int at) throws IOException {
        if (damagedBytes > 0) {
            handler.onDamage(position + at - damagedBytes, damagedBytes);
            damagedBytes = 0;
        }
    }
}
