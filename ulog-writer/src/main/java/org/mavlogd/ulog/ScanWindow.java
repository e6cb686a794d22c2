package org.mavlogd.ulog;

import java.nio.ByteBuffer;

/**
 * The part of the log that a scan has in memory, and the judgement of its bytes. Hot path.
 *
 * <p>Positions are indexes into {@link #bytes}; {@link #base} is the position of index 0 in the log. Bytes up to {@link
 * #limit} are used: this is the end of the log or of the data before an appended section ({@link #isFinal}), or the end
 * of the bytes received so far.
 */
final class ScanWindow {
    /** Room for the held message, the current one, and two more of full size to confirm them. */
    static final int CAPACITY = 4 * (ULogLayout.MAX_MESSAGE_LENGTH + 1) + ScanWindow.HISTORY;

    /** Bytes kept of messages that were passed on: earlier samples to compare a doubtful one with. */
    static final int HISTORY = 64 * 1024;

    /** Results in addition to those of {@link MessageJudge}: more bytes needed, exact end, truncated message. */
    static final int MORE = 10;

    static final int END = 11;
    static final int CUT = 12;

    static final int NO = 0;
    static final int YES = 1;
    private static final int OPEN = -1;

    /** Most unconfirmed messages in a chain. */
    private static final int MAX_LOOSE = 8;

    private static final int CHAIN = 2;

    /** Number of data messages in a row that are accepted although their subscriptions are lost. */
    private static final int CHAIN_OF_ORPHANS = 8;

    /** Most messages examined for a second one of a topic whose subscription was lost. */
    private static final int MAX_ORPHAN_CHAIN = 64;

    /** Most such messages in a chain found by search. */
    private static final int MAX_ORPHANS = 32;

    final byte[] bytes = new byte[CAPACITY];
    private final MessageJudge judge;
    long base;
    int end;
    int limit;
    boolean isFinal;

    // Counts of the current chain: messages that confirm it, messages that do not, data messages without a
    // subscription; and the message id of its last subscription.
    private int good;
    private int loose;
    private int orphans;
    private int subscribed;

    ScanWindow(MessageJudge judge) {
        this.judge = judge;
    }

    int fill(ByteBuffer source) {
        int count = Math.min(source.remaining(), CAPACITY - end);
        source.get(bytes, end, count);
        end += count;
        return count;
    }

    /** Discards everything before {@code from}. */
    void discard(int from) {
        System.arraycopy(bytes, from, bytes, 0, end - from);
        end -= from;
        base += from;
    }

    int type(int at) {
        return Bytes.uint8(bytes, at + ULogLayout.MESSAGE_TYPE_OFFSET);
    }

    int size(int at) {
        return Bytes.uint16(bytes, at);
    }

    int length(int at) {
        return ULogLayout.MESSAGE_HEADER_LENGTH + size(at);
    }

    /** Whether this is never a type, even in later versions: a control character or erased space. */
    static boolean isNoType(int type) {
        return type <= ' ' || type == 0x7F || type == 0xFF;
    }

    /**
     * Whether this is not an ASCII character, as all types so far are: possible for a later type in sequence, ignored
     * by a search.
     */
    private static boolean isUnlikelyType(int type) {
        return type > 0x7F;
    }

    /**
     * Judges the message at this index: a result of {@link MessageJudge}, or {@link #MORE}, {@link #END}, {@link #CUT}.
     */
    int assess(int at) {
        int available = limit - at;
        if (available < ULogLayout.MESSAGE_HEADER_LENGTH) {
            return isFinal ? (available == 0 ? END : CUT) : MORE;
        }
        int type = type(at);
        int payload = at + ULogLayout.MESSAGE_HEADER_LENGTH;
        int size = size(at);
        if (size + ULogLayout.MESSAGE_HEADER_LENGTH <= available) {
            return type == MessageType.DATA
                    ? judge.judgeData(bytes, payload, size)
                    : judge.judge(type, bytes, payload, size);
        }
        if (isNoType(type) || (isFinal && isUnlikelyType(type))) {
            return MessageJudge.BAD;
        }
        if (type == MessageType.DATA && available >= ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE) {
            int judged = judge.judgeData(bytes, payload, size);
            if (judged == MessageJudge.ODD) {
                return judged;
            }
        }
        return isFinal ? CUT : MORE;
    }

    /**
     * Whether messages start here: at least two valid ones, a sync marker, many data messages whose subscriptions were
     * lost, or the end.
     *
     * @param searched whether the place was found by search: the first message must then be a confirming one
     * @return {@link #YES}, {@link #NO} or {@link #MORE}
     */
    int chain(int from, boolean searched) {
        good = 0;
        loose = 0;
        orphans = 0;
        subscribed = -1;
        int at = from;
        while (good < CHAIN && loose <= MAX_LOOSE) {
            if (searched && limit - at >= ULogLayout.MESSAGE_HEADER_LENGTH && isUnlikelyType(type(at))) {
                return NO;
            }
            int judged = assess(at);
            int answer = judged >= MORE ? endChain(judged, at, searched) : goOn(judged, at, searched);
            if (answer != OPEN) {
                return answer;
            }
            if (searched && good == 0) {
                return type(from) == MessageType.DATA ? orphanChain(from) : NO;
            }
            at += length(at);
        }
        return good >= CHAIN ? YES : NO;
    }

