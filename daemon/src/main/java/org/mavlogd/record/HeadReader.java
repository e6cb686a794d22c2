package org.mavlogd.record;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.record.order.MessageTimes;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/** Restores the head of a log of an earlier run, message by message: header, definitions and subscriptions. */
final class HeadReader {
    private static final byte[] DATA_SECTION_BEGINS = {0, 0, MessageType.SYNC};

    private HeadReader() {}

    /**
     * Reads complete messages after a file header; mavlogd's own infos do not belong to the head. Returns the number of
     * the file's part.
     */
    static int read(DirectBuffer bytes, LogHead head, MessageTimes times, LocalPart local) {
        int part = 1;
        head.onHeader(bytes, 0);
        int offset = ULogLayout.HEADER_LENGTH;
        while (bytes.capacity() - offset >= ULogLayout.MESSAGE_HEADER_LENGTH) {
            int size = bytes.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            int length = ULogLayout.MESSAGE_HEADER_LENGTH + size;
            times.onMessage(bytes, offset, length);
            if (bytes.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.SUBSCRIPTION) {
                local.onVehicleSubscription(bytes, offset, length);
            }
            if (OwnInfos.isOwn(bytes, offset, length)) {
                part = Math.max(part, OwnInfos.part(bytes, offset, length));
            } else {
                head.onMessage(bytes, offset, length);
            }
            offset += length;
        }
        head.onMessage(new UnsafeBuffer(DATA_SECTION_BEGINS), 0, DATA_SECTION_BEGINS.length);
        return part;
    }
}
