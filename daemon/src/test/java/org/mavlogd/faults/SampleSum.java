package org.mavlogd.faults;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Counts the data messages of logs and sums up their checksums: compares sets of messages that are too large to keep.
 * Logs are added in pieces of any size.
 */
final class SampleSum {
    private static final int HEADER_LENGTH = 16;
    private static final int MESSAGE_HEADER_LENGTH = 3;
    private static final int TYPE_OFFSET = 2;

    private long samples;
    private long sum;
    private long bytes;

    /** One log, from its first byte on. */
    final class Log {
        private final byte[] message = new byte[MESSAGE_HEADER_LENGTH + 0xFFFF];
        private final CRC32 crc = new CRC32();
        private int headerLeft = HEADER_LENGTH;
        private int length;

        void add(ByteBuffer source) {
            bytes += source.remaining();
            int skipped = Math.min(headerLeft, source.remaining());
            headerLeft -= skipped;
            source.position(source.position() + skipped);
            while (source.hasRemaining()) {
                int wanted = length < MESSAGE_HEADER_LENGTH ? MESSAGE_HEADER_LENGTH : completeLength();
                int part = Math.min(wanted - length, source.remaining());
                source.get(message, length, part);
                length += part;
                if (length >= MESSAGE_HEADER_LENGTH && length == completeLength()) {
                    count();
                }
            }
        }

        private int completeLength() {
            return MESSAGE_HEADER_LENGTH + (message[0] & 0xFF) + ((message[1] & 0xFF) << 8);
        }

        private void count() {
            if (message[TYPE_OFFSET] == 'D') {
                crc.reset();
                crc.update(message, 0, length);
                samples++;
                sum += crc.getValue();
            }
            length = 0;
        }
    }

    Log log() {
        return new Log();
    }

    long samples() {
        return samples;
    }

    long bytes() {
        return bytes;
    }

    /** The result, which is equal for the same messages in any order. */
    String text() {
        return samples + " samples, checksum " + Long.toHexString(sum);
    }
}
