package org.mavlogd.dataflash;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * The field that distinguishes devices of one kind, and the multi ids of its values.
 *
 * <p>A number from 0 to 255 is its own multi id, however few of them there are. Any other value, such as a script's name,
 * gets a multi id that is free, a text the lowest, and from then on always that one. When all 256 are taken the last one is shared.
 * Hot path: a value that was there before allocates nothing.
 */
final class InstanceField {
    static final int MAX_MULTI_ID = 255;

    private static final int NONE = -1;

    private final MemoryShare share;
    private final RecordType.Field field;
    private final int length;
    private final boolean isByte;
    private final short[] byByte = new short[256];
    private final byte[] @Nullable [] values = new byte[MAX_MULTI_ID + 1][];
    private int lastFound;

    /** @param share of the values: those that there is no memory for share the last multi id */
    InstanceField(RecordType.Field field, MemoryShare share) {
        this.share = share;
        this.field = field;
        this.length = field.format().length();
        this.isByte = length == 1;
        Arrays.fill(byByte, (short) NONE);
    }

    /** The multi id of a record. Hot path. */
    int multiId(byte[] buffer, int offset) {
        int at = offset + field.offset();
        int known = isByte ? byByte[buffer[at] & 0xFF] : find(buffer, at);
        return known != NONE ? known : assign(buffer, at);
    }

    /** Whether a multi id is not simply the number that is in the field. */
    boolean isNamed(int multiId) {
        byte @Nullable [] value = values[multiId];
        return value != null && number(value, 0) != multiId;
    }

    /** What is in the field where this multi id is given. */
    String text(int multiId) {
        byte @Nullable [] value = values[multiId];
        if (value == null) {
            return "";
        }
        return field.format().isText()
                ? Bytes.utf8(value, 0, length)
                : Long.toString(Bytes.integer(field.format(), value, 0));
    }

    private int find(byte[] buffer, int at) {
        if (holds(lastFound, buffer, at)) {
            return lastFound;
        }
        for (int id = 0; id < values.length; id++) {
            if (holds(id, buffer, at)) {
                lastFound = id;
                return id;
            }
        }
        return NONE;
    }

    private boolean holds(int id, byte[] buffer, int at) {
        byte @Nullable [] value = values[id];
        return value != null && Arrays.equals(value, 0, length, buffer, at, at + length);
    }

    private int assign(byte[] buffer, int at) {
        long number = number(buffer, at);
        int id = number >= 0 && number <= MAX_MULTI_ID && values[(int) number] == null ? (int) number : free();
        if (id == NONE || !share.reserve(Footprint.INSTANCE + length)) {
            id = MAX_MULTI_ID;
        } else {
            values[id] = Arrays.copyOfRange(buffer, at, at + length);
        }
        if (isByte) {
            byByte[buffer[at] & 0xFF] = (short) id;
        }
        return id;
    }

    private int free() {
        // Numbers of their own come first to their place: others go where no number is likely.
        if (field.format().isText()) {
            for (int id = 0; id <= MAX_MULTI_ID; id++) {
                if (values[id] == null) {
                    return id;
                }
            }
            return NONE;
        }
        for (int id = MAX_MULTI_ID; id >= 0; id--) {
            if (values[id] == null) {
                return id;
            }
        }
        return NONE;
    }

    private long number(byte[] buffer, int at) {
        return field.format().isText() ? NONE : Bytes.integer(field.format(), buffer, at);
    }
}
