package org.mavlogd.ulog;

/**
 * Decides whether the valid message before damage is intact, or the damage starts inside it.
 *
 * <p>A message whose end was overwritten or lost has a valid start; its sample would contain values that the vehicle
 * never wrote. The message is intact if a single damaged header explains the whole gap. Otherwise, if the gap is short
 * enough to be the rest of a message, a part of the log with that message's start may be missing, and the end of our
 * message may be the middle of that one, with plausible values. After a longer gap the sample is kept if erased space
 * starts exactly here, or if its values are close to those of the previous sample of its topic; otherwise it is
 * dropped. Infos that do not have the length in their key, and strings that are not text, are dropped too.
 *
 * <p>A missing part whose two ends have the same distance to the ends of their messages is not detected: it leaves no
 * gap, and nothing in the structure shows it. About one missing part of 60 is like that.
 */
final class DamageEdge {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;
    private static final int FIELDS = MESSAGE_HEAD + ULogLayout.DATA_HEADER_SIZE;
    private static final int FILL_CHECKED = 16;

    /** Usual maximum length of a logged message. */
    private static final int LONG_TEXT = 160;

    private final Definitions definitions;
    private final ScanWindow window;

    DamageEdge(Definitions definitions, ScanWindow window) {
        this.definitions = definitions;
        this.window = window;
    }

    /**
     * Whether the message is intact to its end.
     *
     * @param message index of the message in the window; {@code end} is its end and the start of the damage
     * @param hole number of bytes until the next valid message
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

    /**
     * Whether the gap is one message with a damaged header: two of type, size and topic fit, and the next message
     * starts at its end.
     */
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

    /** Whether erased or never written space starts here. */
    private boolean isFilled(int from, byte fill) {
        for (int i = from; i < Math.min(from + FILL_CHECKED, window.limit); i++) {
            if (window.bytes[i] != fill) {
                return false;
            }
        }
        return true;
    }

    /**
     * Compares a sample before damage with the previous sample of the same topic.
     *
     * <p>ULog has no checksums: a sample whose last bytes were overwritten has a valid start. But its values then jump
     * in ways that real ones seldom do: signs, exponents, flags, counters. If real values jump, one sample is lost.
     */
    private static final class Likeness {
        private Likeness() {}

        /**
         * Whether every value of the sample at {@code held} can follow that at {@code before}; both are indexes of the
         * fields.
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

        /** Number of bytes with this value directly before {@code end}, at most {@code limit}. */
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

        /** Compares sign and exponent, which are in the last bytes: these are overwritten first. */
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