    /** Decides at the end of the bytes, before the chain is confirmed. */
    private int endChain(int judged, int at, boolean searched) {
        if (judged == MORE && end < CAPACITY) {
            return MORE;
        }
        boolean isEnough = switch (judged) {
            case END -> !searched;
            case CUT -> !searched && isCutMessage(at);
            default -> false;
        };
        return good > 0 || isEnough ? YES : NO;
    }

    /** Counts a message of a chain; {@link #OPEN} if the next one must be examined. */
    private int goOn(int judged, int at, boolean searched) {
        return switch (judged) {
            case MessageJudge.BAD -> NO;
            case MessageJudge.ODD -> odd(at, searched);
            case MessageJudge.GOOD -> sound(at);
            case MessageJudge.ORPHAN -> {
                good++;
                yield OPEN;
            }
            default -> unknown(at, searched);
        };
    }

    /** If the damage hit the format of a topic, all messages of this topic look odd. */
    private int odd(int at, boolean searched) {
        if (searched || type(at) != MessageType.DATA) {
            return NO;
        }
        if (length(at) > limit - at) {
            return isFinal || end == CAPACITY ? NO : MORE;
        }
        return ++orphans == CHAIN_OF_ORPHANS ? YES : OPEN;
    }

    private int sound(int at) {
        int type = type(at);
        if (type == MessageType.SYNC) {
            return YES;
        }
        if (isProof(at)) {
            good++;
            subscribed = type == MessageType.SUBSCRIPTION ? messageId(at, 1) : subscribed;
        } else {
            loose++;
        }
        return OPEN;
    }

    /** Counts data without a subscription, data subscribed in this chain, or an unknown type. */
    private int unknown(int at, boolean searched) {
        if (type(at) != MessageType.DATA) {
            loose++;
        } else if (messageId(at, 0) == subscribed) {
            good++;
        } else if (++orphans == (searched ? MAX_ORPHANS : CHAIN_OF_ORPHANS)) {
            return searched ? NO : YES;
        }
        return OPEN;
    }

    /** Whether a truncated message has a known type, if its type is present. */
    private boolean isCutMessage(int at) {
        return limit - at < ULogLayout.MESSAGE_HEADER_LENGTH || MessageType.isKnown(type(at));
    }

    /**
     * Whether data messages start here whose subscriptions were lost: a run of messages of known types in which a later
     * one has the id and the size of the first. Runs that start by chance inside other data lack such a message.
     */
    private int orphanChain(int from) {
        boolean confirmed = false;
        int at = from;
        for (int count = 1; count <= MAX_ORPHAN_CHAIN; count++) {
            int judged = assess(at);
            if (judged == MORE) {
                return end < CAPACITY ? MORE : NO;
            }
            if (judged == END || judged == CUT || judged == MessageJudge.BAD || !MessageType.isKnown(type(at))) {
                return NO;
            }
            if (length(at) > limit - at) {
                return isFinal || end == CAPACITY ? NO : MORE;
            }
            confirmed |= at > from && isSameTopic(from, at);
            if (confirmed && count >= CHAIN_OF_ORPHANS) {
                return YES;
            }
            at += length(at);
        }
        return NO;
    }

    private boolean isSameTopic(int one, int other) {
        return type(other) == MessageType.DATA
                && size(other) == size(one)
                && size(one) >= ULogLayout.DATA_HEADER_SIZE
                && messageId(other, 0) == messageId(one, 0);
    }

    /** First index in a range where a chain starts; -1 if there is none, -2 if more bytes are needed. */
    int search(int from, int to) {
        for (int at = from; at < to; at++) {
            searchedTo = at;
            if (limit - at < ULogLayout.MESSAGE_HEADER_LENGTH) {
                return isFinal ? -1 : -2;
            }
            if (MessageType.isKnown(type(at))) {
                int answer = chain(at, true);
                if (answer != NO) {
                    return answer == YES ? at : -2;
                }
            }
        }
        searchedTo = to;
        return -1;
    }

    /** Index where the last search stopped: no chain starts before it. */
    int searchedTo;

    private int messageId(int at, int offset) {
        return Bytes.uint16(bytes, at + ULogLayout.MESSAGE_HEADER_LENGTH + offset);
    }

    /**
     * Whether a message confirms a chain. Messages that random bytes resemble easily do not: three bytes with a
     * duration or an id, or a text or a key of noise.
     */
    private boolean isProof(int at) {
        int type = type(at);
        int payload = at + ULogLayout.MESSAGE_HEADER_LENGTH;
        return switch (type) {
            case MessageType.DROPOUT, MessageType.UNSUBSCRIPTION -> false;
            case MessageType.LOGGED_STRING, MessageType.TAGGED_STRING ->
                MessageJudge.isText(type, bytes, payload, size(at)) && judge.isTimePlausible(type, bytes, payload);
            case MessageType.INFO, MessageType.PARAMETER -> KeyedValue.isOfBasicType(bytes, payload, size(at));
            case MessageType.MULTI_INFO, MessageType.DEFAULT_PARAMETER ->
                KeyedValue.isOfBasicType(bytes, payload + 1, size(at) - 1);
            default -> judge.isTimePlausible(type, bytes, payload);
        };
    }
}
