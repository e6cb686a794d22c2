package org.mavlogd.dataflash;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;

/**
 * The field that distinguishes several similar devices, and the multi ids of its values.
 *
 * <p>A number from 0 to 255 is its own multi id. Any other value, such as the name of a script, gets a free multi id,
 * for strings the lowest one, and keeps it. When all 256 are used, further values share the last one. A known value
 * allocates nothing. Hot path.
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

    /** @param share memory for the values: those that do not fit share the last multi id */
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

    /** Whether a multi id differs from the number in the field. */
    boolean isNamed(int multiId) {
        byte @Nullable [] value = values[multiId];
        return value != null && number(value, 0) != multiId;
    }

    /** The value of the field for this multi id. */
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
        // Numbers from 0 to 255 have their own multi ids; others get ids that such numbers are unlikely to need.
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
