package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The value of an info message, with its declared type and name.
 *
 * <p>The length of the value is that of the message: some writers declare another one, which is ignored.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Information Message"</a>
 */
public final class KeyedValue {
    private static final int MAX_TYPE_LENGTH = "uint64_t".length();

    private final Field key;
    private final byte[] value;

    KeyedValue(Field key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    /** The declared type and name. */
    public Field key() {
        return key;
    }

    public String name() {
        return key.name();
    }

    /** A copy of the value's bytes. */
    public byte[] bytes() {
        return value.clone();
    }

    /** Whether the declared type is a char array. */
    public boolean isText() {
        return key.isArray() && key.type().equals(FieldType.CHAR.text());
    }

    /** The bytes as UTF-8, without zeros at the end; invalid bytes become U+FFFD. */
    public String text() {
        int end = value.length;
        while (end > 0 && value[end - 1] == 0) {
            end--;
        }
        return new String(value, 0, end, StandardCharsets.UTF_8);
    }

    /** Whether the value is a single integer. */
    public boolean isInteger() {
        return !key.isArray() && key.basicType().filter(FieldType::isInteger).isPresent();
    }

    /** The value of an integer scalar; for uint64_t its 64 bits. */
    public long integer() {
        return Values.integer(scalarType(), value, 0);
    }

    /** The value of a scalar of any basic type. */
    public double number() {
        return Values.number(scalarType(), value, 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyedValue that && key.equals(that.key) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return key.text() + " (" + value.length + " bytes)";
    }

    private FieldType scalarType() {
        return key.basicType()
                .filter(type -> !key.isArray() && value.length >= type.length())
                .orElseThrow(() -> new IllegalStateException("no scalar: " + this));
    }

    /** Whether {@link #read} accepts the payload. */
    static boolean isReadable(byte[] buffer, int offset, int size) {
        try {
            readKey(buffer, offset, size);
            return true;
        } catch (ULogException malformed) {
            return false;
        }
    }

    /** Whether the payload can be read and its type is a basic one, which random bytes rarely have. */
    static boolean isOfBasicType(byte[] buffer, int offset, int size) {
        // Check the type first: a search asks at each byte, and an exception would cost most of its time.
        return beginsWithBasicType(buffer, offset + 1, Bytes.uint8(buffer, offset)) && isReadable(buffer, offset, size);
    }

    private static boolean beginsWithBasicType(byte[] key, int from, int length) {
        int end = from;
        int limit = from + Math.min(length, MAX_TYPE_LENGTH + 1);
        while (end < limit && key[end] != ' ' && key[end] != '[') {
            end++;
        }
        return end - from <= MAX_TYPE_LENGTH
                && FieldType.of(new String(key, from, end - from, StandardCharsets.ISO_8859_1))
                        .isPresent();
    }

    /** Whether the value has a basic type and exactly the declared length. */
    static boolean isAsLongAsDeclared(byte[] buffer, int offset, int size) {
        try {
            Field key = readKey(buffer, offset, size);
            int length = size - 1 - Bytes.uint8(buffer, offset);
            return key.basicType()
                    .filter(type -> length == type.length() * key.count())
                    .isPresent();
        } catch (ULogException malformed) {
            return false;
        }
    }

    /** Reads key length, key and value; throws if the key lacks type or name. */
    static KeyedValue read(byte[] buffer, int offset, int size) throws ULogException {
        Field key = readKey(buffer, offset, size);
        int from = offset + 1 + Bytes.uint8(buffer, offset);
        return new KeyedValue(key, Arrays.copyOfRange(buffer, from, offset + size));
    }

    /** Reads the key, and checks that the value is long enough. Does not copy the value: a search asks at each byte. */
    private static Field readKey(byte[] buffer, int offset, int size) throws ULogException {
        int keyLength = Bytes.uint8(buffer, offset);
        Field key = Field.parse(new String(buffer, offset + 1, keyLength, StandardCharsets.UTF_8));
        int length = size - 1 - keyLength;
        if (!key.isArray()
                && key.basicType().filter(type -> length < type.length()).isPresent()) {
            throw new ULogException("value of " + length + " bytes: \"" + key.text() + "\"");
        }
        return key;
    }
}
