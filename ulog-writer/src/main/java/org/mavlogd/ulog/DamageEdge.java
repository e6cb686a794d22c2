package org.mavlogd.ulog;

/**
 * Judges the sound message just before damage: did the damage begin behind it, or in it?
 *
 * <p>A message whose end was overwritten has a sound head, and so has one whose end was lost with what followed. Given
 * out, such a sample would be made up. What speaks for a sample: one damaged header explains the whole hole; erased
 * space begins exactly behind it; or its values follow those of the sample before it of its topic.
 */
final class DamageEdge {
    private static final int MESSAGE_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;
    private static final int FIELDS = MESSAGE_HEAD + ULogLayout.DATA_HEADER_SIZE;
    private static final int FILL_CHECKED = 16;

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
        if (window.type(message) != MessageType.DATA) {
            return true;
        }
        if (window.limit - end < FIELDS) {
            return false;
        }
        return isOneMessage(end, hole) || isOwnEnd(message, end);
    }

    /** One damaged header, and the next message where that one's fields would end. */
    private boolean isOneMessage(int at, long hole) {
        Topic topic = definitions.topic(Bytes.uint16(window.bytes, at + MESSAGE_HEAD));
        return hole == window.length(at)
                || (topic != null && hole >= MESSAGE_HEAD + topic.minSize && hole <= MESSAGE_HEAD + topic.maxSize);
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
}
