package org.mavlogd.ulog;

/**
 * A basic field of a topic, with nested formats flattened: a scalar or an array.
 *
 * @param path name of the field; names of nested fields are joined, as in {@code esc[2].rpm}
 * @param offset position in the sample, in bytes, after the message id
 * @param count number of elements; 1 for a scalar
 */
public record Column(String path, FieldType type, int offset, int count, boolean isArray) {
    /** Length of all elements, in bytes. */
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
