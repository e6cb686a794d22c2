package org.mavlogd.dataflash;

import java.util.Optional;

/**
 * Reads records with a message for people, or a piece of it.
 *
 * @param isAll whether they have nothing but the text and its time
 * @param piece empty if each record has a complete message
 */
record TextRecord(RecordType.Field text, boolean isAll, Optional<Piece> piece) {
    static final String TYPE = "MSG";

    private static final String LABEL = "Message";

    /** Empty for other types, or if the field is missing. */
    static Optional<TextRecord> of(RecordType type) {
        if (!type.name().equals(TYPE)) {
            return Optional.empty();
        }
        boolean isAll = type.fields().size() == 2
                && type.restOffset() == type.length()
                && TopicPlanner.time(type).kind() == TopicPlan.Time.Kind.US;
        Optional<Piece> piece =
                type.integer("ID").flatMap(id -> type.integer("Seq").map(sequence -> new Piece(id, sequence)));
        return type.text(LABEL).map(field -> new TextRecord(field, isAll, piece));
    }

    /** Length of the text in bytes, up to its first zero. */
    int length(byte[] buffer, int offset) {
        return Bytes.textLength(buffer, offset + text.offset(), text.format().length());
    }

    String text(byte[] buffer, int offset) {
        return Bytes.utf8(buffer, offset + text.offset(), text.format().length());
    }

    /** The fields that all pieces of a message have equal, and that number them from 0. */
    record Piece(RecordType.Field id, RecordType.Field sequence) {
        long id(byte[] buffer, int offset) {
            return Bytes.integer(id.format(), buffer, offset + id.offset());
        }

        long sequence(byte[] buffer, int offset) {
            return Bytes.integer(sequence.format(), buffer, offset + sequence.offset());
        }
    }
}
