package org.mavlogd.ulog;

/**
 * Decides from the structure whether bytes are a ULog message: known type, a size that the topic can have, sync marker,
 * keys and names that are text. Examines a bounded number of bytes. Hot path.
 */
final class MessageJudge {
    /** A valid message. */
    static final int GOOD = 0;
    /** A data message without a usable topic, of the size that its id had before. */
    static final int ORPHAN = 1;
    /** An unknown type, or the first data message of an id without topic: possible, but not confirmed. */
    static final int LOOSE = 2;
    /** A known type whose size or content is not as specified. */
    static final int ODD = 3;
    /** Not a message. */
    static final int BAD = 4;

    /**
     * Allowed distance of a candidate's time from the last known one: generous, but it excludes almost every random
     * value.
     */
    private static final long MAX_STEP_BACK_US = 600_000_000L;

    private static final long MAX_STEP_US = 86_400_000_000L;
    private static final int MAX_TEXT_CHECKED = 256;
    private static final int MAX_FORMAT_CHECKED = 4096;

    private final Definitions definitions;

    // Time of the last sample with a 64-bit timestamp; negative before the first.
    private long lastUs = -1;

    MessageJudge(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Judges a data message by its header and message id alone; {@code size} is the payload's. */
    int judgeData(byte[] buffer, int payload, int size) {
        if (size < ULogLayout.DATA_HEADER_SIZE) {
            return ODD;
        }
        int id = Bytes.uint16(buffer, payload);
        Topic topic = definitions.topic(id);
        if (topic != null && size >= topic.minSize && size <= topic.maxSize) {
            return GOOD;
        }
        if (size == definitions.learnedSize(id)) {
            return ORPHAN;
        }
        return topic != null && topic.hasLayout() ? ODD : LOOSE;
    }

    /** Judges a message whose payload is completely in the buffer. */
    int judge(int type, byte[] buffer, int payload, int size) {
        return switch (type) {
            case MessageType.DATA -> judgeData(buffer, payload, size);
            case MessageType.SYNC ->
                good(size >= ULogLayout.SYNC_SIZE && Bytes.int64(buffer, payload) == ULogLayout.SYNC_MAGIC);
            case MessageType.DROPOUT, MessageType.UNSUBSCRIPTION -> good(size == 2);
            case MessageType.SUBSCRIPTION -> good(isSubscription(buffer, payload, size));
            case MessageType.FORMAT -> good(isFormat(buffer, payload, size));
            case MessageType.INFO -> good(isKeyed(buffer, payload, size));
            case MessageType.MULTI_INFO -> good(size > 1 && isKeyed(buffer, payload + 1, size - 1));
            case MessageType.PARAMETER -> good(isParameter(buffer, payload, size));
            case MessageType.DEFAULT_PARAMETER ->
                good(size > 1 && buffer[payload] != 0 && isParameter(buffer, payload + 1, size - 1));
            case MessageType.LOGGED_STRING ->
                good(size >= ULogLayout.LOGGED_STRING_HEADER_SIZE && LogLevel.isLevel(buffer[payload]));
            case MessageType.TAGGED_STRING ->
                good(size >= ULogLayout.TAGGED_STRING_HEADER_SIZE && LogLevel.isLevel(buffer[payload]));
            case MessageType.FLAG_BITS -> ODD;
            default -> ScanWindow.isNoType(type) ? BAD : LOOSE;
        };
    }

    /** Whether the time of a message is near the last known one: a check for candidates found by search. */
    boolean isTimePlausible(int type, byte[] buffer, int payload) {
        if (lastUs < 0) {
            return true;
        }
        return switch (type) {
            case MessageType.DATA -> {
                Topic topic = definitions.topic(Bytes.uint16(buffer, payload));
                yield topic == null
                        || topic.timestampAt < 0
                        || isNear(Bytes.int64(buffer, payload + topic.timestampAt));
            }
            case MessageType.LOGGED_STRING -> isNear(Bytes.int64(buffer, payload + 1));
            case MessageType.TAGGED_STRING -> isNear(Bytes.int64(buffer, payload + 3));
            default -> true;
        };
    }

    /** Whether a logged string has a text without control characters. */
    static boolean isText(int type, byte[] buffer, int payload, int size) {
        int from = payload
                + (type == MessageType.LOGGED_STRING
                        ? ULogLayout.LOGGED_STRING_HEADER_SIZE
                        : ULogLayout.TAGGED_STRING_HEADER_SIZE);
        int end = endOfText(buffer, from, Math.min(payload + size, from + MAX_TEXT_CHECKED));
        for (int i = from; i < end; i++) {
            if ((buffer[i] >= 0 && buffer[i] < '\t') || buffer[i] == 0x7F) {
                return false;
            }
        }
        return end > from;
    }

    /** Excludes the zeros before {@code end}. */
    private static int endOfText(byte[] buffer, int from, int end) {
        int last = end;
        while (last > from && buffer[last - 1] == 0) {
            last--;
        }
        return last;
    }

    /** Records position and time of a valid data message. */
    void onData(byte[] buffer, int payload, long position) {
        Topic topic = definitions.topic(Bytes.uint16(buffer, payload));
        if (topic != null) {
            onSample(topic, buffer, payload, position);
        }
    }

    void onSample(Topic topic, byte[] buffer, int payload, long position) {
        topic.lastPosition = position;
        if (topic.timestampAt >= 0) {
            lastUs = Bytes.int64(buffer, payload + topic.timestampAt);
        }
    }

    private boolean isNear(long timestampUs) {
        long step = timestampUs - lastUs;
        return step >= -MAX_STEP_BACK_US && step <= MAX_STEP_US;
    }

    private static boolean isSubscription(byte[] buffer, int payload, int size) {
        int end = payload + size;
        if (size <= ULogLayout.SUBSCRIPTION_HEADER_SIZE
                || size > ULogLayout.SUBSCRIPTION_HEADER_SIZE + Names.MAX_LENGTH) {
            return false;
        }
        end = endOfText(buffer, payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE, end);
        for (int i = payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE; i < end; i++) {
            if (!Names.isMessageNameByte(buffer[i])) {
                return false;
            }
        }
        return end > payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
    }

    private static boolean isFormat(byte[] buffer, int payload, int size) {
        int nameEnd = payload;
        int limit = payload + Math.min(size, MAX_TEXT_CHECKED);
        while (nameEnd < limit && Names.isMessageNameByte(buffer[nameEnd])) {
            nameEnd++;
        }
        if (nameEnd == payload || nameEnd == limit || buffer[nameEnd] != ':') {
            return false;
        }
        int end = endOfText(buffer, nameEnd, payload + Math.min(size, MAX_FORMAT_CHECKED));
        for (int i = nameEnd; i < end; i++) {
            if (buffer[i] < ' ' || buffer[i] == 0x7F) {
                return false;
            }
        }
        return true;
    }

    private static boolean isParameter(byte[] buffer, int payload, int size) {
        return isKeyed(buffer, payload, size) && size == 1 + Bytes.uint8(buffer, payload) + Integer.BYTES;
    }

    private static boolean isKeyed(byte[] buffer, int payload, int size) {
        if (size < 2) {
            return false;
        }
        int keyLength = Bytes.uint8(buffer, payload);
        if (keyLength == 0 || keyLength > size - 1) {
            return false;
        }
        for (int i = 1; i <= keyLength; i++) {
            if (buffer[payload + i] < ' ' || buffer[payload + i] == 0x7F) {
                return false;
            }
        }
        return true;
    }

    private static int good(boolean sound) {
        return sound ? GOOD : ODD;
    }
}
