package org.mavlogd.feed;

import org.agrona.MutableDirectBuffer;

/** A log block in somebody else's bytes, about to be published. Hot path. */
public interface BlockSource {
    /** REMOTE_LOG_DATA_BLOCK.seqno: unsigned 32 bit. */
    long number();

    /** Copies the {@link BlockView#DATA_LENGTH} bytes. */
    void copyData(MutableDirectBuffer target, int targetIndex);
}
