package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32;

/** Writes bytes to a channel, and tracks the position and the checksum of the section. */
final class CheckedSink {
    private final WritableByteChannel channel;
    private final CRC32 crc = new CRC32();
    private long position;

    CheckedSink(WritableByteChannel channel) {
        this.channel = channel;
    }

    long position() {
        return position;
    }

    /** Checksum of all bytes since the start, or since {@link #resetCrc}. */
    long crc() {
        return crc.getValue();
    }

    void resetCrc() {
        crc.reset();
    }

    void write(ByteBuffer bytes) throws IOException {
        crc.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            position += channel.write(bytes);
        }
    }
}
