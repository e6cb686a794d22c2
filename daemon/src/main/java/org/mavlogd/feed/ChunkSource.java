package org.mavlogd.feed;

import org.agrona.MutableDirectBuffer;

/** A log chunk in somebody else's bytes, about to be published. Hot path. */
public interface ChunkSource {
    /** LOGGING_DATA.sequence: unsigned 16 bit. */
    int sequence();

    /** Offset of the first message that starts in the data, or {@link ChunkView#NO_MESSAGE_START}. */
    int firstMessageOffset();

    /** Valid bytes of data: 0 to {@link ChunkView#MAX_DATA_LENGTH}. */
    int length();

    /** Copies the {@link #length} valid bytes. */
    void copyData(MutableDirectBuffer target, int targetIndex);
}
