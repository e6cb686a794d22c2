package org.mavlogd.ulog;

/**
 * The value of a parameter, an int32_t or a float.
 *
 * @param type {@link FieldType#INT32} or {@link FieldType#FLOAT}
 * @param bits the four bytes of the value in the log
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Parameter Message"</a>
 */
public record Parameter(String name, FieldType type, int bits) {
    public Parameter {
        if (type != FieldType.INT32 && type != FieldType.FLOAT) {
            throw new IllegalArgumentException(
                    "parameter \"" + name + "\": " + type.text() + " is not int32_t or float");
        }
    }

    /** The value, exact for both types. */
    public double value() {
        return type == FieldType.INT32 ? bits : Float.intBitsToFloat(bits);
    }

    /** Whether {@link #read} accepts the payload. */
    static boolean isReadable(byte[] buffer, int offset, int size) {
        try {
            read(buffer, offset, size);
            return true;
        } catch (ULogException malformed) {
            return false;
        }
    }

    static Parameter read(byte[] buffer, int offset, int size) throws ULogException {
        KeyedValue keyed = KeyedValue.read(buffer, offset, size);
        FieldType type = keyed.key()
                .basicType()
                .filter(t -> !keyed.key().isArray() && (t == FieldType.INT32 || t == FieldType.FLOAT))
                .orElseThrow(() -> new ULogException(
                        "parameter of another type: " + keyed.key().text()));
        return new Parameter(keyed.name(), type, Bytes.int32(buffer, offset + size - Integer.BYTES));
    }
}
