package org.mavlogd.ulog;

/**
 * Judges whether the end of a sample before damage is its own, by the sample before it of the same topic.
 *
 * <p>ULog has no checksums: a sample whose last bytes were overwritten has a sound head. But then its values jump in
 * ways that real ones seldom do: signs, exponents, flags, counters. A real jump costs one sample.
 */
final class Likeness {
    private Likeness() {}

    /** Whether every value at {@code held} can follow the one at {@code before}; both are where the fields begin. */
    static boolean isLike(TopicLayout layout, byte[] bytes, int before, int held) {
        for (Column column : layout.columns()) {
            for (int i = 0; i < column.count(); i++) {
                int at = column.elementOffset(i);
                if (!isStep(column.type(), bytes, before + at, held + at)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** How many bytes before {@code end} have this value, at most {@code limit}. */
    static int run(byte[] bytes, int end, byte value, int limit) {
        int run = 0;
        while (run < limit && bytes[end - 1 - run] == value) {
            run++;
        }
        return run;
    }

    private static boolean isStep(FieldType type, byte[] bytes, int before, int after) {
        return switch (type) {
            case FLOAT, DOUBLE -> isStep(Values.number(type, bytes, before), Values.number(type, bytes, after));
            case BOOL -> bytes[after] == 0 || bytes[after] == 1 || bytes[after] == bytes[before];
            case CHAR ->
                bytes[after] == 0 || (bytes[after] >= ' ' && bytes[after] < 0x7F) || bytes[after] == bytes[before];
            case INT8, UINT8 -> distance(type, bytes, before, after) <= 1;
            case INT16, UINT16 -> distance(type, bytes, before, after) <= 1 << 8;
            case INT32, UINT32 -> distance(type, bytes, before, after) <= 1 << 20;
            case INT64, UINT64 -> distance(type, bytes, before, after) <= 1L << 32;
        };
    }

    /** Sign and exponent stand in the last bytes, which are the first to be overwritten. */
    private static boolean isStep(double before, double after) {
        return Double.compare(before, after) == 0
                || (Math.signum(before) == Math.signum(after)
                        && Math.abs(Math.getExponent(before) - Math.getExponent(after)) <= 1);
    }

    private static long distance(FieldType type, byte[] bytes, int before, int after) {
        long distance = Values.integer(type, bytes, after) - Values.integer(type, bytes, before);
        return distance == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(distance);
    }
}
