package org.mavlogd.mcap;

/**
 * A view of one message in the reader's buffer. Reused for every message and valid only during {@link
 * McapHandler#onMessage}. Allocates nothing. Hot path.
 */
public final class McapMessageView {
    private int channelId;
    private long sequence;
    private long logTimeNs;
    private long publishTimeNs;
    private byte[] buffer = {};
    private int offset;
    private int length;

    McapMessageView() {}

    void read(FieldCursor fields) throws McapException {
        channelId = fields.uint16("channel id");
        sequence = fields.uint32("sequence");
        logTimeNs = fields.int64("log time");
        publishTimeNs = fields.int64("publish time");
        buffer = fields.bytes();
        offset = fields.offset();
        length = fields.remaining();
    }

    /** Id of the channel, 0 to 65535. */
    public int channelId() {
        return channelId;
    }

    /** Sequence number, 0 to 2^32 - 1; 0 if the writer does not count. */
    public long sequence() {
        return sequence;
    }

    /** Time of recording: unsigned nanoseconds since an epoch, usually that of Unix. */
    public long logTimeNs() {
        return logTimeNs;
    }

    /** Time of sending, on the same clock. */
    public long publishTimeNs() {
        return publishTimeNs;
    }

    /** The buffer with the data, from {@link #offset} on. Must not be changed. */
    public byte[] buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    /** Length of the data, in bytes. */
    public int length() {
        return length;
    }
}
