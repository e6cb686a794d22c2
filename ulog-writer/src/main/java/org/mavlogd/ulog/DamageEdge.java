package org.mavlogd.ulog;

/**
 * Judges the sound message just before damage: did the damage begin behind it, or in it?
 *
 * <p>A message whose end was overwritten has a sound head, and so has one whose end was lost with what followed. Given
 * out, such a sample would be made up. Its end is its own if one damaged header explains the whole hole. If the hole
 * is no longer than the rest of some message may be, then a part of the log may be missing, in which that message
 * began: what looks like our message's end may be the middle of that one, with values as good as any. Behind a longer
 * hole, erased space that begins exactly here speaks for the sample, or values that follow those of the sample before
 * it of its topic. Where none of this holds the sample is given up. So is an info that is not as long as its key says,
 * and a text that is none.
 *
 * <p>Not seen at all is a missing part whose both ends are as far from the ends of their messages: there is no hole
 * then, and nothing in the structure that could tell. One missing part of some 60 is like that.
 */
final class DamageEdge {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;
    private static final int FIELDS = MESSAGE_HEAD + ULogLayout.DATA_HEADER_SIZE;
    private static final int FILL_CHECKED = 16;

    /** Logged messages are at most so long, in general. */
    private static final int LONG_TEXT = 160;

    private final Definitions definitions;
    private final ScanWindow window;

    DamageEdge(Definitions definitions, ScanWindow window) {
        this.definitions = definitions;
        this.window = window;
    }

    /**
     * Whether the message is its own to the end.
     *
     * @param message where it begins in the window; {@code end} is where it ends and the damage begins
     * @param hole bytes until the next sound message
     */
    boolean isIntact(int message, int end, long hole) {
        int payload = message + MESSAGE_HEAD;
        int size = window.size(message);
        int type = window.type(message);
        boolean isOwn = switch (type) {
            case MessageType.DATA -> false;
            case MessageType.INFO -> KeyedValue.isAsLongAsDeclared(window.bytes, payload, size);
            case MessageType.MULTI_INFO -> KeyedValue.isAsLongAsDeclared(window.bytes, payload + 1, size - 1);
            case MessageType.LOGGED_STRING, MessageType.TAGGED_STRING ->
                MessageJudge.isText(type, window.bytes, payload, size);
            default -> true;
        };
        if (isOwn || window.limit - end < FIELDS) {
            return isOwn;
        }
        return isOneMessage(end, hole)
                || (type == MessageType.DATA && !isRestOfMessage(hole) && isOwnEnd(message, end));
    }

    /** A message's header, one of its three parts damaged, and the next message where that message ends. */
    private boolean isOneMessage(int at, long hole) {
        Topic topic = definitions.topic(Bytes.uint16(window.bytes, at + MESSAGE_HEAD));
        boolean isType = window.type(at) == MessageType.DATA;
        boolean isSize = hole == window.length(at);
        boolean isTopic = topic != null && hole >= MESSAGE_HEAD + topic.minSize && hole <= MESSAGE_HEAD + topic.maxSize;
        return (isType && isSize) || (isSize && isTopic) || (isTopic && isType);
    }

    private boolean isRestOfMessage(long hole) {
        return hole < MESSAGE_HEAD + Math.max(definitions.largestData(), LONG_TEXT);
    }

    private boolean isOwnEnd(int message, int end) {
        Topic topic = definitions.topic(Bytes.uint16(window.bytes, message + MESSAGE_HEAD));
        byte fill = window.bytes[end];
        boolean filled = isFilled(end, fill);
        if (filled && window.bytes[end - 1] != fill) {
            return true;
        }
        if (topic == null || !topic.hasLayout() || topic.lastPosition < window.base) {
            return false;
        }
        int before = (int) (topic.lastPosition - window.base);
        int size = window.size(message);
        if (window.size(before) != size || size < topic.minSize || size > topic.maxSize) {
            return false;
        }
        if (filled) {
            int run = Likeness.run(window.bytes, end, fill, size);
            return Likeness.run(window.bytes, before + window.length(before), fill, size) >= run;
        }
        return Likeness.isLike(topic.layout().orElseThrow(), window.bytes, before + FIELDS, message + FIELDS);
    }

    /** Erased or never written space begins here. */
    private boolean isFilled(int from, byte fill) {
        for (int i = from; i < Math.min(from + FILL_CHECKED, window.limit); i++) {
            if (window.bytes[i] != fill) {
                return false;
            }
        }
        return true;
    }

    /**
     * Judges whether the end of a sample before damage is its own, by the sample before it of the same topic.
     *
     * <p>ULog has no checksums: a sample whose last bytes were overwritten has a sound head. But then its values jump in
     * ways that real ones seldom do: signs, exponents, flags, counters. A real jump costs one sample.
     */
    private static final class Likeness {
        private Likeness() {}

        /**
         * Whether every value at {@code held} can follow the one at {@code before}; both are where the fields begin.
         */
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

        /** Sign and exponent are in the last bytes, which are the first to be overwritten. */
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
}
