package org.mavlogd.dataflash;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.mavlogd.ulog.LogLevel;

/**
 * Writes the messages for people, each of them once it is complete.
 *
 * <p>ArduPilot 4.7 and later divide a long message into pieces, one record each. Only the last one has free space, or
 * none has: then the message is complete when another one starts, at {@link #finish}, or half a second after its first
 * piece. Pieces whose first one is missing are a message of their own. Owned by the mapper's thread.
 *
 * @see <a href="https://github.com/ArduPilot/ardupilot/pull/30468">pieces of messages</a>
 */
final class TextWriter {
    private static final long MAX_WAIT_US = 500_000;

    // Of 256 pieces with 64 bytes.
    private static final int MAX_BYTES = 16_384;

    private final MappedLog log;
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    private long startUs;
    private long id;
    private long nextSequence;
    private long count;

    TextWriter(MappedLog log) {
        this.log = log;
    }

    /** Number of messages so far, including empty ones. */
    long count() {
        return count;
    }

    RecordMeaning meaning(TextRecord record) {
        return (buffer, offset, timeUs) -> add(record, buffer, offset, timeUs);
    }

    private void add(TextRecord record, byte[] buffer, int offset, long timeUs) throws IOException {
        int length = record.length(buffer, offset);
        if (!continues(record, buffer, offset) || pieces.size() + length > MAX_BYTES) {
            finish();
            count++;
            startUs = timeUs;
        }
        pieces.write(buffer, offset + record.text().offset(), length);
        if (record.piece().isEmpty() || length < record.text().format().length()) {
            finish();
        } else {
            id = record.piece().get().id(buffer, offset);
            nextSequence = record.piece().get().sequence(buffer, offset) + 1;
        }
    }

    private boolean continues(TextRecord record, byte[] buffer, int offset) {
        return pieces.size() > 0
                && record.piece()
                        .filter(piece -> piece.id(buffer, offset) == id)
                        .filter(piece -> piece.sequence(buffer, offset) == nextSequence)
                        .isPresent();
    }

    /** Writes the pieces of a message to which no more came. */
    void onTime(long timeUs) throws IOException {
        if (timeUs - startUs > MAX_WAIT_US) {
            finish();
        }
    }

    /** Writes the pieces so far. */
    void finish() throws IOException {
        if (pieces.size() > 0) {
            String text = pieces.toString(StandardCharsets.UTF_8);
            pieces.reset();
            log.text(LogLevel.INFO, startUs, text);
        }
    }
}
