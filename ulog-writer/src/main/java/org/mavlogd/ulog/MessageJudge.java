package org.mavlogd.ulog;

/**
 * Decides whether bytes are a ULog message, by structure: known types, sizes that the topics have, sync markers, keys
 * and names that are text. Looks at a bounded number of bytes. Hot path.
 */
final class MessageJudge {
    /** Sound. */
    static final int GOOD = 0;
    /** A data message that no topic explains, of the size that its id had before. */
    static final int ORPHAN = 1;
    /** A type not known, or a data message without topic seen first: nothing speaks against it. */
    static final int LOOSE = 2;
    /** A known type that is not as specified. */
    static final int ODD = 3;
    /** No message. */
    static final int BAD = 4;

    /** How far a candidate's time may be from the last known: generous, yet it excludes almost every random value. */
    private static final long MAX_STEP_BACK_US = 600_000_000L;

    private static final long MAX_STEP_US = 86_400_000_000L;
    private static final int MAX_TEXT_CHECKED = 256;
    private static final int MAX_FORMAT_CHECKED = 4096;

    private final Definitions definitions;

    // Of the last sample with a 64-bit timestamp, or of the header; negative until known.
    private long lastUs = -1;

    MessageJudge(Definitions definitions) {
        this.definitions = definitions;
    }

    /** The five bytes of a data message's head are enough to judge it; {@code size} is the payload's. */
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

    /** Judges a message whose payload is wholly there. */
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

    /** Whether the time of a message taken for sound can be: a check for candidates found by search. */
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

    /** Whether a logged string has a text, which is one and no noise. */
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

    /** Without the zeros before {@code end}. */
    private static int endOfText(byte[] buffer, int from, int end) {
        int last = end;
        while (last > from && buffer[last - 1] == 0) {
            last--;
        }
        return last;
    }

    /** Tells the place and the time of a sound data message. */
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
