package org.mavlogd.ulog;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes single ULog messages into the caller's buffer, at its position. Hot path: allocates nothing.
 *
 * <p>The buffer must be {@linkplain ByteOrder#LITTLE_ENDIAN little endian}. A message is written completely or not at
 * all: on {@link BufferOverflowException} the buffer is unchanged. Lengths and ranges are checked ({@link
 * IllegalArgumentException}). The order of messages and the uniqueness of names and ids are not; {@link ULogWriter}
 * checks them. Texts are written as UTF-8. Stateless, usable from any thread.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Definitions Section", "Data
 *     Section"</a>
 */
public final class MessageEncoder {
    /** Length of a complete flag bits message. */
    public static final int FLAG_BITS_LENGTH = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.FLAG_BITS_SIZE;

    /** Length of a complete sync message. */
    public static final int SYNC_LENGTH = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SYNC_SIZE;

    /** Length of one complete dropout message. */
    public static final int DROPOUT_LENGTH = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DROPOUT_SIZE;

    private MessageEncoder() {}

    /** Writes the file header, version 1. */
    public static void header(ByteBuffer target, long startUs) {
        requireRoom(target, ULogLayout.HEADER_LENGTH);
        target.putLong(ULogLayout.MAGIC | ((long) ULogLayout.VERSION << 56));
        target.putLong(startUs);
    }

    /**
     * Writes the flag bits 'B' without appended data.
     *
     * @param compatFlags the first compatible byte: 0 or {@link ULogLayout#COMPAT_DEFAULT_PARAMETERS}
     */
    public static void flagBits(ByteBuffer target, int compatFlags) {
        begin(target, MessageType.FLAG_BITS, ULogLayout.FLAG_BITS_SIZE);
        target.putLong(compatFlags & 0xFF);
        for (int i = 0; i <= ULogLayout.MAX_APPENDED_SECTIONS; i++) {
            target.putLong(0);
        }
    }

    /** Writes a format 'F', such as {@code cpu:uint64_t timestamp;float load;}. */
    public static void format(ByteBuffer target, CharSequence text) {
        begin(target, MessageType.FORMAT, Utf8.length(text));
        Utf8.put(text, target);
    }

    /** Writes an info 'I' with a text; its key declares the exact length. */
    public static void infoText(ByteBuffer target, CharSequence name, CharSequence text) {
        int length = Utf8.length(text);
        int keyLength = textKeyLength(name, length);
        begin(target, MessageType.INFO, 1 + keyLength + length);
        putTextKey(target, name, length, keyLength);
        Utf8.put(text, target);
    }

    /** Writes an info 'I' of type int32_t. */
    public static void infoInt32(ByteBuffer target, CharSequence name, int value) {
        number(target, MessageType.INFO, "int32_t ", name, Integer.BYTES);
        target.putInt(value);
    }

    /** Writes an info 'I' of type uint32_t; {@code value} is 0 to 4294967295. */
    public static void infoUint32(ByteBuffer target, CharSequence name, long value) {
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("info \"" + name + "\": " + value + " is not a uint32_t");
        }
        number(target, MessageType.INFO, "uint32_t ", name, Integer.BYTES);
        target.putInt((int) value);
    }

    /** Writes an info 'I' of type uint64_t. */
    public static void infoUint64(ByteBuffer target, CharSequence name, long value) {
        number(target, MessageType.INFO, "uint64_t ", name, Long.BYTES);
        target.putLong(value);
    }

    /** Writes an info 'I' of type float. */
    public static void infoFloat(ByteBuffer target, CharSequence name, float value) {
        number(target, MessageType.INFO, "float ", name, Float.BYTES);
        target.putFloat(value);
    }

    /** Writes an info 'I' of any type: {@code key} is type and name, such as {@code uint8_t[3] serial}. */
    public static void info(ByteBuffer target, CharSequence key, byte[] value, int offset, int length) {
        int keyLength = keyLength(key);
        begin(target, MessageType.INFO, 1 + keyLength + length);
        putKey(target, key, keyLength);
        target.put(value, offset, length);
    }

    /**
     * Writes a piece of a UTF-8 text as multi info 'M'; {@code continued} if it continues the previous one of this
     * name.
     */
    public static void multiInfoText(
            ByteBuffer target, boolean continued, CharSequence name, byte[] utf8, int offset, int length) {
        int keyLength = textKeyLength(name, length);
        begin(target, MessageType.MULTI_INFO, 2 + keyLength + length);
        target.put((byte) (continued ? 1 : 0));
        putTextKey(target, name, length, keyLength);
        target.put(utf8, offset, length);
    }

    /**
     * Length in bytes of the next piece of a text from {@code offset} on: as much as fits into one 'M' without
     * splitting a character.
     */
    public static int multiInfoPiece(CharSequence name, byte[] utf8, int offset) {
        int limit = ULogLayout.MAX_MESSAGE_SIZE - 2 - textKeyLength(name, ULogLayout.MAX_MESSAGE_SIZE);
        return Utf8.cut(utf8, offset, utf8.length, limit);
    }

    /** Writes a parameter 'P' of type int32_t. */
    public static void parameterInt32(ByteBuffer target, CharSequence name, int value) {
        number(target, MessageType.PARAMETER, "int32_t ", name, Integer.BYTES);
        target.putInt(value);
    }

    /** Writes a parameter 'P' of type float. */
    public static void parameterFloat(ByteBuffer target, CharSequence name, float value) {
        number(target, MessageType.PARAMETER, "float ", name, Float.BYTES);
        target.putFloat(value);
    }

    /**
     * Writes a default 'Q' of type int32_t; {@code defaultTypes} is 1 for the system, 2 for the configuration, or both.
     */
    public static void defaultParameterInt32(ByteBuffer target, int defaultTypes, CharSequence name, int value) {
        defaultParameter(target, defaultTypes, "int32_t ", name);
        target.putInt(value);
    }

    /** Writes a default 'Q' of type float; {@code defaultTypes} as in {@link #defaultParameterInt32}. */
    public static void defaultParameterFloat(ByteBuffer target, int defaultTypes, CharSequence name, float value) {
        defaultParameter(target, defaultTypes, "float ", name);
        target.putFloat(value);
    }

    /** Writes a subscription 'A'. */
    public static void subscription(ByteBuffer target, int multiId, int messageId, CharSequence name) {
        requireRange("multi id", multiId, ULogLayout.MAX_MULTI_ID);
        requireRange("message id", messageId, ULogLayout.MAX_MESSAGE_ID);
        begin(target, MessageType.SUBSCRIPTION, ULogLayout.SUBSCRIPTION_HEADER_SIZE + Utf8.length(name));
        target.put((byte) multiId);
        target.putShort((short) messageId);
        Utf8.put(name, target);
    }

    /** Writes an unsubscription 'R'. */
    public static void unsubscription(ByteBuffer target, int messageId) {
        requireRange("message id", messageId, ULogLayout.MAX_MESSAGE_ID);
        begin(target, MessageType.UNSUBSCRIPTION, 2);
        target.putShort((short) messageId);
    }

    /** Writes a data message 'D': {@code length} bytes of fields in the layout of the topic's format. */
    public static void data(ByteBuffer target, int messageId, byte[] fields, int offset, int length) {
        requireRange("message id", messageId, ULogLayout.MAX_MESSAGE_ID);
        begin(target, MessageType.DATA, ULogLayout.DATA_HEADER_SIZE + length);
        target.putShort((short) messageId);
        target.put(fields, offset, length);
    }

    /** Writes a logged string 'L' of at most 65,526 bytes. */
    public static void loggedString(ByteBuffer target, LogLevel level, long timestampUs, CharSequence text) {
        begin(target, MessageType.LOGGED_STRING, ULogLayout.LOGGED_STRING_HEADER_SIZE + Utf8.length(text));
        target.put(level.code());
        target.putLong(timestampUs);
        Utf8.put(text, target);
    }

    /** Writes a tagged logged string 'C'. The tag is 0 to 65535; the text takes at most 65,524 bytes. */
    public static void taggedString(ByteBuffer target, LogLevel level, int tag, long timestampUs, CharSequence text) {
        requireRange("tag", tag, 0xFFFF);
        begin(target, MessageType.TAGGED_STRING, ULogLayout.TAGGED_STRING_HEADER_SIZE + Utf8.length(text));
        target.put(level.code());
        target.putShort((short) tag);
        target.putLong(timestampUs);
        Utf8.put(text, target);
    }

    /** Writes a sync marker 'S'. */
    public static void sync(ByteBuffer target) {
        begin(target, MessageType.SYNC, ULogLayout.SYNC_SIZE);
        target.putLong(ULogLayout.SYNC_MAGIC);
    }

    /** Number of bytes that {@link #dropouts} writes for this duration. */
    public static long dropoutsLength(long durationMs) {
        return DROPOUT_LENGTH * dropoutCount(durationMs);
    }

    /** Writes dropouts 'O': one for each 65,535 ms of the duration, one for a duration of 0. */
    public static void dropouts(ByteBuffer target, long durationMs) {
        requireRoom(target, dropoutsLength(durationMs));
        long left = durationMs;
        do {
            int part = (int) Math.min(left, ULogLayout.MAX_DROPOUT_MS);
            begin(target, MessageType.DROPOUT, ULogLayout.DROPOUT_SIZE);
            target.putShort((short) part);
            left -= part;
        } while (left > 0);
    }

    /** Writes a message of any type with this payload. */
    public static void message(ByteBuffer target, int type, byte[] payload, int offset, int length) {
        begin(target, (byte) type, length);
        target.put(payload, offset, length);
    }

    private static long dropoutCount(long durationMs) {
        if (durationMs < 0) {
            throw new IllegalArgumentException("dropout of " + durationMs + " ms");
        }
        return Math.max(1, (durationMs - 1) / ULogLayout.MAX_DROPOUT_MS + 1);
    }

    private static void defaultParameter(ByteBuffer target, int defaultTypes, String type, CharSequence name) {
        requireRange("default types", defaultTypes, 0xFF);
        if (defaultTypes == 0) {
            throw new IllegalArgumentException("default parameter \"" + name + "\": at least one default type bit");
        }
        int keyLength = keyLength(name) + type.length();
        requireKeyLength(name, keyLength);
        begin(target, MessageType.DEFAULT_PARAMETER, 2 + keyLength + Integer.BYTES);
        target.put((byte) defaultTypes);
        target.put((byte) keyLength);
        Utf8.put(type, target);
        Utf8.put(name, target);
    }

    private static void number(ByteBuffer target, byte messageType, String type, CharSequence name, int valueLength) {
        int keyLength = keyLength(name) + type.length();
        requireKeyLength(name, keyLength);
        begin(target, messageType, 1 + keyLength + valueLength);
        target.put((byte) keyLength);
        Utf8.put(type, target);
        Utf8.put(name, target);
    }

    private static int textKeyLength(CharSequence name, int textLength) {
        int keyLength = "char[".length() + digits(textLength) + "] ".length() + Utf8.length(name);
        requireKeyLength(name, keyLength);
        return keyLength;
    }

    private static void putTextKey(ByteBuffer target, CharSequence name, int textLength, int keyLength) {
        target.put((byte) keyLength);
        Utf8.put("char[", target);
        putDigits(textLength, target);
        Utf8.put("] ", target);
        Utf8.put(name, target);
    }

    private static int keyLength(CharSequence key) {
        int keyLength = Utf8.length(key);
        requireKeyLength(key, keyLength);
        return keyLength;
    }

    private static void putKey(ByteBuffer target, CharSequence key, int keyLength) {
        target.put((byte) keyLength);
        Utf8.put(key, target);
    }

    private static void begin(ByteBuffer target, byte type, int size) {
        if (size > ULogLayout.MAX_MESSAGE_SIZE) {
            throw new IllegalArgumentException("message '" + (char) type + "': payload of " + size + " bytes exceeds "
                    + ULogLayout.MAX_MESSAGE_SIZE);
        }
        requireRoom(target, ULogLayout.MESSAGE_HEADER_LENGTH + size);
        target.putShort((short) size);
        target.put(type);
    }

    private static void requireRoom(ByteBuffer target, long length) {
        if (target.order() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("the buffer is not little endian");
        }
        if (target.remaining() < length) {
            throw new BufferOverflowException();
        }
    }

    private static void requireKeyLength(CharSequence name, int keyLength) {
        if (keyLength > 0xFF) {
            throw new IllegalArgumentException("key of " + keyLength + " bytes exceeds 255: \"" + name + "\"");
        }
    }

    private static void requireRange(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(what + " " + value + " is not in 0 to " + max);
        }
    }

    /** Number of decimal digits of a length. */
    private static int digits(int value) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** Writes a length in decimal digits without allocation. */
    private static void putDigits(int value, ByteBuffer target) {
        int unit = 1;
        while (value / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            target.put((byte) ('0' + value / unit % 10));
        }
    }
}
