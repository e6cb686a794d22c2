package org.mavlogd.mcap;

/**
 * One message, where it lies in the reader's buffer. Reused for every message and only valid during
 * {@link McapHandler#onMessage}. Hot path: allocates nothing.
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

    /** Of the channel that was announced by a record, 0 to 65535. */
    public int channelId() {
        return channelId;
    }

    /** 0 to 2^32 - 1; 0 if the writer does not count. */
    public long sequence() {
        return sequence;
    }

    /** When it was recorded: unsigned nanoseconds since an epoch, most often that of Unix. */
    public long logTimeNs() {
        return logTimeNs;
    }

    /** When it was sent, on the same clock. */
    public long publishTimeNs() {
        return publishTimeNs;
    }

    /** Holds the data, from {@link #offset} on. Not to be changed. */
    public byte[] buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    /** Of the data, in bytes. */
    public int length() {
        return length;
    }
}
