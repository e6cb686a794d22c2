package org.mavlogd.exports;

/**
 * Encodes protobuf descriptors as a file descriptor set. Message types are added one after the other, fields to the
 * last type.
 *
 * @see <a href="https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto">descriptor.proto</a>
 */
final class ProtoSchema {
    /** Field types by their numbers in descriptors. */
    enum ProtoType {
        DOUBLE(1),
        FLOAT(2),
        INT64(3),
        UINT64(4),
        INT32(5),
        BOOL(8),
        STRING(9),
        MESSAGE(11),
        UINT32(13),
        ENUM(14);

        private final int number;

        ProtoType(int number) {
            this.number = number;
        }
    }

    /** Whether a field is single or repeated. */
    enum Label {
        SINGLE(1),
        REPEATED(3);

        private final int number;

        Label(int number) {
            this.number = number;
        }
    }

    // FileDescriptorSet
    private static final int SET_FILE = 1;
    // FileDescriptorProto
    private static final int FILE_NAME = 1;
    private static final int FILE_PACKAGE = 2;
    private static final int FILE_DEPENDENCY = 3;
    private static final int FILE_MESSAGE_TYPE = 4;
    private static final int FILE_SYNTAX = 12;
    // DescriptorProto
    private static final int MESSAGE_NAME = 1;
    private static final int MESSAGE_FIELD = 2;
    private static final int MESSAGE_ENUM_TYPE = 4;
    // FieldDescriptorProto
    private static final int FIELD_NAME = 1;
    private static final int FIELD_NUMBER = 3;
    private static final int FIELD_LABEL = 4;
    private static final int FIELD_TYPE = 5;
    private static final int FIELD_TYPE_NAME = 6;
    // EnumDescriptorProto, EnumValueDescriptorProto
    private static final int ENUM_NAME = 1;
    private static final int ENUM_VALUE = 2;
    private static final int VALUE_NAME = 1;
    private static final int VALUE_NUMBER = 2;

    private static final int NONE = -1;

    private final ProtoEncoder out = new ProtoEncoder();
    private int file = NONE;
    private int message = NONE;

    /** Starts a file; files on which it depends come before it. */
    ProtoSchema file(String name, String packageName, String... dependencies) {
        endFile();
        file = out.begin(SET_FILE);
        out.string(FILE_NAME, name);
        out.string(FILE_PACKAGE, packageName);
        for (String dependency : dependencies) {
            out.string(FILE_DEPENDENCY, dependency);
        }
        out.string(FILE_SYNTAX, "proto3");
        return this;
    }

    ProtoSchema message(String name) {
        endMessage();
        message = out.begin(FILE_MESSAGE_TYPE);
        out.string(MESSAGE_NAME, name);
        return this;
    }

    ProtoSchema field(String name, int number, ProtoType type) {
        return field(name, number, Label.SINGLE, type, "");
    }

    /** @param typeName name of a message or enum, with a dot and its package before it; empty for other types */
    ProtoSchema field(String name, int number, Label label, ProtoType type, String typeName) {
        int start = out.begin(MESSAGE_FIELD);
        out.string(FIELD_NAME, name);
        out.integer(FIELD_NUMBER, number);
        out.integer(FIELD_LABEL, label.number);
        out.integer(FIELD_TYPE, type.number);
        out.string(FIELD_TYPE_NAME, typeName);
        out.end(start);
        return this;
    }

    /** Adds an enum to the last message type; its values count from 0. */
    ProtoSchema enumeration(String name, String... values) {
        int start = out.begin(MESSAGE_ENUM_TYPE);
        out.string(ENUM_NAME, name);
        for (int i = 0; i < values.length; i++) {
            int value = out.begin(ENUM_VALUE);
            out.string(VALUE_NAME, values[i]);
            // Descriptors are proto2, which does not omit a 0.
            out.present(VALUE_NUMBER, i);
            out.end(value);
        }
        out.end(start);
        return this;
    }

    /** The encoded file descriptor set. */
    byte[] toByteArray() {
        endFile();
        return out.toByteArray();
    }

    private void endFile() {
        endMessage();
        if (file != NONE) {
            out.end(file);
        }
        file = NONE;
    }

    private void endMessage() {
        if (message != NONE) {
            out.end(message);
        }
        message = NONE;
    }

    /** Converts a name to one that protobuf allows: letters, digits and underscores, not starting with a digit. */
    static String identifier(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9_]", "_");
        boolean startsWell = !safe.isEmpty() && !Character.isDigit(safe.charAt(0));
        return startsWell ? safe : "_" + safe;
    }
}
