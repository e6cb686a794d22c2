package org.mavlogd.record;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.record.files.LogOutput;

/**
 * Data messages that follow one another in a chunk and are appended to the log in one piece, because most of the cost of
 * a message is that of appending it. Owned by the recorder's thread. Hot path.
 */
final class DataRun {
    private final LogOutput output;
    private @Nullable DirectBuffer source;
    private int offset;
    private int length;
    private int messages;
    private long arrivalNs;

    DataRun(LogOutput output) {
        this.output = output;
    }

    /** From now on, messages in {@code buffer} may wait for {@link #end}; null for none. No message waits. */
    void of(@Nullable DirectBuffer buffer) {
        source = buffer;
    }

    /** Takes the next message if it may wait; else it must be appended after {@link #end}. */
    boolean take(DirectBuffer buffer, int at, int bytes, long arrival) {
        if (buffer != source) {
            return false;
        }
        if (at != offset + length) {
            end();
        }
        if (messages == 0) {
            offset = at;
            arrivalNs = arrival;
        }
        length += bytes;
        messages++;
        return true;
    }

    /** Appends the messages that wait. */
    void end() {
        DirectBuffer buffer = source;
        if (messages > 0 && buffer != null) {
            output.append(buffer, offset, length, messages, arrivalNs);
            length = 0;
            messages = 0;
        }
    }
}
