package org.mavlogd.ulog;

/**
 * One basic field of a topic, nested ones flattened: a scalar or an array of a basic type.
 *
 * @param path the field's name; of nested fields joined: {@code esc[2].rpm}
 * @param offset in the sample's fields, in bytes
 * @param count of elements; 1 for a scalar
 */
public record Column(String path, FieldType type, int offset, int count, boolean isArray) {
    /** Of all elements, in bytes. */
    public int length() {
        return count * type.length();
    }

    int elementOffset(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("index " + index + " of \"" + path + "\", which has " + count);
        }
        return offset + index * type.length();
    }
}
