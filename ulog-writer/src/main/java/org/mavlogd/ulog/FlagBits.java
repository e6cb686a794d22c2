package org.mavlogd.ulog;

import java.util.ArrayList;
import java.util.List;

/**
 * The contents of a log's flag bits message.
 *
 * @param compat the eight compatible bytes as a little endian number; unknown bits are harmless
 * @param incompat the eight incompatible bytes as a little endian number
 * @param appendedOffsets positions in the file where appended data starts, in their order, without zeros
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Flag Bits Message"</a>
 */
public record FlagBits(long compat, long incompat, List<Long> appendedOffsets) {
    static final int MIN_SIZE = 2 * ULogLayout.FLAGS_LENGTH;

    public FlagBits {
        appendedOffsets = List.copyOf(appendedOffsets);
    }

    public boolean hasDefaultParameters() {
        return (compat & ULogLayout.COMPAT_DEFAULT_PARAMETERS) != 0;
    }

    public boolean isDataAppended() {
        return (incompat & ULogLayout.INCOMPAT_DATA_APPENDED) != 0;
    }

    /** Reads the payload. If it is longer than specified, it is of a later version, and its rest is ignored. */
    static FlagBits read(byte[] buffer, int payload, int size) throws ULogException {
        if (size < MIN_SIZE) {
            throw new ULogException("flag bits of " + size + " bytes, position " + ULogLayout.FLAG_BITS_POSITION);
        }
        long incompat = Bytes.int64(buffer, payload + ULogLayout.FLAGS_LENGTH);
        if ((incompat & ~ULogLayout.INCOMPAT_DATA_APPENDED) != 0) {
            throw new ULogException("the log needs a newer reader: incompatible flags " + Long.toHexString(incompat));
        }
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < ULogLayout.MAX_APPENDED_SECTIONS; i++) {
            int at = MIN_SIZE + i * Long.BYTES;
            if (at + Long.BYTES <= size && Bytes.int64(buffer, payload + at) != 0) {
                offsets.add(Bytes.int64(buffer, payload + at));
            }
        }
        return new FlagBits(Bytes.int64(buffer, payload), incompat, offsets);
    }
}
