package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A sink for any blocking channel: a pipe, a socket, a compressor. Owned by one thread; never closes the channel. */
public final class ChannelSink implements ULogSink {
    private final WritableByteChannel channel;
    private long position;

    public ChannelSink(WritableByteChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            position += channel.write(bytes);
        }
    }

    @Override
    public long position() {
        return position;
    }
}
