package org.mavlogd.dataflash;

import java.util.Optional;

/**
 * Reads records with a message for people.
 *
 * @param isAll whether they have nothing but the text and its time
 */
record TextRecord(RecordType.Field text, boolean isAll) {
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
        return type.text(LABEL).map(field -> new TextRecord(field, isAll));
    }

    String text(byte[] buffer, int offset) {
        return Bytes.utf8(buffer, offset + text.offset(), text.format().length());
    }
}
