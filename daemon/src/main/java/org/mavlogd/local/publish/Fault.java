package org.mavlogd.local.publish;

/** What can be wrong with what programs send; a tag in the metrics. */
enum Fault {
    /** Not JSON, or not one object. */
    JSON,
    /** Keys that are missing, unknown, or do not go together, and values that they cannot have. */
    LINE,
    /** A topic that is not there and cannot be made. */
    TOPIC,
    /** Fields that do not fit the topic. */
    FIELDS,
    /** A time that cannot be. */
    TIME,
    /** The binary form. */
    BINARY,
    /** More texts than their tag may have. */
    LIMIT,
    /** No room: the ring was full. */
    FULL
}
